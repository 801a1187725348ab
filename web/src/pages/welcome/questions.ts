import { counted } from '../../view/format.ts';

export const steps = ['account', 'data', 'chart', 'people', 'invite'] as const;
export type WelcomeStep = (typeof steps)[number];

export const stepNames: Readonly<Record<WelcomeStep, string>> = {
  account: 'Account created',
  data: 'Bring in data',
  chart: 'See the first chart',
  people: 'Check people and teams',
  invite: 'Invite your managers',
};

/** What `GET /app/setup` says: the steps that were left for later, and sample data to look at. */
export interface Setup {
  readonly skipped: readonly string[];
  readonly is_closed: boolean;
  readonly sample: { readonly name: string } | null;
}

/** The known state of the organisation; undefined until the server has answered. */
export interface WelcomeFacts {
  readonly email: string;
  readonly connections: number | undefined;
  readonly hasData: boolean | undefined;
  readonly isSyncing: boolean;
  readonly people: number | undefined;
  readonly teams: number | undefined;
  /** People besides the reader who can see more than their own work. */
  readonly invited: number | undefined;
}

interface StepState {
  readonly isDone: boolean;
  readonly says: string;
}

/** The state of each step in a few words. Unknown is not called missing. */
export function stepState(step: WelcomeStep, facts: WelcomeFacts): StepState {
  const { email, connections = 0, people = 0, teams = 0, invited = 0, hasData = false, isSyncing } = facts;
  switch (step) {
    case 'account':
      return { isDone: true, says: email };
    case 'data':
      if (connections > 0) return { isDone: true, says: counted(connections, 'connection', 'connections') };
      return hasData ? { isDone: true, says: 'Imported' } : { isDone: false, says: 'About 5 minutes' };
    case 'chart':
      if (hasData) return { isDone: true, says: 'Ready' };
      return { isDone: false, says: isSyncing ? 'Importing history…' : 'Once data arrives' };
    case 'people':
      if (people > 1 && teams > 0) {
        return { isDone: true, says: `${counted(people, 'person', 'people')}, ${counted(teams, 'team', 'teams')}` };
      }
      return { isDone: false, says: 'We match accounts, you confirm the doubtful ones' };
    case 'invite':
      return invited > 0
        ? { isDone: true, says: counted(invited, 'invited', 'invited') }
        : { isDone: false, says: 'They see their teams, engineers see their own work' };
  }
}

/** The step to go on with: the first that is neither done nor left for later. */
export const nextStep = (facts: WelcomeFacts, { skipped }: Pick<Setup, 'skipped'>): WelcomeStep | undefined =>
  steps.find((step) => !stepState(step, facts).isDone && !skipped.includes(step));

export function welcomeSentence(facts: WelcomeFacts, setup: Pick<Setup, 'skipped'>): string {
  const left = steps.filter((step) => !stepState(step, facts).isDone).length;
  if (left === 0) return 'Everything is in place. You can come back to any step.';
  if (nextStep(facts, setup) === undefined) return 'What you left for later stays here.';
  return 'See how work gets to production, and where it waits. It runs on your own server, and nothing leaves it.';
}
