import { counted } from '../../view/format.ts';

export const steps = ['owner', 'connect', 'repositories', 'people', 'teams'] as const;
export type WelcomeStep = (typeof steps)[number];

export const stepNames: Readonly<Record<WelcomeStep, string>> = {
  owner: 'You and your organisation',
  connect: 'Connect, import or keep the demo',
  repositories: 'Repositories',
  people: 'People',
  teams: 'Teams',
};

/** The known state of the organisation; undefined until the server has answered. */
export interface WelcomeFacts {
  readonly connections: number | undefined;
  readonly hasData: boolean | undefined;
  /** Repositories of which something was read. */
  readonly repositories: number | undefined;
  readonly people: number | undefined;
  readonly teams: number | undefined;
}

/** The state of each step in a few words. Unknown is not called missing. */
export function stepState(step: WelcomeStep, facts: WelcomeFacts): { readonly isDone: boolean; readonly says: string } {
  const { connections = 0, repositories = 0, people = 0, teams = 0, hasData = false } = facts;
  switch (step) {
    case 'owner':
      return { isDone: true, says: 'signed in' };
    case 'connect':
      if (connections > 0) return { isDone: true, says: counted(connections, 'connection', 'connections') };
      return hasData ? { isDone: true, says: 'has data already' } : { isDone: false, says: 'nothing yet' };
    case 'repositories':
      if (repositories > 0) return { isDone: true, says: counted(repositories, 'repository', 'repositories') };
      return hasData && connections === 0
        ? { isDone: true, says: 'as records name them' }
        : { isDone: false, says: 'none read yet' };
    case 'people':
      return { isDone: people > 1, says: counted(people, 'person', 'people') };
    case 'teams':
      return { isDone: teams > 0, says: teams > 0 ? counted(teams, 'team', 'teams') : 'none yet' };
  }
}

export const stepAfter = (step: WelcomeStep): WelcomeStep | undefined => steps[steps.indexOf(step) + 1];

export function welcomeSentence(facts: WelcomeFacts): string {
  const left = steps.filter((step) => !stepState(step, facts).isDone).length;
  if (left === 0) return 'Everything is in place. Each step can be gone through again.';
  return `${left === 1 ? 'One step is' : `${left} steps are`} left. Each can be skipped and done later in the settings.`;
}

/** Repositories that the streams of connections name, each once. */
export const scopesOf = (
  connections: readonly { readonly streams: readonly { readonly scope: string }[] }[],
): readonly string[] =>
  [
    ...new Set(
      connections.flatMap(({ streams }) => streams.map(({ scope }) => scope)).filter((scope) => scope.includes('/')),
    ),
  ].sort();
