import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Principal } from '../../src/access/principal.ts';
import { peopleCopy, teamMembersCopy, teamsCopy } from '../../src/catalogue/directory-copies.ts';
import { deployments } from '../../src/catalogue/tables/deployments.ts';
import { workflowRuns } from '../../src/catalogue/tables/workflow-runs.ts';
import { cellIn } from '../../src/query/answer-columns.ts';
import { Metrics } from '../../src/query/answer-metric.ts';
import { alwaysPublished } from '../setup/metrics-over.ts';
import { rowOf, type SomeWarehouse, someWarehouse } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

const at = Date.UTC(2024, 2, 5) / 1_000;
const filters = { start_date: '2024-03-01', end_date: '2024-03-31' };
const organisationId = randomUUID();
let place: SomeWarehouse;
let metrics: Metrics;

/** Ann is onboarded and Bob is not, both in one team; Eve is in none. */
beforeAll(async () => {
  place = await someWarehouse();
  await place.warehouse.change(organisationId, async (session) => {
    const person = (id: string, onboarded: boolean) =>
      rowOf(peopleCopy, { merged_user_id: id, name: id, onboarded, onboarded_by_name: false, is_bot: false });
    await putRows(session, peopleCopy, [
      person('ann', true),
      person('bob', false),
      person('eve', true),
      person('lead', true),
    ]);
    await putRows(session, teamsCopy, [rowOf(teamsCopy, { team_id: 't', team_name: 'Core' })]);
    await putRows(
      session,
      teamMembersCopy,
      ['ann', 'bob'].map((merged_user_id) => rowOf(teamMembersCopy, { team_id: 't', merged_user_id })),
    );
    const who = ['ann', 'bob', 'eve', null];
    await putRows(
      session,
      workflowRuns,
      who.map((merged_user_id, i) =>
        rowOf(workflowRuns, {
          workflow_run_id: `w${i}`,
          merged_user_id,
          run_created_at: at,
          run_conclusion: 'success',
        }),
      ),
    );
    await putRows(
      session,
      deployments,
      who.map((merged_user_id, i) =>
        rowOf(deployments, {
          deployment_id: `d${i}`,
          merged_user_id,
          deployed_at: at,
          status: 'success',
          is_production: true,
          origin: 'stated',
        }),
      ),
    );
  });
  metrics = new Metrics({
    tables: place.warehouse,
    directory: alwaysPublished,
    benchmarks: { organisations: async () => [] },
    now: () => new Date('2024-04-15T00:00:00Z'),
  });
});
afterAll(() => place.close());

const manager: Principal = {
  organisationId,
  keyId: 'key',
  personId: 'lead',
  role: 'Manager',
  permissions: [],
  visibility: { self: 'lead', teamIds: ['t'], hasReports: false, leadsSquads: false },
  timeZone: 'UTC',
  salaryVisibility: false,
};

const rows = async (metric: string, more: object = {}) => {
  const { answer } = await metrics.single(manager, metric, { filters, ...more });
  if (answer.form !== 'rows') return [];
  const { columns, rows: found } = answer;
  return found.map((row) => columns.flatMap((column) => ('always' in column ? [] : [cellIn(column, row)])));
};

test('Runs of somebody who is seen and not onboarded are seen, as their deployments are', async () => {
  expect(await rows('workflow-runs-count')).toEqual([[2]]);
  expect(await rows('deployment-frequency')).toEqual([[2]]);
  for (const metric of ['workflow-runs-count', 'deployment-frequency']) {
    // Under no name, and found by no people filter.
    expect(await rows(metric, { group_by: ['name'] })).toEqual([
      ['ann', 1],
      [null, 1],
    ]);
    expect(await rows(metric, { group_by: ['team_name'] })).toEqual([
      ['Core', 1],
      [null, 1],
    ]);
    expect(await rows(metric, { filters: { ...filters, team: ['t'] } })).toEqual([[1]]);
    expect(await rows(metric, { filters: { ...filters, member: ['bob'] } })).toEqual([[0]]);
  }
});
