import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { derivationStateTables } from '../../../src/catalogue/derivation-state.ts';
import type { DirectoryTable } from '../../../src/catalogue/directory-records.ts';
import { originOf, type Row, storedColumns, type Table } from '../../../src/catalogue/table.ts';
import { type FactTable, factTables } from '../../../src/catalogue/tables/all-tables.ts';
import { createOrganisation, setOrganisation } from '../../../src/directory/organisations.ts';
import { putRecords } from '../../../src/directory/put-records.ts';
import type { App } from '../../../src/main.ts';
import { derivationRules } from '../../../src/warehouse/schema.ts';
import { openTemporaryApp } from '../../setup/temporary-app.ts';
import { demoRecords, people, randomRecords, repositories, spelledRecords } from './fixed-world.ts';

/** What was derived of each column, by the number of rules that it was derived by. Written by `-u`. */
interface Fingerprints {
  readonly derivationRules: number;
  /** Of the records that it was derived from. */
  readonly records: string;
  readonly columns: Readonly<Record<string, string>>;
}
const file = join(import.meta.dirname, 'derivation-results.json');
const kept = JSON.parse(readFileSync(file, 'utf8')) as Fingerprints;

let app: App;
beforeAll(async () => {
  app = await openTemporaryApp();
});
afterAll(() => app.close());

const randomId = '00000000-0000-4000-8000-000000000001';
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
const lines = (records: readonly object[]) => records.map((value, i) => ({ line: i + 1, value }));

async function fill(
  id: string,
  settings: Readonly<Record<string, string>>,
  directory: readonly (readonly [DirectoryTable, readonly object[]])[],
  records: readonly ReadonlyMap<FactTable, readonly object[]>[],
): Promise<string> {
  const actor = { via: 'demo' } as const;
  const context = { organisationId: id, actor };
  await createOrganisation(app.directory, actor, { id, name: `Fixed ${id}`, ownerEmail: 'owner@example.org' });
  await setOrganisation(app.directory, context, settings);
  for (const [table, some] of directory) await putRecords(app.directory, context, table, lines(some), { strict: true });
  const batch = records.flatMap((some) => [...some].map(([table, all]) => ({ table, lines: lines(all) })));
  for (const { rejected } of await app.ingest.put(id, batch)) expect(rejected).toEqual([]);
  return digest(JSON.stringify([settings, directory, records.map((some) => [...some])]));
}

/** Made with a key of the organisation's own, or of the moment at which records came: others in every run. */
const ofOrganisation = ['answer_id', 'answer_digest', 'last_record_at'];

const tables: readonly Table[] = [...Object.values<Table>(factTables), ...derivationStateTables];

/** What follows from records. Where rows are inferred, or are what ingest remembers, all of it does. */
function derivedColumns(table: Table): string[] {
  const names = [...storedColumns(table).keys()];
  if (table.recorded || !Object.hasOwn(factTables, table.name)) return names;
  return names.filter((name) => table.columns[name] && originOf(table.columns[name]) !== 'given');
}

/** Column by column, the values by the key of their rows. */
async function columnsOf(ids: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const table of tables) {
    const derived = derivedColumns(table);
    const rows = (await Promise.all(ids.map((id) => rowsOf(id, table, derived)))).flat();
    for (const column of derived) {
      const isSecret = ofOrganisation.includes(column);
      const values = rows.map((row) => [
        ...table.key.map((key) => row[key]),
        isSecret ? row[column] !== null : row[column],
      ]);
      found[`${table.name}.${column}`] = digest(
        values
          .map((value) => JSON.stringify(value, rounded))
          .sort()
          .join('\n'),
      );
    }
  }
  return found;
}

const rowsOf = (id: string, table: Table, columns: readonly string[]): Promise<readonly Row[]> =>
  app.warehouse.read(id, (session) => session.select(table, [...new Set([...table.key, ...columns])] as never));

/** The last digits of a median are another on other processors. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(9)) : value;

test('The same values are derived from the same records unless derivationRules is raised', async () => {
  const { organisation, records } = demoRecords();
  const { timeZone: time_zone, people: members, teams, squads, repositories: known } = organisation;
  const inputs = [
    await fill(
      randomId,
      { time_zone: 'America/New_York' },
      [
        ['people', people],
        ['repositories', repositories],
      ],
      [randomRecords(), spelledRecords()],
    ),
    await fill(
      organisation.id,
      { time_zone },
      [
        ['teams', teams],
        ['squads', squads],
        ['people', members],
        ['repositories', known],
      ],
      [records],
    ),
  ];
  const columns = await columnsOf([randomId, organisation.id]);
  const changed = Object.keys({ ...kept.columns, ...columns }).filter((name) => columns[name] !== kept.columns[name]);
  const areRecordsTheSame = digest(inputs.join()) === kept.records;
  // Rows that are stored already keep the old values until the server knows that the rules are others.
  if (areRecordsTheSame && derivationRules === kept.derivationRules)
    expect(
      changed,
      'Other values are derived in these columns: raise derivationRules in src/warehouse/schema.ts, tell the CHANGELOG what changes, and run this test with -u.',
    ).toEqual([]);
  const results: Fingerprints = { derivationRules, records: digest(inputs.join()), columns };
  await expect(
    `${JSON.stringify(results, null, 2)}\n`,
    areRecordsTheSame
      ? 'The number of rules is another: run this test with -u, which keeps what is derived by them.'
      : 'The fixed records are others: see that derivations are as they were before, and run this test with -u.',
  ).toMatchFileSnapshot(file);
});
