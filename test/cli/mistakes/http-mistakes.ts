/** A slip of a newcomer over HTTP, and the words of the answer that name the fix. */
export interface HttpMistake {
  readonly mistake: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose key is sent. Default: an Owner's. */
  readonly as?: 'owner' | 'engineer' | 'nobody';
  readonly status: number;
  readonly fix: RegExp;
}

const since = { start_date: '2025-01-01' };
const on = (metric: string, mistake: string, body: unknown, fix: RegExp): HttpMistake => ({
  mistake,
  path: `/metrics/${metric}`,
  body,
  status: 400,
  fix,
});
const noMetric = (name: string, fix: RegExp): HttpMistake => ({
  mistake: `the metric '${name}'`,
  path: `/metrics/${name}`,
  body: { filters: since },
  status: 404,
  fix,
});

const keys: readonly HttpMistake[] = [
  {
    mistake: 'no key',
    path: '/metrics/cycle-time',
    body: {},
    as: 'nobody',
    status: 401,
    fix: /header Authorization.*plumb key create/,
  },
  {
    mistake: 'a key that was mistyped',
    path: '/teams',
    method: 'GET',
    as: 'nobody',
    headers: { authorization: 'plumb_mistyped' },
    status: 401,
    fix: /header Authorization.*plumb key create/,
  },
  {
    mistake: 'Bearer before the key',
    path: '/teams',
    method: 'GET',
    as: 'nobody',
    headers: { authorization: 'Bearer plumb_abc' },
    status: 401,
    fix: /alone.*without 'Bearer'/,
  },
  {
    mistake: 'the key in X-Api-Key',
    path: '/teams',
    method: 'GET',
    as: 'nobody',
    headers: { 'x-api-key': 'plumb_abc' },
    status: 401,
    fix: /header Authorization/,
  },
  {
    mistake: 'onboarding with the key of an Engineer',
    path: '/users/onboarded-users-by-attributes',
    body: { email_addresses: ['ada@example.com'] },
    as: 'engineer',
    status: 403,
    fix: /role Owner/,
  },
  {
    mistake: 'survey answers with the key of an Engineer',
    path: '/metrics/survey-responses-count',
    body: { filters: since },
    as: 'engineer',
    status: 403,
    fix: /Owner or a Manager/,
  },
  {
    mistake: 'salaries of an organisation that hides them',
    path: '/metrics/salary',
    body: { filters: {}, aggregation: 'AVG' },
    status: 403,
    fix: /salary_visibility=true/,
  },
];

const names: readonly HttpMistake[] = [
  noMetric('cycle_time', /'cycle-time'/),
  noMetric(
    'dora',
    /'lead-time-for-changes'.*'deployment-frequency'.*'time-to-restore'.*'change-failure-rate'.*'deployment-rework-rate'/,
  ),
  noMetric('prs', /'pull-requests-count'/),
  noMetric('deployments', /'deployment-frequency'/),
  noMetric('lead-time', /'lead-time-for-changes'/),
  noMetric('mttr', /'time-to-restore'/),
  noMetric('reviews', /'reviews-count'/),
  noMetric('happiness', /GET \/catalogue/),
  noMetric('benchmark/explain', /explain or draw the metric itself, as in \/metrics\/cycle-time\/explain/),
  noMetric('get-multiple-metrics/explain', /explain or draw each of them by itself, as in \/metrics\/cycle-time/),
  {
    mistake: 'an unknown metric among several',
    path: '/metrics/get-multiple-metrics',
    body: { metrics: ['pull-request-count'], filters: since },
    status: 404,
    fix: /'pull-requests-count'/,
  },
];

const inAddress = (
  mistake: string,
  query: string,
  fix: RegExp,
  path = '/metrics/pull-requests-count',
): HttpMistake => ({
  mistake,
  method: 'GET',
  path: `${path}?${query}`,
  status: 400,
  fix,
});
const addresses: readonly HttpMistake[] = [
  inAddress('agg in an address', 'start_date=2025-01-01&agg=avg', /Did you mean 'aggregation'\?/),
  inAddress('from in an address', 'from=2025-01-01', /Did you mean 'start_date'\?/),
  inAddress('by in an address', 'start_date=2025-01-01&by=team', /Did you mean 'group_by'\?/),
  inAddress('author in an address', 'start_date=2025-01-01&author=ada', /Did you mean 'member'\?/),
  inAddress('a format in an address that was mistyped', 'start_date=2025-01-01&format=cvs', /Did you mean 'csv'\?/),
  inAddress(
    'the aggregation of a metric in an address by the name that it has in a body',
    'metrics=cycle-time&start_date=2025-01-01&aggregations.cycle-time=avg',
    /is written aggregation\.cycle-time=…/,
    '/metrics/get-multiple-metrics',
  ),
  inAddress('metric for a benchmark', 'metric=cycle-time', /'benchmark_metric'/, '/metrics/benchmark'),
  inAddress(
    'a chart as rows',
    'start_date=2025-01-01&format=csv',
    /leave out format/,
    '/metrics/pull-requests-count/chart.svg',
  ),
];

const paths: readonly HttpMistake[] = [
  { mistake: '/metrics alone', method: 'GET', path: '/metrics', status: 404, fix: /'\/metrics\/cycle-time'/ },
  { mistake: 'a metric without its name', method: 'GET', path: '/metrics/', status: 404, fix: /such as cycle-time/ },
  { mistake: '/graphql', path: '/graphql', body: {}, status: 404, fix: /The page \/docs lists what there is/ },
  { mistake: '/metric without s', path: '/metric/cycle-time', body: {}, status: 404, fix: /'\/metrics\/cycle-time'/ },
  {
    mistake: '/api before the path',
    path: '/api/metrics/cycle-time',
    body: {},
    status: 404,
    fix: /'\/metrics\/cycle-time'/,
  },
  { mistake: '/v1 before the path', method: 'GET', path: '/v1/teams', status: 404, fix: /'\/teams'/ },
  {
    mistake: '/users alone',
    method: 'GET',
    path: '/users',
    status: 404,
    fix: /'\/users\/onboarded-users-by-attributes'/,
  },
  { mistake: '/swagger.json', method: 'GET', path: '/swagger.json', status: 404, fix: /'\/openapi.json'/ },
  { mistake: '/health', method: 'GET', path: '/health', status: 404, fix: /'\/readyz'/ },
  {
    mistake: 'PUT where POST is taken',
    method: 'PUT',
    path: '/metrics/cycle-time',
    body: {},
    status: 405,
    fix: /takes .*POST/,
  },
  {
    mistake: 'records for a table that is not there',
    path: '/ingest/prs',
    body: [{}],
    status: 404,
    fix: /pull_requests/,
  },
];

const bodies: readonly HttpMistake[] = [
  {
    mistake: 'single quotes in JSON',
    path: '/metrics/cycle-time',
    body: "{'filters': {}}",
    headers: { 'content-type': 'application/json' },
    status: 400,
    fix: /double quotes/,
  },
  {
    mistake: 'curl -d without a content type',
    path: '/metrics/cycle-time',
    body: '{"filters": {}}',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    fix: /Content-Type: application\/json/,
  },
  {
    mistake: 'an empty body',
    path: '/metrics/cycle-time',
    headers: { 'content-type': 'application/json' },
    status: 400,
    fix: /\/docs/,
  },
  on('cycle-time', 'a list as body', [{ filters: since }], /JSON object such as \{"filters"/),
  on(
    'pull-requests-count',
    'start_date at the top level',
    { start_date: '2025-01-01' },
    /into filters: \{"filters":\{"start_date"/,
  ),
  on(
    'pull-requests-count',
    'a filter at the top level',
    { filters: since, team: ['Payments'] },
    /into filters: \{"filters":\{"team"/,
  ),
  on('pull-requests-count', 'no filters', { group_by: ['team_name'] }, /filters is missing.*\{"start_date"/),
  on('pull-requests-count', 'no start_date', { filters: {} }, /filters.start_date is missing.*2024-01-31/),
  on('pull-requests-count', 'a day as in America', { filters: { start_date: '01/31/2025' } }, /YYYY-MM-DD|2024-01-31/),
  on(
    'pull-requests-count',
    'a window the wrong way round',
    { filters: { start_date: '2025-02-01', end_date: '2025-01-01' } },
    /end_date.*before.*start_date/,
  ),
  on('pull-requests-count', 'camelCase', { filters: since, groupBy: ['team_name'] }, /'group_by'/),
  on('pull-requests-count', 'a text for a list', { filters: since, group_by: 'team_name' }, /\["team_name"\]/),
  on('pull-requests-count', 'grouping by team', { filters: since, group_by: ['team'] }, /'team_name'/),
  on('pull-requests-count', 'grouping by author', { filters: since, group_by: ['author'] }, /'name'/),
  on('pull-requests-count', 'grouping by repo', { filters: since, group_by: ['repo'] }, /'repository'/),
  on('pull-requests-count', 'grouping by week', { filters: since, group_by: ['week'] }, /"date_level": "week"/),
  on('pull-requests-count', 'an unknown level of dates', { filters: since, date_level: 'weekly' }, /'week'/),
  on('cycle-time', 'no aggregation', { filters: since }, /"aggregation": "AVG"|SUM, AVG, MIN or MAX/),
  on('cycle-time', 'p50', { filters: since, aggregation: 'p50' }, /'median'/),
  on('cycle-time', 'mean', { filters: since, aggregation: 'mean' }, /'avg'/),
  on('cycle-time', 'p99', { filters: since, aggregation: 'P99' }, /'p95'/),
  on(
    'pull-requests-count',
    'more rows than there may be',
    { filters: since, limit: 1000 },
    /200.*get-multiple-metrics/,
  ),
  on('pull-requests-count', 'a limit in quotes', { filters: since, limit: '10' }, /whole number.*without quotes/),
  on('pull-requests-count', 'an offset', { filters: since, offset: 200 }, /get-multiple-metrics/),
  on(
    'pull-requests-count',
    'ordering by what is not there',
    { filters: since, order_by: 'count' },
    /can be ordered by: .*pr_count/,
  ),
  on(
    'pull-requests-count',
    'descending in full',
    { filters: since, order_by: 'pr_count', order_direction: 'descending' },
    /'desc'/,
  ),
  on('pull-requests-count', 'a date field in short', { filters: since, date_field: 'merged' }, /'merged_at'/),
  on(
    'pull-requests-count',
    'true in quotes',
    { filters: since, time_series_data: 'true' },
    /true or false.*without quotes/,
  ),
  on('pull-requests-count', 'the filter repos', { filters: { ...since, repos: ['web'] } }, /'repositories'/),
  on('pull-requests-count', 'the filter teams', { filters: { ...since, teams: ['Payments'] } }, /'team'/),
  on('pull-requests-count', 'the filter author', { filters: { ...since, author: ['ada'] } }, /'member'/),
  on('pull-requests-count', 'a state in capitals', { filters: { ...since, pr_states: ['MERGED'] } }, /'merged'/),
  on(
    'issues-count',
    'a filter of another table',
    { filters: { ...since, pr_states: ['merged'] } },
    /Filters of issues-count: .*ticket_status/,
  ),
  on('users-count', 'people over time', { filters: {}, date_level: 'month' }, /Leave it out/),
  on(
    'ai-favourite-model',
    'a chart of texts',
    { filters: since, time_series_data: true },
    /Leave out time_series_data/,
  ),
  on('get-multiple-metrics', 'metrics in one text', { metrics: 'cycle-time', filters: since }, /\["cycle-time"\]/),
  on(
    'get-multiple-metrics',
    'one aggregation for all',
    { metrics: ['cycle-time'], filters: since, aggregation: 'AVG' },
    /'aggregations'/,
  ),
  on(
    'benchmark',
    'a benchmark without its date',
    { benchmark_metric: 'cycle-time', filters: since },
    /date_field.*merged_at/,
  ),
  on(
    'benchmark',
    'the metric of a benchmark under another name',
    { metric: 'cycle-time', date_field: 'merged_at', filters: since },
    /benchmark_metric/,
  ),
  {
    mistake: 'onboarding nobody',
    path: '/users/onboarded-users-by-attributes',
    body: {},
    status: 400,
    fix: /email_addresses.*github_usernames/,
  },
  {
    mistake: 'onboarding under another name of the list',
    path: '/users/onboarded-users-by-attributes',
    body: { emails: ['ada@example.com'] },
    status: 400,
    fix: /email_addresses/,
  },
  {
    mistake: 'a parameter with a value that it does not take',
    path: '/metrics/cycle-time?durations=hours',
    body: { filters: since, aggregation: 'AVG' },
    status: 400,
    fix: /durations=seconds|seconds/,
  },
];

export const httpMistakes: readonly HttpMistake[] = [...keys, ...names, ...addresses, ...paths, ...bodies];
