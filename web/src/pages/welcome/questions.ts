export const steps = ['account', 'data', 'chart', 'people', 'invite'] as const;
export type WelcomeStep = (typeof steps)[number];

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

export function isStepDone(step: WelcomeStep, facts: WelcomeFacts): boolean {
  const { connections = 0, people = 0, teams = 0, invited = 0, hasData = false } = facts;
  switch (step) {
    case 'account':
      return true;
    case 'data':
      return connections > 0 || hasData;
    case 'chart':
      return hasData;
    case 'people':
      return people > 1 && teams > 0;
    case 'invite':
      return invited > 0;
  }
}

/** The step to go on with: the first that is neither done nor left for later. */
export const nextStep = (facts: WelcomeFacts, { skipped }: Pick<Setup, 'skipped'>): WelcomeStep | undefined =>
  steps.find((step) => !isStepDone(step, facts) && !skipped.includes(step));
