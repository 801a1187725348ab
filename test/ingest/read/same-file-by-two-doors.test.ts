import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FactTable, factTableNames } from '../../../src/catalogue/tables/all-tables.ts';
import type { RecordLine } from '../../../src/directory/put-records.ts';
import { ForeignReader } from '../../../src/ingest/read/foreign/foreign-lines.ts';
import { times } from '../../setup/how-long.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';
import { stateOf } from '../state.ts';

type Records = readonly Readonly<Record<string, unknown>>[];
type Files = Readonly<Partial<Record<FactTable, Records>>>;

const id = fc
  .tuple(fc.constantFrom('', '', 'github:', 'gitlab:'), fc.constantFrom('acme/web', 'acme/old', 'group/sub/lib'))
  .chain(([source, name]) => fc.integer({ min: 1, max: 2 }).map((number) => `${source}${name}#${number}`));
const anyId = fc.oneof({ weight: 6, arbitrary: id }, { weight: 1, arbitrary: fc.constantFrom('PR-1', '#7', 'web#7') });
const source = fc.option(fc.constantFrom('github', 'gitlab', 'jenkins'), { nil: undefined });
const keyed = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Records> =>
  fc
    .array(fc.record(fields), { maxLength: 4 })
    .map((rows) =>
      rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))),
    );
const number = fc.integer({ min: 1, max: 3 });
const at = fc.constant('2024-03-04T10:00:00Z');

const someFiles: fc.Arbitrary<Files> = fc.record({
  pull_requests: keyed({
    pr_id: anyId,
    source,
    pr_title: fc.constantFrom('one', 'two'),
    pr_state: fc.constant('merged'),
    pr_created_at: at,
    pr_merged_at: at,
    _deleted: fc.option(fc.constant(true), { freq: 8, nil: undefined }),
  }),
  pull_request_reviews: keyed({ pr_review_id: number.map(String), pr_id: anyId, source, reviewed_at: at }),
  pull_request_events: keyed({ pr_id: anyId, source, event_type: fc.constant('merged'), event_at: at }),
  issues: keyed({ issue_id: anyId, source, parent_issue_id: anyId, ticket_status: fc.constant('started') }),
  issue_comments: keyed({ issue_comment_id: number.map(String), issue_id: anyId, source }),
  workflow_runs: keyed({ workflow_run_id: number.map(String), source, associated_pr_ids: fc.array(anyId) }),
  deployments: keyed({
    deployment_id: number.map(String),
    source,
    repository: fc.constant('acme/web'),
    status: fc.constant('success'),
    deployed_at: fc.constant('2024-03-05T10:00:00Z'),
    pr_ids: fc.array(anyId),
  }),
});

const inLines = (records: readonly unknown[]): RecordLine[] => records.map((value, i) => ({ line: i + 1, value }));

/** The ways in which a file can come: as it is or as an import reads it, in batches of any size, or as one change. */
const doors: Readonly<
  Record<string, (to: RecordsOrganisation, table: FactTable, records: Records) => Promise<unknown>>
> = {
  'in one batch': ({ app, context }, table, records) =>
    app.ingest.put(context.organisationId, [{ table, lines: inLines(records) }]),
  'as an import, record by record': async ({ app, context }, table, records) => {
    const reader = new ForeignReader(table);
    for (const record of records) {
      const reading = reader.read(record);
      if (!('value' in reading)) throw new Error(JSON.stringify(reading));
      await app.ingest.put(context.organisationId, [{ table, lines: inLines([reading.value]) }]);
    }
  },
  'as a strict import': ({ app, context }, table, records) =>
    app.ingest.putStrictly(
      context.organisationId,
      (async function* () {
        yield { table, lines: inLines(records) };
      })(),
    ),
};

const anOrganisation = recordsOrganisations();

test('The same files give the same rows by every door, with full ids alone', async () => {
  await fc.assert(
    fc.asyncProperty(someFiles, async (files) => {
      const states = [];
      for (const put of Object.values(doors)) {
        const organisation = await anOrganisation();
        await organisation.directory('repositories', [{ repository: 'acme/web', earlier_names: ['github:acme/old'] }]);
        for (const table of factTableNames) {
          const records = files[table] ?? [];
          if (records.length > 0) await put(organisation, table, records);
        }
        const state = await stateOf(organisation.app.warehouse, organisation.context.organisationId);
        states.push(Object.fromEntries([...factTableNames, 'named_pull_requests'].map((name) => [name, state[name]])));
      }
      const [first, ...others] = states;
      for (const state of others) expect(state).toEqual(first);
      for (const name of ['pull_requests', 'issues'] as const) {
        for (const line of first?.[name] ?? []) expect(line).not.toMatch(/"(?:pr|issue)_id":"[^":]+\/[^":]+#\d/);
      }
    }),
    { numRuns: times(2, 60) },
  );
});
