import fc from 'fast-check';
import { filters, peopleFiltersOf, predicatesOf, type RowFilter } from '../../src/catalogue/filters.ts';
import { groupColumnsOf } from '../../src/catalogue/group-columns.ts';
import { isBenchmarked, type Metric, valueColumnsOf } from '../../src/catalogue/metric.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import { aggregations as allAggregations } from '../../src/expression/expression.ts';
import type { QuestionBody } from '../reference/question.ts';
import type { Seeing } from '../reference/world.ts';
import { awkwardTexts, someDays } from './random-values.ts';
import { assistants, idIn, personIds, repositoryNames, squadIds, teamIds } from './random-world.ts';

export interface AskedRequest {
  readonly seeing: Seeing;
  readonly metric: string;
  readonly body: QuestionBody;
  /** Whether every value is to come with how many rows have it. */
  readonly showsN?: boolean;
}

const levels = ['day', 'week', 'month', 'quarter', 'year', 'WEEK', 'Month'] as const;

/** Everyone who can ask: the whole organisation, a manager of some teams, a squad lead, an engineer. */
export const visibilities: fc.Arbitrary<Seeing> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Seeing>('organisation') },
  {
    weight: 4,
    arbitrary: fc.record({
      self: fc.constantFrom(...personIds, 'nobody'),
      teamIds: fc.subarray([...teamIds], { maxLength: 2 }),
      hasReports: fc.boolean(),
      leadsSquads: fc.boolean(),
    }),
  },
);

const ids = (table: string) => fc.nat({ max: 60 }).map((i) => idIn(table, i));
/** Names and addresses of people in any case; two may share one. */
const namesOfPeople = ['ADA', 'bO', 'Ça', 'CY@Example.org', 'bo@home.example', 'shared@home.example'];
/** Values that are found, and some that are not. */
const filterValues: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  member: fc.constantFrom(...personIds, ...namesOfPeople, 'nobody'),
  team: fc.constantFrom(...teamIds, 'WEB', 'zeta', '😀', 'nothing'),
  squad_ids: fc.constantFrom(...squadIds, 'Squad 0', 'squad 1', 'nothing'),
  squad_levels: fc.integer({ min: 1, max: 4 }),
  manager_ids: fc.constantFrom(...personIds, ...namesOfPeople, 'nobody'),
  manager_email: fc.constantFrom(
    'ADA@example.org',
    'bo@example.org',
    'boss@EXAMPLE.org',
    'x@example.org',
    'Ada@home.example',
    'shared@HOME.example',
  ),
  departments: fc.constantFrom('Product', 'Platform', 'ä', 'product'),
  locations: fc.constantFrom('Graz', 'Łódź', 'graz'),
  levels: fc.constantFrom('L1', 'L2', 'l1'),
  source_types: fc.constantFrom('github', 'jira', 'slack'),
  repositories: fc
    .constantFrom(...repositoryNames, 'WEB', 'api', 'ACME/web', 'sub/web', 'Solo')
    .chain((name) => fc.constantFrom<unknown>(name, { repository_name: name })),
  pr_categories: fc.constantFrom('Feature Work', 'Bug Fixes', 'Gardening'),
  pr_ids: ids('pull_requests'),
  associated_pr_ids: ids('pull_requests'),
  pull_requests_search_term: fc.constantFrom('door', 'DOOR handle', "it's", '%', 'the  a', '\\', 'é', 'work'),
  branches: fc.constantFrom('Main', 'topic', 'other'),
  ticket_status: fc.constantFrom('backlog', 'started', 'completed', 'odd'),
  issue_ids: ids('issues'),
  project_ids: fc.constantFrom('pr-1', 'pr-3'),
  workflow_names: fc.constantFrom('BUILD', 'deploy to production', 'x'),
  workflow_run_ids: ids('workflow_runs'),
  ai_copilot_sources: fc.constantFrom(...assistants, 'other'),
  session_id: ids('posthook_sessions'),
  survey_ids: fc.constantFrom('y1', 'y2', 'y3'),
  survey_template_question_ids: fc.constantFrom('k1', 'k3'),
  survey_response_types: fc.constantFrom('rating', 'text', 'odd'),
};

function filterOf(name: string): fc.Arbitrary<readonly [string, unknown]> {
  const declaration = filters[name];
  const oneOf = declaration?.oneOf;
  const value = oneOf ? fc.constantFrom<unknown>(...oneOf) : (filterValues[name] ?? fc.constantFrom(...awkwardTexts));
  const spelling = fc.constantFrom(name, ...(declaration?.aliases ?? []));
  const values =
    declaration?.form === 'text'
      ? value
      : fc.oneof(
          { weight: 6, arbitrary: fc.array(value, { minLength: 1, maxLength: 3 }) },
          { weight: 2, arbitrary: value },
          // Long lists are asked for in another way.
          { weight: 1, arbitrary: fc.array(value, { minLength: 9, maxLength: 14 }) },
          { weight: 1, arbitrary: fc.constantFrom(null, []) },
        );
  return fc.tuple(spelling, values);
}

const shared = <T>(lists: readonly (readonly T[])[]): T[] =>
  (lists[0] ?? []).filter((item) => lists.every((list) => list.includes(item)));

export const filterNames = (metric: Metric): string[] => [
  ...peopleFiltersOf(metric),
  ...(Object.keys(predicatesOf(metric)) as RowFilter[]),
];

/** Whole months, which are compared with as many before them, and windows that miss them by a day at either end. */
const months = fc
  .tuple(
    fc.constantFrom('2023-10', '2023-11', '2023-12', '2024-01', '2024-02', '2024-03', '2024-04'),
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom(0, 0, 0, 0, 1),
    fc.constantFrom(0, 0, 0, 0, 1, -1),
    fc.constantFrom('', '', '', 'T23:59:59'),
  )
  .map(([month, number, late, early, to]) => {
    const first = new Date(`${month}-01T00:00:00Z`);
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + number, -early));
    first.setUTCDate(1 + late);
    const day = (date: Date) => date.toISOString().slice(0, 10);
    return { start_date: day(first), end_date: `${day(last)}${to}` };
  });

/** Few days or many, some of them as instants, in the clocks of the organisation or in others. */
const spans = fc
  .tuple(
    someDays,
    fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 40 }) },
      { weight: 2, arbitrary: fc.integer({ min: 60, max: 190 }) },
    ),
    fc.constantFrom(
      '',
      '',
      '',
      '',
      'T00:00:00',
      'T09:30',
      'T02:30:00',
      'T23:59:59Z',
      ' 12:00:00+05:30',
      'T01:15:00.5-0400',
    ),
    fc.constantFrom('', '', '', '', 'T23:59:59', 'T18:00', 'T12:00:00Z', 'T02:30:00', 'T23:00:00+1300'),
  )
  .map(([first, days, from, to]) => {
    const last = new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10);
    // Days apart, an end with a clock cannot be before a beginning with one.
    const isTight = days < 2 && (from !== '' || to !== '');
    return { start_date: `${first}${isTight ? '' : from}`, end_date: `${last}${isTight ? '' : to}` };
  });

const windows = fc.oneof({ weight: 3, arbitrary: spans }, { weight: 1, arbitrary: months });

/** What several columns at once are grouped by: people most of all, and now and then the key. */
function groupings(all: readonly Metric[]): fc.Arbitrary<string[]> {
  const names = shared(all.map(({ table }) => [...groupColumnsOf(table).keys()]));
  const ofPeople = names.filter((name) => groupColumnsOf(all[0]?.table as Metric['table']).get(name)?.from !== 'row');
  const keys = all[0]?.table.key.filter((name) => names.includes(name)) ?? [];
  const some = (from: readonly string[], most: number) =>
    fc.subarray([...from], { maxLength: Math.min(most, from.length) });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    { weight: 4, arbitrary: some(ofPeople, 3) },
    { weight: 4, arbitrary: fc.tuple(some(names, 2), some(ofPeople, 1)).map((two) => two.flat()) },
    { weight: 1, arbitrary: some(names, 1).map((name) => [...keys, ...name]) },
  );
}

const leasts = fc.constantFrom(0, 1, 2, 0.5, 10, 5_000, -1);
const aggregations = fc.constantFrom(...allAggregations, 'SUM', 'Avg', 'P95');

function forms(all: readonly Metric[]): fc.Arbitrary<Partial<QuestionBody>> {
  if (all.some(({ dates }) => dates.length === 0)) return fc.constant({});
  const level = fc.option(fc.constantFrom(...levels), { nil: undefined });
  const isText = all.some(({ kind }) => kind === 'text');
  const form = fc.constantFrom<Partial<QuestionBody>>(
    {},
    {},
    {},
    { include_previous_period: true },
    { include_previous_period: true, previous_start_date: '2023-12-29', previous_end_date: '2024-02-10' },
    isText ? { time_series_data: false } : { time_series_data: true, include_previous_period: true },
  );
  return fc.tuple(level, form).map(([date_level, one]) => ({ ...one, ...(date_level ? { date_level } : {}) }));
}

/** One metric, asked in every way that makes sense; with how many rows have the value where that is wanted. */
export function singleRequests(
  metric: Metric,
  showsNs: fc.Arbitrary<boolean> = fc.constant(false),
): fc.Arbitrary<AskedRequest> {
  return fc
    .record({
      seeing: visibilities,
      window: windows,
      filters: fc.array(fc.constantFrom(...filterNames(metric)).chain(filterOf), { maxLength: 2 }),
      group_by: groupings([metric]),
      form: forms([metric]),
      aggregation: aggregations,
      least: fc.option(leasts, { nil: undefined, freq: 2 }),
      date_field: fc.option(fc.constantFrom(...Object.keys(metric.dateNames), 'none'), { nil: undefined, freq: 2 }),
      limit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 2 }),
      orderAt: fc.option(fc.nat(), { nil: undefined }),
      order_direction: fc.constantFrom('ASC', 'desc', undefined),
      showsN: showsNs,
    })
    .map(
      ({
        seeing,
        window,
        filters: some,
        group_by,
        form,
        aggregation,
        least,
        date_field,
        limit,
        orderAt,
        order_direction,
        showsN,
      }) => {
        const isCompared = form.include_previous_period && !form.time_series_data;
        const columns = [
          ...(form.date_level ? [`${form.date_level.toLowerCase()}_date`] : []),
          ...group_by,
          ...valueColumnsOf(metric, aggregation.toLowerCase() as never).map(({ column }) => column),
          ...(showsN ? ['n'] : []),
          ...(isCompared ? ['value', 'previous_value', 'change_percentage'] : []),
        ];
        const body: QuestionBody = {
          filters: { ...window, ...Object.fromEntries(some) },
          group_by,
          ...form,
          ...(metric.kind === 'aggregated' ? { aggregation } : {}),
          ...(least === undefined ? {} : { metric_min_value: least }),
          ...(date_field === undefined || date_field === 'none' ? {} : { date_field }),
          ...(limit === undefined ? {} : { limit }),
          ...(orderAt === undefined ? {} : { order_by: columns[orderAt % columns.length] ?? '' }),
          ...(order_direction === undefined ? {} : { order_direction }),
        };
        return { seeing, metric: metric.name, body, showsN };
      },
    );
}

/** These metrics at once, or as many as may come, asked in every way that makes sense for all of them. */
export function requestsOfSeveral(all: readonly Metric[], maxMetrics = all.length): fc.Arbitrary<AskedRequest> {
  const each = { minLength: maxMetrics, maxLength: maxMetrics };
  return fc
    .record({
      seeing: visibilities,
      window: windows,
      filters: fc.array(fc.constantFrom(...shared(all.map(filterNames))).chain(filterOf), {
        maxLength: 2,
      }),
      group_by: groupings(all),
      form: forms(all),
      chosen: fc.array(aggregations, each),
      leasts: fc.array(fc.option(leasts, { nil: undefined, freq: 2 }), each),
      dateAt: fc.option(fc.nat(), { nil: undefined, freq: 2 }),
      showsN: fc.boolean(),
    })
    .map(({ seeing, window, filters: some, group_by, form, chosen, leasts: least, dateAt, showsN }) => {
      const perMetric = <T>(of: (metric: Metric, i: number) => T | undefined): Record<string, T> =>
        Object.fromEntries(
          all.flatMap((metric, i) => {
            const value = of(metric, i);
            return value === undefined ? [] : [[metric.name, value]];
          }),
        );
      const body: QuestionBody = {
        metrics: all.map(({ name }) => name),
        filters: { ...Object.fromEntries(some), ...window },
        group_by,
        ...form,
        aggregations: perMetric(({ kind }, i) => (kind === 'aggregated' ? chosen[i] : undefined)),
        metric_min_values: perMetric((_, i) => least[i]),
        date_fields: perMetric(({ dateNames }) => {
          const names = Object.keys(dateNames);
          return dateAt === undefined ? undefined : names[dateAt % names.length];
        }),
      };
      return { seeing, metric: 'get-multiple-metrics', body, showsN };
    });
}

/** Several metrics at once, of one table more often than not. */
export const multipleRequests: fc.Arbitrary<AskedRequest> = fc
  .tuple(fc.constantFrom(...metrics.values()), fc.boolean())
  .chain(([first, isAlike]) => {
    const others = [...metrics.values()].filter(({ table }) => !isAlike || table === first.table);
    return fc.array(fc.constantFrom(...others), { maxLength: 3 }).map((more) => [first, ...more]);
  })
  // One that is always grouped makes all of them so, and not every table has its column.
  .filter((all) =>
    all.every(({ table }) => all.every(({ alwaysBy }) => alwaysBy.every((name) => groupColumnsOf(table).has(name)))),
  )
  .chain((all) => requestsOfSeveral(all, 4));

/** By an interval of the rows, over years: what shows how intervals are written. */
export const intervalRequests: fc.Arbitrary<AskedRequest> = singleRequests(
  metrics.get('pull-requests-count') as Metric,
).map(({ seeing, metric, body: { date_level = 'year', limit } }) => ({
  seeing,
  metric,
  body: {
    filters: { start_date: '2020-01-01', end_date: '2026-12-31' },
    group_by: ['cycle_time'],
    date_level,
    ...(limit === undefined ? {} : { limit }),
  },
}));

/** A metric beside those of other organisations. */
export const benchmarkRequests: fc.Arbitrary<AskedRequest> = fc
  .constantFrom(...[...metrics.values()].filter(isBenchmarked))
  .chain((metric) =>
    fc.record({
      metric: fc.constant(metric),
      seeing: visibilities,
      window: windows,
      filters: fc.array(fc.constantFrom(...filterNames(metric)).chain(filterOf), { maxLength: 2 }),
      date_field: fc.constantFrom(...Object.keys(metric.dateNames)),
      showsN: fc.boolean(),
    }),
  )
  .map(({ metric, seeing, window, filters: some, date_field, showsN }) => ({
    seeing,
    metric: 'benchmark',
    body: { benchmark_metric: metric.name, date_field, filters: { ...Object.fromEntries(some), ...window } },
    showsN,
  }));

/** Weeks in which there are rows, and some in which there are none yet, beside which any others are more. */
const comparedWeeks = fc
  .tuple(
    fc.integer({ min: 0, max: 130 }),
    fc.integer({ min: 14, max: 60 }),
    fc.constantFrom({}, {}, { previous_start_date: '2023-12-01', previous_end_date: '2024-01-31' }),
  )
  .map(([first, days, before]) => {
    const dayAfter = (number: number) => new Date(Date.UTC(2023, 8, 25 + number)).toISOString().slice(0, 10);
    return { filters: { start_date: dayAfter(first), end_date: dayAfter(first + days) }, ...before };
  });

/** What may be said of changes: in any question that compares, and often in one so plain that there is something to say. */
export const judgedRequests: fc.Arbitrary<AskedRequest> = fc
  .constantFrom(...[...metrics.values()].filter(({ dates }) => dates.length > 0))
  .chain((metric) => fc.tuple(singleRequests(metric), comparedWeeks, fc.constantFrom(true, true, true, false)))
  .map(([{ seeing, metric, body }, weeks, isPlain]): AskedRequest => {
    const { time_series_data: _form, ...compared } = { ...body, include_previous_period: true };
    if (!isPlain) return { seeing, metric, body: compared };
    const { aggregation, date_field } = compared;
    const plain = { ...(aggregation ? { aggregation } : {}), ...(date_field ? { date_field } : {}) };
    return { seeing: 'organisation', metric, body: { ...plain, ...weeks, include_previous_period: true } };
  });

/** The periods of a window. */
export const dateRequests: fc.Arbitrary<AskedRequest> = fc
  .tuple(windows, fc.option(fc.constantFrom(...levels), { nil: undefined }))
  .map(([window, date_level]) => ({
    seeing: 'organisation',
    metric: 'date-details',
    body: { filters: window, ...(date_level ? { date_level } : {}) },
  }));
