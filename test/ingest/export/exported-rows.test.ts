import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Field } from '../../../src/catalogue/record.ts';
import { type Row, recordShapeOf, shownColumns, storedAs, type Table } from '../../../src/catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../../src/catalogue/tables/all-tables.ts';
import { deployments } from '../../../src/catalogue/tables/deployments.ts';
import { userMetrics } from '../../../src/catalogue/tables/user-metrics.ts';
import type { RecordLine } from '../../../src/directory/put-records.ts';
import type { ExportTable } from '../../../src/ingest/export/export-columns.ts';
import { exportedRows } from '../../../src/ingest/export/exported-rows.ts';
import { ForeignReader } from '../../../src/ingest/read/foreign/foreign-lines.ts';
import { compareTexts } from '../../../src/text-comparison.ts';
import { times } from '../../setup/how-long.ts';
import { seed } from '../../setup/seed.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';

const anOrganisation = recordsOrganisations();
let from: RecordsOrganisation;
let into: RecordsOrganisation;
beforeAll(async () => {
  from = await anOrganisation();
  into = await anOrganisation();
});

const partsOf = ({ app }: RecordsOrganisation) => ({ ...app, tables: () => app });

async function exported(
  app: RecordsOrganisation,
  table: ExportTable,
  records = false,
): Promise<Record<string, unknown>[]> {
  const { organisationId } = app.context;
  let text = '';
  for await (const piece of exportedRows(partsOf(app), { organisationId, table, records })) text += piece;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Any value that a field takes. */
function anyValue({ type, oneOf, form, between }: Field): fc.Arbitrary<unknown> {
  const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  if (oneOf && type === 'text') return fc.constantFrom(...oneOf);
  switch (type) {
    case 'text':
      return words;
    case 'integer':
      return fc.integer({ min: 0, max: 2 ** 31 - 1 });
    case 'number':
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        ...(between ? { min: between[0], max: between[1] } : {}),
      });
    case 'boolean':
      return fc.boolean();
    case 'duration':
      return fc.nat();
    case 'timestamp':
      return fc.integer({ min: 0, max: 2_000_000_000 }).map((at) => new Date(at * 1_000).toISOString());
    case 'date':
      return fc.integer({ min: 0, max: 20_000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
    case 'text[]':
      return fc.array(words, { maxLength: 3 });
    case 'json':
      if (form === 'object')
        return fc.dictionary(fc.constantFrom('ubuntu', 'macos'), fc.nat(), { noNullPrototype: true });
      return fc.array(fc.record({ path: words, additions: fc.nat() }), { maxLength: 2 });
  }
}

/** Records of a table with any values, some fields left out, and keys of their own. */
function someRecords(table: Table, count: number): Record<string, unknown>[] {
  const { fields, required = [] } = recordShapeOf(table);
  const optional = Object.keys(fields).filter((name) => !required.includes(name));
  const record = fc.record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, anyValue(field)])), {
    requiredKeys: required as never[],
  });
  return fc.sample(record, { numRuns: count, seed }).map((one, i) => {
    const values = one as Record<string, unknown>;
    for (const name of required) if (fields[name]?.type === 'text') values[name] = `${values[name]}-${i}`;
    if (table.name === 'ai_copilot') values.person_email = `person${i}@example.org`;
    // No person is named so: rows must not depend on who happens to be in the directory.
    if (optional.includes('merged_user_id') && table.name === 'ai_copilot') delete values.merged_user_id;
    return values;
  });
}

const byKey = (table: Table) => (a: Row, b: Row) => {
  const text = (row: Row) => JSON.stringify(table.key.map((column) => row[column]));
  return compareTexts(text(a), text(b));
};

/** All tables in one change, which takes a fraction of what one change for each takes. */
async function putAll(
  { app, context }: RecordsOrganisation,
  recordsOf: (name: FactTable) => readonly object[],
): Promise<void> {
  const batch = factTableNames.map((table) => ({
    table,
    lines: recordsOf(table).map((value, i) => ({ line: i + 1, value })),
  }));
  const outcomes = await app.ingest.put(context.organisationId, batch);
  expect(outcomes.flatMap(({ rejected }) => rejected)).toEqual([]);
}

describe('every table', () => {
  const recordsEach = times(15, 40);
  const records = new Map<FactTable, Record<string, unknown>[]>();
  beforeAll(async () => {
    await putAll(from, (name) => someRecords(factTables[name], recordsEach));
    for (const name of factTableNames) records.set(name, await exported(from, name, true));
    await putAll(into, (name) => records.get(name) ?? []);
  });

  test.each(factTableNames)('%s, exported as records and imported elsewhere, is the same again', async (name) => {
    const table: Table = factTables[name];
    expect(records.get(name)).toHaveLength(recordsEach);
    expect(Object.keys(records.get(name)?.[0] ?? {})).toEqual(Object.keys(recordShapeOf(table).fields));
    const given = Object.keys(recordShapeOf(table).fields).map((field) => storedAs(table, field));
    const rowsOf = async (app: RecordsOrganisation) =>
      ((await app.select(table, [...new Set([...table.key, ...given])] as never[])) as unknown as Row[])
        .filter((row) => !String(row.deployment_id ?? '').match(/^(merge|run|release):/))
        .sort(byKey(table));
    expect(await rowsOf(into)).toEqual(await rowsOf(from));
  });

  test.each(factTableNames)(
    '%s, exported in full, shows every column that can be asked for, and no other',
    async (name) => {
      const [row] = await exported(from, name);
      expect(Object.keys(row ?? {})).toEqual(shownColumns(factTables[name]));
    },
  );
});

test('A deployment that is exported in full and imported elsewhere gets nothing stated that was derived', async () => {
  const there = await anOrganisation();
  const back = await anOrganisation();
  // Of a source that does not count for its repository there.
  await there.directory('repositories', [{ repository: 'acme/web', deployment_source: 'github_release' }]);
  const deployed = { repository: 'acme/web', deployment_source: 'workflow_run', status: 'success' };
  const stated = [true, false, null].map((production) => ({
    ...deployed,
    deployment_id: String(production),
    deployed_at: '2024-03-04T10:00:00Z',
    production,
  }));
  await there.put('deployments', stated);
  const rows = await exported(there, 'deployments');
  expect(rows.map(({ is_production }) => is_production)).toEqual([false, false, false]);
  const cells = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)])),
  );
  const reader = new ForeignReader('deployments', { map: { repository_name: '' } }, Object.keys(cells[0] ?? {}));
  reader.check('deployments.csv');
  const lines = cells.map((row, i) => ({ line: i + 1, ...reader.read(row) })) as RecordLine[];
  const [outcome] = await back.app.ingest.put(back.context.organisationId, [
    { table: 'deployments', lines, form: 'text' },
  ]);
  expect(outcome?.rejected).toEqual([]);
  const kept = await back.select(deployments, ['deployment_id', 'production', 'is_production']);
  expect(kept.sort((a, b) => compareTexts(String(a.deployment_id), String(b.deployment_id)))).toEqual([
    { deployment_id: 'false', production: false, is_production: false },
    { deployment_id: 'null', production: null, is_production: true },
    { deployment_id: 'true', production: true, is_production: true },
  ]);
});

const cellOf = (value: unknown): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

test('Times are ISO with Z, durations seconds, dates days, lists and JSON themselves, and what is missing is null', async () => {
  await from.put('pull_requests', [
    {
      pr_id: 'written',
      pr_title: 'Quote " and \n newline, 🚪',
      labels: ['a', 'b'],
      files: [{ path: 'x', additions: 1, deletions: 0 }],
      pr_created_at: '2024-03-04T12:00:00+02:00',
      pr_merged_at: '2024-03-04T11:00:00.999Z',
      first_commit_at: '2024-03-04T09:00:00Z',
    },
  ]);
  const rows = await exported(from, 'pull_requests');
  expect(rows.find(({ pr_id }) => pr_id === 'written')).toMatchObject({
    pr_title: 'Quote " and \n newline, 🚪',
    labels: ['a', 'b'],
    files: [{ path: 'x', additions: 1, deletions: 0 }],
    pr_created_at: '2024-03-04T10:00:00Z',
    pr_merged_at: '2024-03-04T11:00:00Z',
    cycle_time: 7_200,
    pr_number: null,
  });
});

describe('what is put together when it is read', () => {
  let app: RecordsOrganisation;
  beforeAll(async () => {
    app = await anOrganisation();
    await app.directory('teams', [{ team_name: 'Core', department: 'Product' }]);
    await app.directory('people', [
      {
        main_email: 'ada@example.org',
        name: 'Ada',
        github_username: 'ada',
        teams: ['Core', 'Apps'],
        onboarded: true,
        manager_email: 'owner@example.org',
        salary: 5,
      },
      { main_email: 'gone@example.org', name: 'Not onboarded', onboarded: false },
    ]);
    const merged = (n: number, hour: number, who: object) => ({
      pr_id: `p${n}`,
      pr_number: n,
      pr_title: `Change ${n}`,
      pr_url: `https://x.example/${n}`,
      pr_summary: `Summary ${n}`,
      additions: n,
      deletions: 0,
      source: 'github',
      repository: 'acme/web',
      pr_state: 'merged',
      base_branch: 'main',
      pr_created_at: '2024-03-04T00:00:00Z',
      pr_merged_at: `2024-03-04T${String(hour).padStart(2, '0')}:00:00Z`,
      ...who,
    });
    await app.put('pull_requests', [
      merged(1, 1, { person_login: 'ada' }),
      merged(3, 5, { person_login: 'stranger' }),
      merged(2, 4, { person_login: 'ada' }),
      merged(4, 9, { person_login: 'ada' }),
    ]);
    const release = (version: string, hour: number) => ({
      release_id: version,
      version,
      repository: 'acme/web',
      release_date: `2024-03-04T${String(hour).padStart(2, '0')}:00:00Z`,
    });
    await app.put('release_details', [
      release('v1', 2),
      release('v2', 6),
      { release_id: 'draft', repository: 'acme/web' },
    ]);
    await app.put('survey_recipients', [{ survey_recipient_id: 'r1', person_email: 'ada@example.org' }]);
    await app.put('survey_responses', [
      { survey_response_id: 'a1', survey_recipient_id: 'r1' },
      { survey_response_id: 'a2', survey_recipient_id: 'r2' },
    ]);
  });

  const change = (n: number, author: string) => ({
    id: `p${n}`,
    title: `Change ${n}`,
    author,
    url: `https://x.example/${n}`,
    number: n,
    summary: `Summary ${n}`,
    additions: n,
    deletions: 0,
  });
  const carried = [change(2, 'Ada'), change(3, 'stranger')];

  test('Releases show what they brought, as many as they count', async () => {
    const rows = await exported(app, 'release_details');
    expect(
      rows.map(({ release_id, pull_requests, prs_included }) => [release_id, pull_requests, prs_included]),
    ).toEqual([
      ['v1', null, 0],
      ['v2', carried, 2],
      ['draft', null, null],
    ]);
  });

  test('Deployments show what they carried, as many as they count', async () => {
    const rows = await exported(app, 'deployments');
    expect(
      rows.map(({ deployment_id, pull_requests, prs_included }) => [deployment_id, pull_requests, prs_included]),
    ).toEqual([
      ['release:v1', null, 0],
      ['release:v2', carried, 2],
    ]);
    expect(await exported(app, 'deployments', true)).toEqual([]);
  });

  test('What is put together when it is read answers show teams, and never whose they are', async () => {
    const rows = await exported(app, 'survey_responses');
    expect(rows.map(({ survey_response_id, team_names }) => [survey_response_id, team_names])).toEqual([
      ['a1', ['Apps', 'Core']],
      ['a2', []],
    ]);
    expect(JSON.stringify(rows)).not.toContain('r1');
  });

  test('People are one row each, onboarded ones only', async () => {
    const rows = await exported(app, 'user_metrics');
    const ada = rows.find(({ name }) => name === 'Ada');
    expect(rows.map(({ name }) => name).sort()).toEqual(['Ada', 'owner@example.org']);
    expect(Object.keys(ada ?? {})).toEqual(shownColumns(userMetrics));
    expect(ada).toMatchObject({
      main_email: 'ada@example.org',
      github_username: 'ada',
      team_name: 'Apps',
      team_names: ['Apps', 'Core'],
      departments: ['Product'],
      manager_name: 'owner@example.org',
      sources: ['github'],
      last_active_at: '2024-03-04T00:00:00Z',
      salary: 5,
    });
  });

  test('People and groups are what would bring them again', async () => {
    const other = await anOrganisation();
    for (const table of ['teams', 'squads', 'repositories', 'people'] as const) {
      await other.directory(table, await exported(app, table));
    }
    for (const table of ['teams', 'squads', 'repositories'] as const) {
      expect(await exported(other, table)).toEqual(await exported(app, table));
    }
    const without = (rows: Record<string, unknown>[]) =>
      rows.map(({ merged_user_id: _, ...row }) => row).sort((a, b) => compareTexts(String(a.name), String(b.name)));
    expect(without(await exported(other, 'people'))).toEqual(without(await exported(app, 'people')));
  });
});

describe('many rows', () => {
  let app: RecordsOrganisation;
  const counts = { spread: times(250, 12_000), crowded: times(600, 11_000), timeless: times(550, 6_000) };
  const countOfAll = counts.spread + counts.crowded + counts.timeless;
  beforeAll(async () => {
    app = await anOrganisation();
    const { warehouse } = app.app;
    const stream = warehouse.stream.bind(warehouse);
    vi.spyOn(warehouse, 'stream').mockImplementation((id, table, columns) =>
      stream(id, table, columns, { batchRows: times(500, 5_000) }),
    );
    // Days with a few rows, one day with more than are held at once, and rows without a time, all in no order.
    const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
    // So that not all of them are on their way before the first is read.
    const long = 'x'.repeat(times(3_000, 10));
    const records = [
      ...Array.from({ length: counts.spread }, (_, i) => ({
        incident_id: `s${(i * 7_919) % counts.spread}`,
        title: long,
        opened_at: at(1_700_000_000 + ((i * 7_919) % counts.spread) * 3_000),
      })),
      ...Array.from({ length: counts.crowded }, (_, i) => ({
        incident_id: `c${(i * 7_919) % counts.crowded}`,
        title: long,
        opened_at: at(1_600_000_000 + (i % 50)),
      })),
      ...Array.from({ length: counts.timeless }, (_, i) => ({ incident_id: `${i % 2 === 0 ? '\ufffd' : '😀'}${i}` })),
    ];
    await app.put('incidents', records);
  });

  test('Many rows come all of them, once each, by time, then by key as code points compare, those without a time last', async () => {
    const rows = await exported(app, 'incidents');
    expect(new Set(rows.map(({ incident_id }) => incident_id)).size).toBe(countOfAll);
    const order = rows.map(({ opened_at, incident_id }) => `${opened_at ?? '9999'} ${incident_id}`);
    expect(order).toEqual(order.toSorted(compareTexts));
    expect(compareTexts('\ufffd', '😀')).toBeLessThan(0);
  });

  test('Many rows are of one state, whatever is written meanwhile, and a reader that stops early ends it', async () => {
    const { organisationId } = app.context;
    const stream = exportedRows(partsOf(app), { organisationId, table: 'incidents', records: false });
    let rows = 0;
    for await (const piece of stream) {
      if (rows === 0) await app.put('incidents', [{ incident_id: 'new', opened_at: '1999-01-01T00:00:00Z' }]);
      rows += String(piece).split('\n').length - 1;
    }
    expect(rows).toBe(countOfAll);
    for await (const _ of exportedRows(partsOf(app), { organisationId, table: 'incidents', records: false })) break;
    expect(await exported(app, 'incidents')).toHaveLength(countOfAll + 1);
  });
});

test('An organisation that nothing is known of has no rows, but people', async () => {
  const fresh = await anOrganisation();
  for (const table of factTableNames as FactTable[]) expect(await exported(fresh, table)).toEqual([]);
  expect(await exported(fresh, 'user_metrics')).toMatchObject([{ main_email: 'owner@example.org' }]);
});
