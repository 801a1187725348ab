/** What happens in an organisation made for tests, day after day, as records that are imported. */

type TableRecords = Readonly<Record<string, unknown>>;
export type MadeRecords = Readonly<Record<string, readonly TableRecords[]>>;

export const repositories = ['acme/api', 'acme/web', 'acme/docs'] as const;
/** Half of the pull requests are of one of them. */
const changed = ['acme/api', 'acme/web', 'acme/docs', 'acme/web'] as const;

export interface MadeHistory {
  /** The first and the last day on which anything happened, UTC. */
  readonly from: string;
  readonly to: string;
  readonly people: readonly string[];
  /** How many pull requests are opened on a day; two unless given. */
  readonly perDay?: number;
  /** From a day on, the first review of pull requests of some repositories takes so many times as long. */
  readonly slower?: {
    readonly from: string;
    readonly times: number;
    readonly repositories: readonly string[];
    /** So does all the rest, so that no phase bears half of the change. */
    readonly isInAllPhases?: boolean;
  };
  /** The last day of which assistants have reported. */
  readonly reportedTo?: string;
  /** Pull requests of `acme/web` go to a branch of its own, which is brought into production once a week. */
  readonly hasPromotions?: boolean;
  /** The hour at which pull requests are opened, UTC; nine unless given. */
  readonly hour?: number;
  readonly seed?: number;
}

const msPerHour = 3_600_000;
const msPerDay = 24 * msPerHour;

export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * msPerDay).toISOString().slice(0, 10);

function daysFrom(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day)) days.push(day);
  return days;
}

/** Numbers between 0 and 1 that are the same in each run. */
export function numbersFrom(seed: number): () => number {
  let state = seed % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A moment so many hours after the beginning of a day, UTC. */
const at = (day: string, hours: number): string => new Date(Date.parse(day) + hours * msPerHour).toISOString();

/** Nothing in it is later than its last day. Each day has something of everything, so that every table ends with it. */
export function madeHistory(history: MadeHistory): MadeRecords {
  const random = numbersFrom(history.seed ?? 1);
  const between = (low: number, high: number): number => low + (high - low) * random();
  const days = daysFrom(history.from, history.to);
  const end = at(history.to, 23.9);
  const pulls = days.flatMap((day, at) => pullRequestsOf(history, day, at, between)).filter(isBefore(end));
  const { people } = history;
  const personAt = (at: number): string => people[at % people.length] ?? '';
  return {
    pull_requests: pulls.map(({ pullRequest }) => pullRequest),
    pull_request_reviews: pulls.flatMap(({ review }) => (review ? [review] : [])),
    deployments: days.map((day, n) => deploymentOf(day, n, personAt(n))),
    workflow_runs: days.flatMap((day, n) => runsOf(day, n, between)),
    issues: days.map((day, n) => issueOf(day, n, personAt(n), between, end)),
    ai_copilot: daysFrom(history.from, history.reportedTo ?? history.to).flatMap((day, n) =>
      people.slice(0, Math.ceil(people.length / 2)).map((person_email, one) => ({
        source: 'cursor',
        date: day,
        person_email,
        is_active: (n + one) % 5 !== 0,
        suggested_lines: 100,
        accepted_lines: 20 + one,
        lines_added: 200,
        ai_lines: 50,
        tokens: 10_000,
        cost_usd: 1.5,
      })),
    ),
    posthook_sessions: days.map((day, n) => ({
      session_id: `session-${day}`,
      engineer_email: personAt(n),
      agent_slug: 'claude-code',
      repo_name: 'acme/web',
      started_at: at(day, 10),
      ended_at: at(day, 11),
      generated_lines: 40,
      committed_lines: 10,
    })),
  };
}

interface MadePullRequest {
  readonly pullRequest: TableRecords & { readonly pr_merged_at: string };
  readonly review: TableRecords | undefined;
}

const isBefore =
  (end: string) =>
  ({ pullRequest }: MadePullRequest): boolean =>
    pullRequest.pr_merged_at <= end;

type Between = (low: number, high: number) => number;

function pullRequestsOf(history: MadeHistory, day: string, n: number, between: Between): MadePullRequest[] {
  const { people, perDay = 2, slower, hasPromotions = false, hour = 9 } = history;
  const made = Array.from({ length: perDay }, (_, i): MadePullRequest => {
    const place = n * perDay + i;
    const repository = changed[place % changed.length] ?? '';
    const isSlower = slower !== undefined && day >= slower.from && slower.repositories.includes(repository);
    const opened = hour + i * 0.3;
    const times = isSlower ? slower.times : 1;
    const others = isSlower && slower.isInAllPhases ? times : 1;
    const pickup = between(0.5, 2.5) * times;
    const isReviewed = place % 9 !== 1;
    const pr_id = `github:${repository}#${place}`;
    const [author, reviewer] = [people[place % people.length], people[(place + 1 + (n % 2)) % people.length]];
    return {
      pullRequest: {
        pr_id,
        source: 'github',
        repository,
        pr_title: `Change ${place}`,
        pr_number: place,
        person_email: author,
        pr_state: 'merged',
        base_branch: hasPromotions && repository === 'acme/web' ? 'develop' : 'main',
        head_branch: `change-${place}`,
        first_commit_at: at(day, opened - between(0.5, 6) * (1 + (others - 1) / 3)),
        pr_created_at: at(day, opened),
        pr_merged_at: at(day, opened + pickup + between(0.2, 1.5) * others),
        additions: Math.round(between(1, 300)),
        deletions: Math.round(between(0, 100)),
      },
      review: isReviewed
        ? {
            pr_review_id: `review-of-${pr_id}`,
            pr_id,
            person_email: reviewer,
            reviewed_at: at(day, opened + pickup),
            review_state: place % 5 === 0 ? 'changes_requested' : 'approved',
          }
        : undefined,
    };
  });
  return hasPromotions && n % 7 === 6 ? [...made, promotionOf(day, n, people[0] ?? '')] : made;
}

/** Its first commit is that of the oldest change that it brings. */
const promotionOf = (day: string, n: number, person_email: string): MadePullRequest => ({
  pullRequest: {
    pr_id: `github:acme/web#promotion-${n}`,
    source: 'github',
    repository: 'acme/web',
    pr_title: 'Release',
    person_email,
    pr_state: 'merged',
    base_branch: 'main',
    head_branch: 'develop',
    first_commit_at: at(dayAfter(day, -7), 3),
    pr_created_at: at(day, 14),
    pr_merged_at: at(day, 15),
  },
  review: undefined,
});

/** One a day, each of another repository than the day before. Now and then one fails, and the next one makes it good. */
const deploymentOf = (day: string, n: number, person_email: string): TableRecords => ({
  deployment_id: `deployment-${day}`,
  repository: repositories[n % repositories.length],
  source: 'github',
  person_email,
  deployed_at: at(day, 20),
  started_at: at(day, 19.9),
  status: n % 9 === 4 ? 'failure' : 'success',
  environment: 'production',
  version: `v${n}`,
});

const runsOf = (day: string, n: number, between: Between): TableRecords[] =>
  [0, 1].map((i) => ({
    workflow_run_id: `run-${day}-${i}`,
    workflow_name: i === 0 ? 'tests' : 'lint',
    source: 'github',
    repository: repositories[(n + i) % repositories.length],
    branch: 'main',
    run_status: 'completed',
    run_conclusion: (n * 2 + i) % 11 === 3 ? 'failure' : (n * 2 + i) % 17 === 5 ? 'cancelled' : 'success',
    run_attempt: 1,
    run_created_at: at(day, 8 + i),
    run_started_at: at(day, 8 + i),
    run_updated_at: at(day, 8 + i + between(0.05, 0.4)),
    head_sha: `sha-${day}`,
  }));

function issueOf(day: string, n: number, person_email: string, between: Between, end: string): TableRecords {
  const [started, completed] = [at(day, 9 + between(1, 20)), at(day, 30 + between(1, 60))];
  const isStarted = started <= end;
  const isCompleted = completed <= end && n % 6 !== 5;
  return {
    issue_id: `issue-${day}`,
    issue_key: `ABC-${n}`,
    source: 'jira',
    issue_title: `Wish ${n}`,
    project_id: 'ABC',
    project_name: 'Wishes',
    person_email,
    ticket_status: isCompleted ? 'completed' : isStarted ? 'started' : 'backlog',
    story_points: 1 + (n % 5),
    created_at: at(day, 9),
    ...(isStarted ? { started_at: started } : {}),
    ...(isCompleted ? { completed_at: completed, closed_at: completed } : {}),
  };
}
