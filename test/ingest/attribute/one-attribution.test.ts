import { beforeEach, describe, expect, test } from 'vitest';
import { deployments } from '../../../src/catalogue/tables/deployments.ts';
import { pullRequestReviews } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { Ingest } from '../../../src/ingest/ingest.ts';
import type { TableRecords } from '../../../src/ingest/read/record-changes.ts';
import type { TableWriter } from '../../../src/warehouse/intake-port.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';

/** Notes which repositories are read to be attributed, each time that they are. */
function watched(warehouse: Warehouse, attributed: string[]): Warehouse {
  const watching = (session: TableWriter): TableWriter =>
    new Proxy(session, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const [table, columns, where] = args as [unknown, readonly string[], { column?: string; in?: string[] }?];
          const isWhole = name === 'select' && table === pullRequests && where?.column === 'repository_key';
          if (isWhole && columns.includes('deployment_attribution_status')) attributed.push(...(where?.in ?? []));
          return value.apply(target, args);
        };
      },
    });
  return new Proxy(warehouse, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'change') return value.bind(target);
      return (id: string, work: (session: TableWriter) => Promise<unknown>, options: object) =>
        target.change(id, (session) => work(watching(session)), options);
    },
  });
}

const records = (table: TableRecords['table'], ...values: readonly object[]): TableRecords => ({
  table,
  lines: values.map((value, i) => ({ line: i + 1, value })),
});

const merged = (id: string, day: number) => ({
  pr_id: id,
  repository: 'acme/web',
  base_branch: 'main',
  person_login: 'ada',
  source: 'github',
  pr_state: 'merged',
  pr_created_at: `2024-03-0${day}T08:00:00Z`,
  pr_merged_at: `2024-03-0${day}T09:00:00Z`,
});
const deployed = (id: string, day: number, more: object = {}) => ({
  deployment_id: id,
  repository: 'acme/web',
  deployed_at: `2024-03-0${day}T12:00:00Z`,
  status: 'success',
  ...more,
});

const parts = [
  records('pull_requests', merged('one', 2), merged('two', 4)),
  records('deployments', deployed('first', 1), deployed('second', 3)),
  records('pull_requests', { ...merged('elsewhere', 4), repository: 'acme/api' }, merged('three', 5)),
  records('deployments', deployed('third', 6, { pr_ids: ['elsewhere', 'three'] }), deployed('fourth', 7)),
  records('incidents', { incident_id: 'i', service: 'web', opened_at: '2024-03-07T13:00:00Z' }),
];

describe('the deployments of a repository', () => {
  const anOrganisation = recordsOrganisations();
  let app: RecordsOrganisation;
  let ingest: Ingest;
  let attributed: string[];
  beforeEach(async () => {
    app = await anOrganisation();
    attributed = [];
    ingest = new Ingest(app.app.store, watched(app.app.warehouse, attributed));
  });

  const derived = async () => ({
    pullRequests: (await app.select(pullRequests, ['pr_id', 'deployment_id', 'deployment_attribution_status'])).sort(
      (a, b) => String(a.pr_id).localeCompare(String(b.pr_id)),
    ),
    deployments: (await app.select(deployments, ['deployment_id', 'prs_included', 'failure_reason'])).sort((a, b) =>
      String(a.deployment_id).localeCompare(String(b.deployment_id)),
    ),
  });

  test('The deployments of a repository are worked out once where a change has many parts', async () => {
    const { organisationId } = app.context;
    await ingest.putStrictly(
      organisationId,
      (async function* () {
        yield* parts;
      })(),
    );
    expect(attributed.sort()).toEqual(['acme/api', 'acme/web']);
    expect(await derived()).toEqual({
      pullRequests: [
        { pr_id: 'elsewhere', deployment_id: 'third', deployment_attribution_status: 'deployed' },
        { pr_id: 'one', deployment_id: 'second', deployment_attribution_status: 'deployed' },
        { pr_id: 'three', deployment_id: 'third', deployment_attribution_status: 'deployed' },
        { pr_id: 'two', deployment_id: 'fourth', deployment_attribution_status: 'deployed' },
      ],
      deployments: [
        { deployment_id: 'first', prs_included: 0, failure_reason: null },
        { deployment_id: 'fourth', prs_included: 1, failure_reason: 'incident' },
        { deployment_id: 'merge:elsewhere', prs_included: 0, failure_reason: null },
        { deployment_id: 'second', prs_included: 1, failure_reason: null },
        { deployment_id: 'third', prs_included: 2, failure_reason: null },
      ],
    });
  });

  describe('where a change is taken in by portions of two records', () => {
    const badDay = { pr_id: 'four', pr_merged_at: 'yesterday' };
    const badId = { deployment_id: '' };
    const all = [...parts, records('pull_requests', badDay, merged('five', 8), { ...badDay, pr_id: 'six' })];
    beforeEach(() => {
      ingest = new Ingest(app.app.store, watched(app.app.warehouse, attributed), { portionRows: 2 });
    });

    test('The deployments of a repository where a change is taken in by portions of two records are worked out once, and each bad record is reported where it stands', async () => {
      const outcomes = await ingest.put(app.context.organisationId, [...all, records('deployments', badId)]);
      expect(outcomes.map(({ accepted, rejected }) => [accepted, rejected.map(({ line }) => line)])).toEqual([
        [2, []],
        [2, []],
        [2, []],
        [2, []],
        [1, []],
        [1, [1, 3]],
        [0, [1]],
      ]);
      expect(attributed.sort()).toEqual(['acme/api', 'acme/web']);
      const inPortions = await derived();
      app = await anOrganisation();
      await app.app.ingest.put(app.context.organisationId, all);
      expect(inPortions).toEqual(await derived());
    });

    test('The deployments of a repository where a change is taken in by portions of two records stay as they were where one record of any portion is bad and all or none is to be kept', async () => {
      const outcomes = await ingest.put(app.context.organisationId, all, { strict: true });
      expect(outcomes.map(({ accepted }) => accepted)).toEqual(all.map(() => 0));
      expect(outcomes.at(-1)?.rejected.map(({ line }) => line)).toEqual([1, 3]);
      expect(await derived()).toEqual({ pullRequests: [], deployments: [] });
    });

    test('The deployments of a repository where a change is taken in by portions of two records keep every record of a set that came whole', async () => {
      const review = (n: number) => ({ pr_review_id: `v${n}`, pr_id: 'one', reviewed_at: `2024-03-02T08:3${n}:00Z` });
      const set = { ...records('pull_request_reviews', review(1), review(2), review(3)), wholeSetsOf: ['one'] };
      await ingest.put(app.context.organisationId, [records('pull_requests', merged('one', 2)), set]);
      expect(await app.select(pullRequestReviews, ['pr_review_id'])).toHaveLength(3);
    });
  });

  test('The deployments of a repository are worked out once where everything is derived again', async () => {
    for (const part of parts) await ingest.put(app.context.organisationId, [part]);
    const before = await derived();
    attributed.length = 0;
    await ingest.rederive(app.context.organisationId);
    expect(attributed.sort()).toEqual(['acme/api', 'acme/web']);
    expect(await derived()).toEqual(before);
  });

  test('The deployments of a repository are left alone by runs that deploy nothing and by reviews', async () => {
    const { organisationId } = app.context;
    for (const part of parts) await ingest.put(organisationId, [part]);
    attributed.length = 0;
    const run = { workflow_run_id: 'r', repository: 'acme/web', workflow_name: 'tests', run_conclusion: 'success' };
    await ingest.put(organisationId, [records('workflow_runs', run)]);
    await ingest.put(organisationId, [
      records('pull_request_reviews', { pr_review_id: 'v', pr_id: 'one', reviewed_at: '2024-03-02T08:30:00Z' }),
    ]);
    expect(attributed).toEqual([]);
  });
});
