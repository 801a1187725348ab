import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DirectoryTable } from '../../../src/catalogue/directory-records.ts';
import type { RowOf, Table } from '../../../src/catalogue/table.ts';
import { type FactTable, factTableNames } from '../../../src/catalogue/tables/tables.ts';
import type { ChangeContext } from '../../../src/directory/directory.ts';
import { createOrganisation } from '../../../src/directory/organisations.ts';
import { putRecords } from '../../../src/directory/records.ts';
import { type App, openApp } from '../../../src/main.ts';
import type { Condition } from '../../../src/warehouse/intake-port.ts';
import { threadsForFewRows } from '../../setup/how-long.ts';
import { openTemporaryApp } from '../../setup/temporary-app.ts';

/** A app with one organisation, for tests about records. */
export interface RecordsApp {
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
    close: () => app.close(),
  };
}
