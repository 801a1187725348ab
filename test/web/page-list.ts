import type { Reader } from './served-pages.ts';

/** A page of the application, and what its heading says; pages of one record are named after it. */
export interface ListedPage {
  readonly path: string;
  readonly heading?: string;
  /** How many tiles with a number an Owner sees on demo data, at least: a page of figures has some. */
  readonly minTiles?: number;
  /** Everybody else is told which owners to ask. */
  readonly isForOwners?: boolean;
}

/** A board with a panel of each form. */
const aBoard = {
  title: 'Delivery review',
  range: '12w',
  panels: [
    { title: 'Cycle time', metric: 'cycle-time', request: { aggregation: 'MEDIAN' }, view: 'number', compare: true },
    { metric: 'deployment-frequency', request: { date_level: 'week' }, view: 'bar', compare: true },
    { metric: 'pickup-time', request: { aggregation: 'MEDIAN', date_level: 'week' }, view: 'line' },
    { title: 'Merged', metric: 'pull-requests-count', request: split('week'), view: 'stacked' },
    { title: 'Where work goes', metric: 'pull-requests-count', request: split('month'), view: 'share' },
    { title: 'Runs', metric: 'workflow-runs-count', request: split('week'), view: 'heat', wide: true },
    { metric: 'pickup-time', request: { aggregation: 'MEDIAN', group_by: ['team_name'] }, view: 'table' },
  ],
};

/** A goal of the reader's own. */
const aGoal = {
  title: 'First review within a day',
  metric: 'pickup-time',
  aggregation: 'MEDIAN',
  should_be: 'below',
  value: 86_400,
  period: 'week',
};

function split(date_level: string) {
  return { date_level, group_by: ['team_name'] };
}

const named: readonly ListedPage[] = [
  { path: '/', heading: 'Overview', minTiles: 6 },
  { path: '/delivery', heading: 'Delivery', minTiles: 5 },
  { path: '/cycle-time', heading: 'Cycle time', minTiles: 3 },
  { path: '/reviews', heading: 'Reviews', minTiles: 3 },
  { path: '/ai', heading: 'AI', minTiles: 4 },
  { path: '/ci', heading: 'CI', minTiles: 3 },
  { path: '/issues', heading: 'Issues', minTiles: 3 },
  { path: '/people', heading: 'People' },
  { path: '/surveys', heading: 'Surveys' },
  { path: '/benchmarks', heading: 'Benchmarks' },
  { path: '/explore', heading: 'Explore' },
  { path: '/goal', heading: 'Goals' },
  { path: '/goal/:slug' },
  { path: '/annotation', heading: 'Events' },
  { path: '/board', heading: 'Boards' },
  { path: '/board/:slug', heading: aBoard.title },
  { path: '/settings', heading: 'Settings' },
  { path: '/settings/keys', heading: 'API keys' },
  { path: '/settings/notifications', heading: 'Notifications' },
  { path: '/settings/data-quality', heading: 'Data quality' },
  { path: '/settings/people', heading: 'Roles and permissions' },
  { path: '/settings/connections', heading: 'Connections', isForOwners: true },
  { path: '/settings/organisation', heading: 'Organisation' },
  { path: '/settings/audit', heading: 'Audit log', isForOwners: true },
  { path: '/settings/backup', heading: 'Backup', isForOwners: true },
  { path: '/welcome' },
];

/** Pages of one record, by the metric that finds it and the column with its id. */
const ofRecords = {
  '/pull-requests/:id': ['pull-requests-count', 'pr_id'],
  '/deployments/:id': ['deployment-frequency', 'deployment_id'],
  '/ai-sessions/:id': ['posthook-sessions-count', 'session_id'],
  '/people/:id': ['users-count', 'merged_user_id'],
} as const;

/** Every path that `web/src/routes.ts` has; `:id` stands for a record. */
export const listedPages: readonly ListedPage[] = [...named, ...Object.keys(ofRecords).map((path) => ({ path }))];

/** The address of a listed page: for a record, one that the reader may see, or any at all where there is none. */
export async function pathFor(url: string, page: ListedPage, { key }: Pick<Reader, 'key'>): Promise<string> {
  if (page.path === '/board/:slug') return documentFor(url, key, 'board', aBoard);
  if (page.path === '/goal/:slug') return documentFor(url, key, 'goal', aGoal);
  if (!page.path.endsWith('/:id')) return page.path;
  const [metric, column] = ofRecords[page.path as keyof typeof ofRecords];
  const to = new Date();
  const day = (date: Date): string => date.toISOString().slice(0, 10);
  const from = new Date(to.getTime() - 60 * 86_400_000);
  const filters = metric === 'users-count' ? {} : { start_date: day(from), end_date: day(to) };
  const response = await fetch(`${url}/metrics/${metric}`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify({ filters, group_by: [column], limit: 1 }),
  });
  if (!response.ok) throw new Error(`${metric} for ${page.path}: ${response.status} ${await response.text()}`);
  const [row] = (await response.json()) as Record<string, unknown>[];
  return page.path.replace(':id', encodeURIComponent(String(row?.[column] ?? 'none')));
}

/** A document of the reader's own, made unless it is there. */
async function documentFor(url: string, key: string, kind: 'board' | 'goal', document: object): Promise<string> {
  const slug = `review-${key
    .slice(-8)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '0')}`;
  const response = await fetch(`${url}/${kind}s/${slug}`, {
    method: 'PUT',
    headers: { authorization: key, 'content-type': 'application/json', 'if-none-match': '*' },
    body: JSON.stringify(document),
  });
  if (response.status !== 201 && response.status !== 412) {
    throw new Error(`${slug}: ${response.status} ${await response.text()}`);
  }
  return `/${kind}/${slug}`;
}
