import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { predicatesOf } from '../../../src/catalogue/filters.ts';
import type { Row } from '../../../src/catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../../src/catalogue/tables/all-tables.ts';
import type { QuestionBody } from '../../reference/question.ts';
import { contentsSeen, type View, viewOf } from '../../reference/visibility.ts';
import type { Seeing, World } from '../../reference/world.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { fewRows, type SomeWarehouse, someWarehouse } from '../../warehouse/some-warehouse.ts';
import { type AskedWorld, putWorld } from '../asked-world.ts';
import { type AskedRequest, multipleRequests, requestsOfSeveral, singleRequests } from '../random-request.ts';
import { firstDay, lastDay } from '../random-values.ts';
import { personIds, rowsIn, teamIds } from '../random-world.ts';
import { allMetrics, seed, seededWorld, seedOf } from '../seeded-worlds.ts';

const { world, name } = seededWorld(2);

/** A person of each role that does not see everyone; nobody of them sees all nine people. */
const viewers: readonly { readonly role: string; readonly seeing: Exclude<Seeing, 'organisation'> }[] = [
  { role: 'an engineer', seeing: { self: 'bo', teamIds: [], hasReports: false, leadsSquads: false } },
  { role: 'a squad lead', seeing: { self: leadIn(world), teamIds: [], hasReports: false, leadsSquads: true } },
  {
    role: 'a manager of a team',
    seeing: { self: 'cy', teamIds: [teamIds[1]], hasReports: true, leadsSquads: false },
  },
];

/** Questions that would find something out about others if nobody stood in the way. */
const peeking = [
  ...lookingThrough(),
  ...['deployment-frequency', 'releases-count'].flatMap((metric) =>
    [['pull_requests'], ['prs_included'], ['name', 'team_names'], ['repository']].map((group_by) => ({
      metric,
      body: { filters: { start_date: firstDay, end_date: lastDay }, group_by },
    })),
  ),
  {
    metric: 'prs-per-deployment',
    body: { filters: { start_date: firstDay, end_date: lastDay }, aggregation: 'SUM' },
  },
];

/** By what is known from another table: a review at that hour, a word in the pull request that a comment stands at. */
function lookingThrough(): { readonly metric: string; readonly body: QuestionBody }[] {
  const values = {
    review_hour_of_day: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    review_rounds_bucket: ['0', '1'],
    pull_requests_search_term: 'door',
    ticket_status: ['completed', 'backlog'],
  };
  const counted = ['pull-requests-count', 'reviews-count', 'comments-count', 'commits-count', 'issue-comments-count'];
  return allMetrics
    .filter(({ name }) => counted.includes(name))
    .flatMap((metric) => {
      const predicates = predicatesOf(metric);
      const names = (Object.keys(values) as (keyof typeof values)[]).filter((filter) => predicates[filter]);
      return names.map((filter) => ({
        metric: metric.name,
        body: {
          filters: { start_date: firstDay, end_date: lastDay, [filter]: values[filter] },
          group_by: [...metric.table.key],
        },
      }));
    });
}

/** One for all of them: a world takes longer to be written than to be asked. */
let some: SomeWarehouse;
let before: AskedWorld;
/** As it is when what the viewer does not see is changed, in the order of the viewers. */
const after: AskedWorld[] = [];
beforeAll(async () => {
  some = await someWarehouse(fewRows);
  before = await putWorld(some.warehouse, world);
  for (const { seeing } of viewers) after.push(await putWorld(some.warehouse, withOthersChanged(world, seeing)));
});
afterAll(() => some.close());

describe.each(viewers.map((viewer, nth) => ({ ...viewer, nth })))(
  `what $role gets does not change when rows of others do, in ${name}`,
  ({ seeing, nth }) => {
    const askBoth = (metric: string, body: QuestionBody) =>
      Promise.all([before, after[nth]].map((one) => one?.ask(seeing, metric, body)));

    const wholeTime = { start_date: firstDay, end_date: lastDay };
    const isTheSame = (requests: fc.Arbitrary<AskedRequest>, numRuns: number, from = seed) =>
      fc.assert(
        fc.asyncProperty(requests, fc.boolean(), async ({ metric, body }, isWhole) => {
          const wanted = isWhole ? { ...body, filters: { ...body.filters, ...wholeTime } } : body;
          const [then, now] = await askBoth(metric, wanted);
          expect(now).toEqual(then);
        }),
        { seed: from, numRuns },
      );

    // Outside the long run each of these is asked by one of them, and the next by another: every metric together with others
    // of its table, and every fourth alone.
    const asked = allMetrics.filter((_, at) => isLong || at % (4 * viewers.length) === nth);
    const tables = [...new Set(allMetrics.map(({ table }) => table))];
    const together = tables.filter((_, at) => isLong || at % viewers.length === nth);
    test.concurrent.each(together.map(({ name }) => name))(
      'Rows of others do not change answers of all metrics of %s at once',
      (table) => {
        const all = allMetrics.filter((metric) => metric.table.name === table);
        return isTheSame(requestsOfSeveral(all), times(2, 60), seed + nth);
      },
    );
    test.concurrent.each(asked.map((metric) => ({ metric, name: metric.name })))(
      'Rows of others do not change answers of $name',
      ({ metric }) => isTheSame(singleRequests(metric), times(1, 40), seedOf(metric)),
    );
    const looking = peeking.filter((_, at) => isLong || at % viewers.length === nth);
    test.concurrent.each(looking.map((request) => ({ ...request, asked: JSON.stringify(request.body).slice(0, 80) })))(
      'of $metric, asked to look at what others did: $asked',
      async ({ metric, body }) => {
        const [then, now] = await askBoth(metric, body);
        expect(now).toEqual(then);
      },
    );
    test.concurrent('Rows of others do not change answers of several metrics', () =>
      isTheSame(multipleRequests, times(2, 600), seed + nth));
  },
);

test('What is changed is seen by those who see everyone, so that the others had something not to see', async () => {
  const changed: string[] = [];
  // Outside the long run, what the first viewer asked.
  const asked = allMetrics.filter(({ dates }, at) => dates.length > 0 && (isLong || at % viewers.length === 0));
  for (const metric of asked) {
    const body = {
      filters: { start_date: firstDay, end_date: lastDay },
      aggregation: 'avg',
      date_level: 'month',
    };
    const own = metric.kind === 'aggregated' ? body : { ...body, aggregation: 'sum' };
    const [then, now] = await Promise.all([before, after[0]].map((one) => one?.ask('organisation', metric.name, own)));
    if (then?.text !== now?.text) changed.push(metric.name);
  }
  expect(asked.filter(({ name }) => !changed.includes(name)).length).toBeLessThan(3);
});

function leadIn({ squads }: World): string {
  return squads.find(({ lead_id }) => lead_id !== null)?.lead_id ?? 'ada';
}

/** Every row that the viewer does not see is another one, and there are more of them. */
function withOthersChanged(of: World, seeing: Seeing): World {
  const view = viewOf(of, seeing);
  const facts = factTableNames.map((table) => {
    const rows = of.facts[table];
    const [fresh = []] = fc.sample(rowsIn(table, 60), { seed: seed + 99, numRuns: 1 });
    const seen = rows.filter((row) => isTheViewers(view, table, row));
    const others = rows.filter((row) => !seen.includes(row));
    const changed = others.map((row, i) => ({ ...(fresh[i % fresh.length] ?? row), ...keyOf(table, row) }));
    const added = fresh.map((row, i) => ({ ...row, ...keyOf(table, row), ...newKey(table, row, i) }));
    return [
      table,
      [
        ...seen.map((row) => rederived(table, row)),
        ...[...changed, ...added].map((row, i) => ofSomebodyElse(view, table, row, i)),
      ],
    ] as const;
  });
  return { ...of, facts: Object.fromEntries(facts) as unknown as World['facts'] };
}

/** How many pull requests a deployment brought changes with those of others. */
function rederived(table: FactTable, row: Row): Row {
  const isCarrier = table === 'deployments' || table === 'release_details';
  return isCarrier && row.prs_included !== null ? { ...row, prs_included: Number(row.prs_included) + 7 } : row;
}

/** Whether a row is of somebody whom the viewer sees, or brings along a pull request of such a person. */
function isTheViewers(view: View, table: FactTable, row: Row): boolean {
  if (view.visible?.has(String(row.merged_user_id))) return true;
  return (table === 'deployments' || table === 'release_details') && contentsSeen(view, row).length > 0;
}

const keyColumns = (table: FactTable): readonly string[] => factTables[table].key;
const keyOf = (table: FactTable, row: Row): Row =>
  Object.fromEntries(keyColumns(table).map((column) => [column, row[column] ?? null]));

/** One that no row has, in the column that tells rows apart. */
function newKey(table: FactTable, row: Row, i: number): Row {
  const different = table === 'ai_copilot' ? 'named_as' : keyColumns(table).at(-1);
  return different === undefined ? row : { [different]: `new-${i}` };
}

/** Somebody whom the viewer does not see, or nobody. What could belong to a pull request of theirs does not. */
function ofSomebodyElse({ visible }: View, table: FactTable, row: Row, i: number): Row {
  const others = [...personIds.filter((id) => !visible?.has(id)), null];
  const other = { ...row, merged_user_id: others[i % others.length] ?? null };
  return table === 'release_details' ? { ...other, repository_key: 'somewhere/else' } : other;
}
