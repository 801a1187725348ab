import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  maxListedDays,
  unrestoredFailures,
  type WaitingRecords,
  type WaitingStep,
  waitingPullRequests,
  waitingSteps,
} from '../../src/attention/waiting.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import type { Row } from '../../src/catalogue/table.ts';
import { readFilters } from '../../src/query/reading/read-filters.ts';
import { principalOf, putWorld } from '../query/asked-world.ts';
import { singleRequests, visibilities } from '../query/random-request.ts';
import { seed, seededWorld } from '../query/seeded-worlds.ts';
import { rowsAsked } from '../reference/metric-groups.ts';
import { questionOf } from '../reference/question.ts';
import { viewOf } from '../reference/visibility.ts';
import type { Seeing, World } from '../reference/world.ts';
import { times } from '../setup/how-long.ts';
import { fewRows, type SomeWarehouse, someWarehouse } from '../warehouse/some-warehouse.ts';

const { world: anyWorld, name } = seededWorld(61);
/** A few more pull requests without a review, and failures that last, than there are at random. */
const world: World = {
  ...anyWorld,
  facts: {
    ...anyWorld.facts,
    pull_requests: anyWorld.facts.pull_requests.map((row, i) =>
      i % 3 === 0 ? { ...row, pr_state: 'open', first_review_at: null, reviews_count: i % 2 === 0 ? 0 : null } : row,
    ),
    deployments: anyWorld.facts.deployments.map((row, i) =>
      i % 3 === 0 ? { ...row, status: 'success', is_remediation: false, restored_at: null } : row,
    ),
  },
};
const now = world.now.getTime() / 1_000;
const counted = metrics.get('pull-requests-count');
if (!counted) throw new Error('pull requests can be counted');

let some: SomeWarehouse;
let organisationId: string;
beforeAll(async () => {
  some = await someWarehouse(fewRows);
  ({ organisationId } = await putWorld(some.warehouse, world));
});
afterAll(() => some.close());

interface Case {
  readonly seeing: Seeing;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly hours: number;
  readonly maxRows: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  seeing: visibilities,
  filters: fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    {
      weight: 3,
      arbitrary: singleRequests(counted).map(({ body }) => {
        const { start_date: _, end_date: __, ...others } = body.filters ?? {};
        return others;
      }),
    },
  ),
  hours: fc.constantFrom(0, 48, 1_000),
  maxRows: fc.constantFrom(3, 200),
});

/** The rows that a caller sees and asks for, by the evaluator that knows nothing of queries. */
function rowsOf(metric: string, { seeing, filters }: Case): Row[] {
  const question = questionOf(world, metric, { filters: { ...filters, start_date: '2024-01-01' } });
  const [asked] = question.asked;
  if (!asked) throw new Error('one metric is asked');
  const evaluation = { view: viewOf(world, seeing), question, window: undefined, level: undefined };
  return rowsAsked(evaluation, { ...asked, dateColumn: undefined }).rows.map(({ row }) => row);
}

const isWaiting: Readonly<Record<WaitingStep, (row: Row) => boolean>> = {
  review: (row) => row.pr_state === 'open' && row.first_review_at === null && !(Number(row.reviews_count) > 0),
  merge: (row) => row.pr_state === 'open',
  deploy: (row) => row.deployment_attribution_status === 'awaiting_deploy',
};
const sinceColumn: Readonly<Record<WaitingStep, string>> = {
  review: 'opened_at',
  merge: 'approved_at',
  deploy: 'pr_merged_at',
};

function expectedOf(rows: readonly Row[], since: string, id: string, { hours, maxRows }: Case) {
  const waits = rows
    .flatMap((row) => (typeof row[since] === 'number' ? [{ id: String(row[id]), since: Number(row[since]) }] : []))
    .filter((row) => row.since < now - hours * 3_600)
    .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
  const listed = waits.filter((row) => row.since >= now - maxListedDays * 86_400);
  return {
    count: waits.length,
    olderCount: waits.length - listed.length,
    longestSince: waits[0]?.since ?? null,
    records: listed.slice(0, maxRows),
  };
}

const plainRecords = (records: WaitingRecords['records'], id: string) =>
  records.map(({ since, columns }) => ({ id: String(columns[id]), since }));

test(`What waits is what a plain look at the visible rows finds, in ${name}`, async () => {
  const seen = { review: 0, merge: 0, deploy: 0, failures: 0, older: 0 };
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const { seeing, filters, hours, maxRows } = one;
      const principal = principalOf(organisationId, seeing, world.timeZone);
      const asked = { principal, filters: readFilters(filters, [counted]), now, hours, maxRows };
      await some.warehouse.ask(organisationId, async (session) => {
        for (const step of waitingSteps) {
          const found = await waitingPullRequests(session, step, asked);
          const rows = rowsOf('pull-requests-count', one).filter(
            (row) => row.is_draft !== true && row.is_bot !== true && isWaiting[step](row),
          );
          const expected = expectedOf(rows, sinceColumn[step], 'pr_id', one);
          expect({ ...found, records: plainRecords(found.records, 'pr_id') }).toEqual(expected);
          seen[step] += found.count;
          seen.older += found.olderCount;
        }
        // Of the filters of pull requests, deployments follow those that they have.
        const ofDeployments = Object.fromEntries(
          Object.entries(filters).filter(([filter]) => isFilterOfDeployments(filter)),
        );
        const failures = await unrestoredFailures(session, asked);
        const failed = rowsOf('change-failure-rate', { ...one, filters: ofDeployments }).filter(
          (row) =>
            row.is_production === true &&
            ['success', 'failure'].includes(String(row.status)) &&
            row.is_remediation !== true &&
            row.failure_reason !== null &&
            row.restored_at === null,
        );
        const { count, olderCount, records } = expectedOf(failed, 'failure_detected_at', 'deployment_id', {
          ...one,
          hours: 0,
        });
        expect({ ...failures, records: plainRecords(failures.records, 'deployment_id') }).toEqual({
          count: count - olderCount,
          records,
        });
        seen.failures += failures.count;
      });
    }),
    { seed, numRuns: times(25, 2_000) },
  );
  // Otherwise nothing was tried.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
}, 60_000);

const isFilterOfDeployments = (filter: string): boolean => {
  const metric = metrics.get('change-failure-rate');
  try {
    readFilters({ [filter]: [] }, metric ? [metric] : []);
    return true;
  } catch {
    return false;
  }
};
