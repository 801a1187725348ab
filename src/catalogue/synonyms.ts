/**
 * The words of other tools, each with the names that it probably means here. Names that are merely mistyped need no
 * entry.
 */
export type Synonyms = Readonly<Record<string, readonly string[]>>;

const pullRequests = ['pull-requests-count'];
const restore = ['time-to-restore-p50', 'time-to-restore'];
const leadTime = ['lead-time-for-changes-p50', 'lead-time-for-changes'];

export const metricWords: Synonyms = {
  dora: [
    'lead-time-for-changes',
    'deployment-frequency',
    'time-to-restore',
    'change-failure-rate',
    'deployment-rework-rate',
  ],
  prs: pullRequests,
  pr: pullRequests,
  'pr-count': pullRequests,
  'pull-requests': pullRequests,
  throughput: pullRequests,
  'merge-requests': pullRequests,
  'pr-size': ['pull-requests-size'],
  deployments: ['deployment-frequency'],
  deploys: ['deployment-frequency'],
  'deployment-count': ['deployment-frequency'],
  mttr: restore,
  'time-to-recovery': restore,
  'mean-time-to-restore': restore,
  'recovery-time': restore,
  'failed-deployment-recovery-time': restore,
  fdrt: restore,
  cfr: ['change-failure-rate'],
  'failure-rate': ['change-failure-rate'],
  'change-fail-rate': ['change-failure-rate'],
  'change-fail-percentage': ['change-failure-rate'],
  instability: ['change-failure-rate', 'deployment-rework-rate'],
  'rework-deployments': ['deployment-rework-rate'],
  'unplanned-deployments': ['deployment-rework-rate'],
  'lead-time': leadTime,
  'change-lead-time': leadTime,
  velocity: ['completed-story-points'],
  developers: ['contributors-count'],
  people: ['users-count'],
  builds: ['workflow-runs-count'],
  'build-time': ['workflow-run-duration'],
  'time-to-merge': ['cycle-time'],
};

/** The names of tables in other tools. */
export const tableWords: Synonyms = {
  pr: ['pull_requests'],
  prs: ['pull_requests'],
  mrs: ['pull_requests'],
  'merge-requests': ['pull_requests'],
  reviews: ['pull_request_reviews'],
  comments: ['pull_request_comments', 'issue_comments'],
  commits: ['pull_request_commits'],
  tickets: ['issues'],
  releases: ['release_details'],
  runs: ['workflow_runs'],
  builds: ['workflow_runs'],
  users: ['people'],
  repos: ['repositories'],
};

/** The metrics that a word of other tools probably means; none for a word that nobody knows. */
export function metricsCalled(words: string): readonly string[] {
  const word = words
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return Object.hasOwn(metricWords, word) ? (metricWords[word] ?? []) : [];
}

export const aggregationWords: Synonyms = {
  p50: ['median'],
  mean: ['avg'],
  average: ['avg'],
  total: ['sum'],
  p99: ['p95'],
  minimum: ['min'],
  maximum: ['max'],
};

export const directionWords: Synonyms = { descending: ['desc'], down: ['desc'], ascending: ['asc'], up: ['asc'] };

export const levelWords: Synonyms = {
  daily: ['day'],
  weekly: ['week'],
  monthly: ['month'],
  quarterly: ['quarter'],
  yearly: ['year'],
  annual: ['year'],
};

export const columnWords: Synonyms = {
  team: ['team_name'],
  teams: ['team_names'],
  squad: ['squad_name'],
  manager: ['manager_name'],
  repo: ['repository'],
  author: ['name'],
  user: ['name'],
  member: ['name'],
  person: ['name'],
  email: ['main_email'],
  title: ['pr_title', 'issue_title'],
  state: ['pr_state', 'ticket_status'],
  status: ['pr_state', 'ticket_status'],
  url: ['pr_url'],
};

export const filterWords: Synonyms = {
  author: ['member'],
  authors: ['member'],
  user: ['member'],
  users: ['member'],
  person: ['member'],
  members: ['member'],
  teams: ['team'],
  team_name: ['team'],
  repo: ['repositories'],
  repos: ['repositories'],
  repository: ['repositories'],
  squads: ['squad_ids'],
  manager: ['manager_ids'],
  state: ['pr_states', 'ticket_status'],
  status: ['pr_states', 'ticket_status'],
  search: ['pull_requests_search_term'],
  from: ['start_date'],
  since: ['start_date'],
  to: ['end_date'],
  until: ['end_date'],
};

/** Other names for parameters of a question's address and fields of its body, also those of the command line. */
export const questionWords: Synonyms = {
  ...filterWords,
  agg: ['aggregation'],
  by: ['group_by'],
  group: ['group_by'],
  per: ['date_level'],
  interval: ['date_level'],
  granularity: ['date_level'],
  period: ['date_level'],
  sort: ['order_by'],
  order: ['order_by'],
  top: ['limit'],
  compare: ['include_previous_period'],
  metric: ['benchmark_metric', 'metrics'],
};
