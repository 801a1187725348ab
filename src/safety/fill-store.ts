import { asThroughApi, type LeftOutOfSource } from '../configured-sources/admit-restored-source.ts';
import { Refusal } from '../refusal.ts';
import { type StoreRowOf, type StoreTable, storeTables } from '../store/all-store-tables.ts';
import { type Actor, writeEvents } from '../store/audit.ts';
import { findOrganisation, listOrganisations } from '../store/organisation-rows.ts';
import { insertRows } from '../store/put-rows.ts';
import type { SourceRow } from '../store/source-rows.ts';
import { sources } from '../store/source-tables.ts';
import type { Reading, Store, Writing } from '../store/store.ts';
import { type BackupManifest, entryName } from './backup-manifest.ts';
import { readBackup } from './backup-reader.ts';
import { refuseTaken } from './one-organisation.ts';
import { ownerColumn, type PlainRow } from './row-pages.ts';

/** Who restores, and when, for the audit log. */
export interface Restorer {
  readonly actor: Actor;
  readonly at: Date;
}

interface RestoredRowsOptions {
  readonly by: Restorer | undefined;
  /** Rows of the tables of each organisation. */
  readonly rows: ReadonlyMap<string, number>;
  readonly sources: RestoredSources;
  /** The organisation that comes to others. */
  readonly joining: string | undefined;
  readonly beforeCommit?: (() => void) | undefined;
}

/** One transaction, which keeps the versions that the organisations had; it is kept only when every check has passed. */
export async function fillStore(
  store: Store,
  file: string,
  expected: BackupManifest,
  { by, rows, sources, joining, beforeCommit = () => {} }: RestoredRowsOptions,
): Promise<void> {
  await store.note(async (session) => {
    if (joining === undefined) await refuseUsedStore(session);
    else if (await findOrganisation(session, joining)) throw isHereAlready(joining);
    for await (const part of readBackup(file)) {
      if (part.kind === 'warehouse') break;
      if (part.kind === 'rows') {
        if (joining !== undefined) await refuseTaken(session, part.table, part.rows, joining);
        const admitted = sources.admitted(part.table, part.rows);
        await insertRows(session, part.table, admitted as readonly StoreRowOf<StoreTable>[]);
      } else if (JSON.stringify(part.manifest) !== JSON.stringify(expected)) {
        throw new Refusal('conflict', `${file} was replaced during the restore. Nothing was restored.`);
      }
    }
    for (const table of storeTables) await refuseOtherCount(session, table, expected, sources.droppedOf(table));
    if (by) await noteRestored(session, by, expected, { rows, joining });
    beforeCommit();
  });
}

/** Each organisation's audit log says that it was brought back, and how old it was. */
async function noteRestored(
  session: Writing,
  { actor, at }: Restorer,
  { createdAt, plumbVersion }: BackupManifest,
  { rows, joining }: Pick<RestoredRowsOptions, 'rows' | 'joining'>,
): Promise<void> {
  const details = { made_at: createdAt, made_by: `Plumb ${plumbVersion}` };
  const event = { actor, at, action: 'backup.restore', details } as const;
  const known = (await listOrganisations(session)).filter(({ id }) => joining === undefined || joining === id);
  await writeEvents(
    session,
    known.map(({ id }) => ({ ...event, organisationId: id, subject: id, rows: rows.get(id) ?? 0 })),
  );
}

/** Another process may have written to the same database meanwhile. */
async function refuseOtherCount(
  session: Writing,
  table: StoreTable,
  { entries, organisation }: BackupManifest,
  dropped: number,
): Promise<void> {
  const [state] = await session.rows<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table.name} WHERE $1::text IS NULL OR ${ownerColumn(table)} = $1`,
    [organisation ?? null],
  );
  if (state?.count !== (entries.find(({ name }) => name === entryName(table))?.rows ?? 0) - dropped) {
    throw new Refusal('conflict', `Something else wrote to ${table.name} during the restore. Nothing was restored.`);
  }
}

export async function refuseUsedStore(session: Reading): Promise<void> {
  const [state] = await session.rows<{ count: number }>('SELECT count(*)::int AS count FROM organisations');
  if (state && state.count > 0) {
    throw new Refusal(
      'conflict',
      `There ${state.count === 1 ? 'is an organisation' : `are ${state.count} organisations`} here already. ` +
        'A backup of everything can only be restored into an empty data folder or an empty database.',
    );
  }
}

export const isHereAlready = (organisation: string): Refusal =>
  new Refusal(
    'conflict',
    `Organisation ${organisation} is here already. A backup of it can only be restored where it is not.`,
  );

/**
 * Decides about the sources in a backup that its reader may have edited. It examines them while the backup is read for
 * the first time: this resolves names, and no transaction has to wait for that.
 */
export class RestoredSources {
  readonly leftOut: LeftOutOfSource[] = [];
  readonly #sourceHosts: readonly string[];
  /** By identifier; undefined where the whole source stays out. One that is not here comes back as it was. */
  readonly #examined = new Map<unknown, SourceRow | undefined>();
  readonly #dropped = new Map<StoreTable, number>();

  constructor(sourceHosts: readonly string[]) {
    this.#sourceHosts = sourceHosts;
  }

  async examine(table: StoreTable, rows: readonly PlainRow[]): Promise<void> {
    if (table === sources) {
      for (const row of rows as readonly unknown[] as readonly SourceRow[]) {
        const admitted = await asThroughApi(row, this.#sourceHosts);
        this.#examined.set(row.id, admitted.row);
        this.leftOut.push(...admitted.leftOut);
      }
    }
    const stays = rows.filter((row) => this.#staysOut(table, row)).length;
    if (stays > 0) this.#dropped.set(table, this.droppedOf(table) + stays);
  }

  /** The rows as they come back, without those of sources that stay out. */
  admitted(table: StoreTable, rows: readonly PlainRow[]): readonly PlainRow[] {
    const kept = rows.filter((row) => !this.#staysOut(table, row));
    return table === sources ? kept.map((row) => this.#examined.get(row.id) ?? row) : kept;
  }

  droppedOf(table: StoreTable): number {
    return this.#dropped.get(table) ?? 0;
  }

  get droppedRows(): number {
    return [...this.#dropped.values()].reduce((sum, rows) => sum + rows, 0);
  }

  #staysOut(table: StoreTable, row: PlainRow): boolean {
    const id = table === sources ? row.id : row.source_id;
    return this.#examined.has(id) && this.#examined.get(id) === undefined;
  }
}
