import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { DirectoryTable } from '../../src/catalogue/directory-records.ts';
import type { RowOf, Table } from '../../src/catalogue/table.ts';
import { type FactTable, factTableNames } from '../../src/catalogue/tables/all-tables.ts';
import type { ChangeContext } from '../../src/directory/directory.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import { type App, openApp } from '../../src/main.ts';
import type { Condition } from '../../src/warehouse/intake-port.ts';
import { quickStore } from '../conformance/stores.ts';
import { threadsForFewRows } from '../setup/how-long.ts';
import { openTemporaryApp } from '../setup/temporary-app.ts';

/** An organisation in an app, for tests about records. */
export interface RecordsOrganisation {
  readonly app: App & { readonly folder: string };
  readonly context: ChangeContext;
  directory(table: DirectoryTable, records: readonly object[]): Promise<void>;
  put(table: FactTable, records: readonly object[]): Promise<void>;
  /** Records of several tables in one change, which takes a fraction of what one change for each takes. */
  putAll(records: Readonly<Partial<Record<FactTable, readonly object[]>>>): Promise<void>;
  select<T extends Table, C extends keyof RowOf<T> & string>(
    table: T,
    columns: readonly C[],
    where?: Condition,
  ): Promise<Pick<RowOf<T>, C>[]>;
}

/** An app with that organisation alone. */
export interface RecordsApp extends RecordsOrganisation {
  close(): Promise<void>;
}

let template: Promise<{ readonly folder: string; readonly id: string }> | undefined;

/** Made once in this process, and copied for each test: opening a copy takes a third of the time. */
async function madeTemplate(): Promise<{ readonly folder: string; readonly id: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-records-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const app = await openApp({ folder, databaseUrl: undefined, threads: threadsForFewRows });
  const { id } = await createOrganisation(
    app.directory,
    { via: 'demo' },
    { name: 'Example', ownerEmail: 'owner@example.org' },
  );
  await app.close();
  return { folder, id };
}

export async function recordsApp(): Promise<RecordsApp> {
  template ??= madeTemplate();
  const { folder, id } = await template;
  const app = await openTemporaryApp({ copyOf: folder });
  return { ...organisationIn(app, id), close: () => app.close() };
}

/** One app for all tests of a suite, each of which asks for organisations of its own: they take less than an app. */
export function recordsOrganisations(): () => Promise<RecordsOrganisation> {
  let app: App & { readonly folder: string };
  let made = 0;
  beforeAll(async () => {
    app = await openTemporaryApp({ store: quickStore });
  });
  afterAll(() => app.close());
  return async () => {
    made += 1;
    const owned = { name: `Example ${made}`, ownerEmail: 'owner@example.org' };
    return organisationIn(app, (await createOrganisation(app.directory, { via: 'demo' }, owned)).id);
  };
}

function organisationIn(app: App & { readonly folder: string }, id: string): RecordsOrganisation {
  const context: ChangeContext = { organisationId: id, actor: { via: 'demo' } };
  const lines = (records: readonly object[]) => records.map((value, i) => ({ line: i + 1, value }));
  const none = (rejected: readonly { readonly line: number; readonly detail: string }[] | undefined) => {
    if (rejected?.[0]) throw new Error(`record ${rejected[0].line}: ${rejected[0].detail}`);
  };
  return {
    app,
    context,
    async directory(table, records) {
      none((await putRecords(app.directory, context, table, lines(records))).rejected);
    },
    async put(table, records) {
      const [outcome] = await app.ingest.put(id, [{ table, lines: lines(records) }]);
      none(outcome?.rejected);
    },
    async putAll(records) {
      const given = factTableNames.flatMap((table) => {
        const some = records[table];
        return some === undefined ? [] : [{ table, lines: lines(some) }];
      });
      for (const { rejected } of await app.ingest.put(id, given)) none(rejected);
    },
    select: (table, columns, where) => app.warehouse.read(id, (session) => session.select(table, columns, where)),
  };
}
