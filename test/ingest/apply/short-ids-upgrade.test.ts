import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Row, Table } from '../../../src/catalogue/table.ts';
import { deployments } from '../../../src/catalogue/tables/deployments.ts';
import { issueComments, issues } from '../../../src/catalogue/tables/issues.ts';
import {
  pullRequestCommits,
  pullRequestEvents,
  pullRequestReviews,
} from '../../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { workflowRuns } from '../../../src/catalogue/tables/workflow-runs.ts';
import { EarlierNames } from '../../../src/directory/earlier-names.ts';
import { rewriteShortIds } from '../../../src/ingest/rederive.ts';
import { BufferedSession } from '../../../src/ingest/write/buffered-session.ts';
import type { TableWriter } from '../../../src/warehouse/intake-port.ts';
import { derivationRules } from '../../../src/warehouse/schema.ts';
import { clickhouseAvailable } from '../../setup/clickhouse.ts';
import { someClickHouse } from '../../warehouse/clickhouse/some-clickhouse.ts';
import { rowOf, someWarehouse } from '../../warehouse/some-warehouse.ts';
import { putRows } from '../../warehouse/table-writes.ts';
import { recordsApp } from '../records-app.ts';

const at = Date.parse('2024-03-04T10:00:00Z') / 1_000;
const web = { repository: 'acme/web', repository_key: 'acme/web', pr_number: 7, pr_created_at: at, pr_merged_at: at };
const lib = { ...web, repository: 'acme/lib', repository_key: 'acme/lib', pr_number: 1, source: 'gitlab' };

/** Rows as an earlier version stored them. */
const storedBefore: readonly (readonly [Table, readonly Row[]])[] = [
  [
    pullRequests,
    [
      { pr_id: 'acme/web#7', pr_title: 'Short', source: 'github', ...web },
      { pr_id: 'github:acme/web#7', pr_title: 'Full', source: 'github', ...web },
      { pr_id: 'acme/lib#1', pr_title: 'Alone', ...lib },
      { pr_id: 'opaque', pr_title: 'Other' },
    ],
  ],
  [
    pullRequestReviews,
    [
      { pr_review_id: 'r1', pr_id: 'acme/web#7' },
      { pr_review_id: 'r2', pr_id: 'github:acme/web#7' },
      { pr_review_id: 'r3', pr_id: 'acme/lib#1', reviewed_at: at },
    ],
  ],
  [pullRequestCommits, [{ commit_id: 'acme/web#7:abc', pr_id: 'acme/web#7', sha: 'abc' }]],
  [
    pullRequestEvents,
    [
      { pr_id: 'acme/web#7', event_type: 'merged', event_at: at, event_url: '', details: '{"from":"short"}' },
      { pr_id: 'github:acme/web#7', event_type: 'merged', event_at: at, event_url: '', details: '{"from":"full"}' },
      { pr_id: 'acme/web#7', event_type: 'labeled', event_at: at, event_url: '' },
    ],
  ],
  [issues, [{ issue_id: 'acme/web#3', created_at: at }]],
  [issueComments, [{ issue_comment_id: 'c1', issue_id: 'acme/web#3' }]],
  [workflowRuns, [{ workflow_run_id: 'w1', source: 'github', associated_pr_ids: '["acme/web#7"]' }]],
  [
    deployments,
    [
      {
        deployment_id: 'd1',
        origin: 'stated',
        repository: 'acme/web',
        repository_key: 'acme/web',
        deployed_at: at + 60,
        status: 'success',
        pr_ids: '["acme/web#7","acme/lib#1"]',
      },
    ],
  ],
];

const ids = async (reader: Pick<TableWriter, 'select'>, table: Table, ...columns: readonly string[]) => {
  const rows = (await reader.select(table, columns as never[])) as unknown as Row[];
  return rows.map((row) => columns.map((column) => row[column]).join(' ')).sort();
};

const store = async (writer: TableWriter): Promise<void> => {
  for (const [table, rows] of storedBefore) {
    await putRows(writer, table, rows.map((row) => rowOf(table, row)) as never);
  }
};

/** The ids after the upgrade. */
async function expectWrittenOut(reader: Pick<TableWriter, 'select'>): Promise<void> {
  expect(await ids(reader, pullRequests, 'pr_id', 'pr_title', 'source')).toEqual([
    'github:acme/web#7 Full github',
    'gitlab:acme/lib#1 Alone gitlab',
    'opaque Other ',
  ]);
  expect(await ids(reader, pullRequestReviews, 'pr_review_id', 'pr_id')).toEqual([
    'r1 github:acme/web#7',
    'r2 github:acme/web#7',
    'r3 gitlab:acme/lib#1',
  ]);
  expect(await ids(reader, pullRequestCommits, 'commit_id', 'pr_id')).toEqual(['acme/web#7:abc github:acme/web#7']);
  expect(await ids(reader, pullRequestEvents, 'pr_id', 'event_type', 'details')).toEqual([
    'github:acme/web#7 labeled ',
    'github:acme/web#7 merged {"from":"full"}',
  ]);
  expect(await ids(reader, issues, 'issue_id', 'issue_key', 'source')).toEqual(['github:acme/web#3 acme/web#3 github']);
  expect(await ids(reader, issueComments, 'issue_comment_id', 'issue_id')).toEqual(['c1 github:acme/web#3']);
  expect(await ids(reader, workflowRuns, 'associated_pr_ids')).toEqual(['["github:acme/web#7"]']);
}

describe('rows that an earlier version stored under short ids', () => {
  const engines = [
    { name: 'DuckDB', open: () => someWarehouse() },
    ...(clickhouseAvailable ? [{ name: 'ClickHouse', open: () => someClickHouse() }] : []),
  ];
  test.each(engines)(
    'Rows that an earlier version stored under short ids have full ids after the upgrade in $name, and change no more',
    async ({ open }) => {
      const { warehouse, close } = await open();
      const organisationId = randomUUID();
      const rewrite = () =>
        warehouse.change(organisationId, async (writer) => {
          const buffered = new BufferedSession(writer);
          await rewriteShortIds(buffered.session, { earlierNames: new EarlierNames([]) }, { maxRows: 2 });
          await buffered.flush();
        });
      try {
        await warehouse.change(organisationId, store);
        await rewrite();
        await warehouse.read(organisationId, expectWrittenOut);
        const before = warehouse.versionOf(organisationId);
        await rewrite();
        expect(warehouse.versionOf(organisationId)).toBe(before);
      } finally {
        await close();
      }
    },
  );

  test('Rows that an earlier version stored under short ids are rewritten once when the service starts, and derived as rows that came with full ids', async () => {
    const { app, context, close } = await recordsApp();
    const { organisationId } = context;
    const parts = ['reviews_count', 'commits_count', 'deployment_id'] as const;
    try {
      await app.ingest.put(organisationId, [{ table: 'pull_requests', lines: [{ line: 1, value: { pr_id: 'x' } }] }]);
      await app.warehouse.change(organisationId, async (writer) => {
        await store(writer);
        await writer.setDerivationVersion(derivationRules - 1);
      });
      expect(await app.ingest.renew(organisationId)).toBe(true);
      await app.warehouse.read(organisationId, async (reader) => {
        const where = { column: 'repository', in: ['acme/web', 'acme/lib'] };
        const rows = await reader.select(pullRequests, ['pr_id', ...parts], where);
        expect(rows.sort((a, b) => String(a.pr_id).localeCompare(String(b.pr_id)))).toEqual([
          { pr_id: 'github:acme/web#7', reviews_count: 2, commits_count: 1, deployment_id: 'd1' },
          { pr_id: 'gitlab:acme/lib#1', reviews_count: 1, commits_count: 0, deployment_id: 'd1' },
        ]);
        expect(await ids(reader, pullRequestReviews, 'pr_review_id', 'repository')).toEqual([
          'r1 acme/web',
          'r2 acme/web',
          'r3 acme/lib',
        ]);
        expect(await ids(reader, deployments, 'deployment_id', 'prs_included')).toEqual(['d1 2']);
      });
      expect(await app.ingest.renew(organisationId)).toBe(false);
    } finally {
      await close();
    }
  });
});
