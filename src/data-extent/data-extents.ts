import { nextDay, TimeZone } from '../calendar.ts';
import { dateColumns, type Table } from '../catalogue/table.ts';
import { type FactTable, factTables } from '../catalogue/tables/all-tables.ts';
import { type InferredOrigin, reportedOrigin } from '../catalogue/tables/deployments.ts';
import type { DataExtent, Extent, ExtentReader } from '../query/question-port.ts';
import { recentlyUsed } from '../recently-used.ts';
import type { Store } from '../store/store.ts';
import type { ColumnExtremes, Condition, IntakePort, TableReader } from '../warehouse/intake-port.ts';
import { type OrganisationReads, organisationReads } from './organisation-reads.ts';
import {
  decidingWeekdays,
  type ExtentClock,
  extentOfParts,
  jointExtent,
  type TablePart,
  type TableStatus,
  tableStatus,
} from './table-status.ts';

interface DataExtentsParts {
  readonly store: Pick<Store, 'read' | 'versionOf' | 'isShared'>;
  readonly warehouse: Pick<IntakePort, 'read'> & { versionOf(organisationId: string): number | undefined };
  readonly now: () => Date;
}

/** The extent of the rows of one table, in one version of the data. */
interface RowsOfTable {
  readonly extremes: ColumnExtremes;
  /** For deployments: the records that they were made from. */
  readonly origins: readonly string[];
  /** By time zone and first day: whether there are rows of each of some weekdays. */
  readonly steady: Map<string, Promise<boolean>>;
}

interface KnownRows {
  readonly version: number;
  readonly tables: Map<FactTable, Promise<RowsOfTable> | RowsOfTable>;
  /** Extents of some tables by their names, at one moment, for all requests of the same second. */
  readonly extents: Map<string, ExtentOfSecond>;
}

interface ExtentOfSecond {
  readonly reads: OrganisationReads;
  readonly second: number;
  readonly extent: Extent;
}

interface KnownReads {
  /** The organisation's version in the store. */
  readonly version: number | undefined;
  readonly at: number;
  readonly reads: OrganisationReads;
}

const maxOrganisations = 500;
/** Questions ask for few tables together. */
const maxExtents = 100;

/** Where other processes read sources, what they have read is looked up again after so long. */
const refreshedAfterMs = 15_000;

/**
 * From when to when tables are complete. The newest and the oldest rows are looked up once for each version of the data,
 * when somebody asks; how far sources are read, when something of that has changed.
 */
export class DataExtents implements DataExtent {
  readonly #parts: DataExtentsParts;
  readonly #rows = recentlyUsed<KnownRows>(maxOrganisations);
  readonly #reads = recentlyUsed<KnownReads>(maxOrganisations);
  readonly #reading = new Map<string, Promise<OrganisationReads>>();

  constructor(parts: DataExtentsParts) {
    this.#parts = parts;
  }

  /** Forgets how far the sources of an organisation are read: something of it has changed. */
  forgetReads(organisationId: string): void {
    this.#reads.delete(organisationId);
    this.#reading.delete(organisationId);
  }

  async of(organisationId: string, tables: readonly FactTable[], reader: ExtentReader = {}): Promise<Extent> {
    if (tables.length === 0) return jointExtent([]);
    const [reads, rows] = await Promise.all([
      this.#readsOf(organisationId, reader),
      this.#rowsOf(organisationId, tables, reader),
    ]);
    return this.#extentOf(tables, reads, rows);
  }

  known(organisationId: string, tables: readonly FactTable[]): Extent | undefined {
    if (tables.length === 0) return jointExtent([]);
    const reads = this.#knownReads(organisationId);
    const version = this.#parts.warehouse.versionOf(organisationId);
    const kept = this.#rows.get(organisationId);
    if (!reads || !kept || version === undefined || kept.version !== version) return undefined;
    const [key, second] = [tables.join(), this.#second()];
    const same = kept.extents.get(key);
    if (same?.reads === reads && same.second === second) return same.extent;
    const rows = new Map<FactTable, RowsOfTable>();
    const waiting = [...tables];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const found = kept.tables.get(name);
      if (!found || found instanceof Promise) return undefined;
      rows.set(name, found);
      waiting.push(...tablesOfOrigins(name, found.origins));
    }
    const extent = this.#extentOf(tables, reads, rows);
    if (kept.extents.size >= maxExtents) kept.extents.clear();
    kept.extents.set(key, { reads, second, extent });
    return extent;
  }

  /** Of each table: how far it reaches, how its rows come, and whether they stopped to come. */
  async statuses(
    organisationId: string,
    tables: readonly FactTable[],
    reader: ExtentReader = {},
  ): Promise<readonly TableStatus[]> {
    const [reads, rows] = await Promise.all([
      this.#readsOf(organisationId, reader),
      this.#rowsOf(organisationId, tables, reader),
    ]);
    const calendar = this.#calendarIn(reads);
    const parts = new Map(tables.map((table) => [table, partsOf(table, reads, rows)]));
    const quiet = new Set<FactTable>();
    for (const part of new Map([...parts.values()].flat().map((one) => [one.table, one])).values()) {
      const found = rows.get(part.table);
      const weekdays = found && part.streams.length === 0 ? decidingWeekdays(part, calendar) : undefined;
      if (found && weekdays && (await this.#isSteady(organisationId, part.table, found, weekdays, reads.zone, reader)))
        quiet.add(part.table);
    }
    return tables.map((table) => tableStatus(table, parts.get(table) ?? [], (part) => quiet.has(part.table), calendar));
  }

  #extentOf(tables: readonly FactTable[], reads: OrganisationReads, rows: ReadonlyMap<FactTable, RowsOfTable>): Extent {
    const calendar = this.#calendarIn(reads);
    const extent = jointExtent(tables.map((table) => extentOfParts(partsOf(table, reads, rows), calendar)));
    if (extent.since === undefined || reads.filledSince === undefined) return extent;
    return { ...extent, since: Math.max(extent.since, calendar.zone.startOf(reads.filledSince)) };
  }

  #calendarIn({ zone }: OrganisationReads): ExtentClock {
    return { zone: TimeZone.named(zone), now: this.#second() };
  }

  #second(): number {
    return Math.floor(this.#parts.now().getTime() / 1_000);
  }

  /** Asked only of a table that was quiet for long enough, and kept with what else its rows say. */
  #isSteady(
    organisationId: string,
    name: FactTable,
    { steady }: RowsOfTable,
    weekdays: readonly string[],
    zone: string,
    reader: ExtentReader,
  ): Promise<boolean> {
    const key = `${zone} ${weekdays[0]}`;
    const kept = steady.get(key);
    if (kept) return kept;
    const work = (tables: TableReader) => hasRowsOfEach(tables, factTables[name], weekdays, TimeZone.named(zone));
    // In no caller's name: others wait for the look-up as well, and it must not end with one of them.
    const looking = this.#parts.warehouse.read(organisationId, work, lasting(reader));
    steady.set(key, looking);
    looking.catch(() => steady.delete(key));
    return looking;
  }

  #knownReads(organisationId: string): OrganisationReads | undefined {
    const { store, now } = this.#parts;
    const kept = this.#reads.get(organisationId);
    if (!kept || kept.version === undefined || kept.version !== store.versionOf(organisationId)) return undefined;
    const isOld = store.isShared && Math.abs(now().getTime() - kept.at) > refreshedAfterMs;
    // Nobody waits for what another process has read in the meantime.
    if (isOld && !this.#reading.has(organisationId)) void this.#readAgain(organisationId, {}).catch(() => {});
    return kept.reads;
  }

  async #readsOf(organisationId: string, reader: ExtentReader): Promise<OrganisationReads> {
    return (
      this.#knownReads(organisationId) ?? this.#reading.get(organisationId) ?? this.#readAgain(organisationId, reader)
    );
  }

  #readAgain(organisationId: string, reader: ExtentReader): Promise<OrganisationReads> {
    const { store, now } = this.#parts;
    // Asked before it is read: what changes meanwhile is looked up again the next time.
    const version = store.versionOf(organisationId);
    const at = now().getTime();
    const reading: Promise<OrganisationReads> = store
      .read((session) => organisationReads(session, organisationId), { organisationId, ...lasting(reader) })
      .then((reads) => {
        if (this.#reading.get(organisationId) === reading) this.#reads.set(organisationId, { version, at, reads });
        return reads;
      })
      .finally(() => {
        if (this.#reading.get(organisationId) === reading) this.#reading.delete(organisationId);
      });
    this.#reading.set(organisationId, reading);
    return reading;
  }

  async #rowsOf(
    organisationId: string,
    tables: readonly FactTable[],
    reader: ExtentReader,
  ): Promise<ReadonlyMap<FactTable, RowsOfTable>> {
    const found = new Map<FactTable, RowsOfTable>();
    const waiting = [...tables];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (found.has(name)) continue;
      const rows = await this.#rowsOfTable(organisationId, name, reader);
      found.set(name, rows);
      waiting.push(...tablesOfOrigins(name, rows.origins));
    }
    return found;
  }

  /** One look-up for all requests about the same version of the data. */
  async #rowsOfTable(organisationId: string, name: FactTable, reader: ExtentReader): Promise<RowsOfTable> {
    const { warehouse } = this.#parts;
    // Asked before the tables are read: what changes meanwhile is looked up again the next time.
    const version = warehouse.versionOf(organisationId);
    const work = (tables: TableReader) => rowsOf(tables, name);
    if (version === undefined) return warehouse.read(organisationId, work, reader);
    const known = this.#rows.get(organisationId);
    const kept: KnownRows = known?.version === version ? known : { version, tables: new Map(), extents: new Map() };
    if (kept !== known) this.#rows.set(organisationId, kept);
    const found = kept.tables.get(name);
    if (found) return found;
    // In no caller's name: others wait for the look-up as well, and it must not end with one of them.
    const looking = warehouse.read(organisationId, work);
    kept.tables.set(name, looking);
    try {
      const rows = await looking;
      kept.tables.set(name, rows);
      return rows;
    } catch (error) {
      kept.tables.delete(name);
      throw error;
    }
  }
}

/** The parts that a table's rows are made of, itself first. */
function partsOf(
  name: FactTable,
  { streams }: OrganisationReads,
  rows: ReadonlyMap<FactTable, RowsOfTable>,
): readonly TablePart[] {
  const part = (table: FactTable, isInferred = false): TablePart => ({
    table,
    isInferred,
    extremes: rows.get(table)?.extremes ?? nothing,
    streams: streams.get(table) ?? [],
  });
  const { extremes = nothing, origins = [] } = rows.get(name) ?? {};
  const sources = extremes.last.every((value) => value === null) ? [] : tablesOfOrigins(name, origins);
  const isInferred = sources.length > 0 && !origins.includes(reportedOrigin);
  return [part(name, isInferred), ...sources.map((source) => part(source))];
}

/** Whether rows have a date on each of some days, one after the other: mostly the first one says that they do not. */
async function hasRowsOfEach(
  tables: TableReader,
  table: Table,
  days: readonly string[],
  zone: TimeZone,
): Promise<boolean> {
  for (const day of days) {
    const [begins, last] = [zone.startOf(day), zone.startOf(nextDay(day)) - 1];
    const any = dateColumns(table).map((column): Condition => {
      const [from, to] = table.columns[column]?.type === 'date' ? [day, day] : [begins, last];
      return {
        all: [
          { column, atLeast: from },
          { column, atMost: to },
        ],
      };
    });
    const [counted] = await tables.tally(table, [], { any });
    if ((counted?.rows ?? 0) === 0) return false;
  }
  return true;
}

const nothing: ColumnExtremes = { first: null, last: [] };

async function rowsOf(tables: TableReader, name: FactTable): Promise<RowsOfTable> {
  const extremes = await tables.extremes(factTables[name]);
  const steady = new Map<string, Promise<boolean>>();
  if (name !== 'deployments' || extremes.first === null) return { extremes, origins: [], steady };
  const tallied = await tables.tally(factTables.deployments, ['origin']);
  return { extremes, origins: tallied.map(({ origin }) => origin ?? reportedOrigin), steady };
}

const tableOf: Readonly<Record<InferredOrigin, FactTable>> = {
  release: 'release_details',
  run: 'workflow_runs',
  merge: 'pull_requests',
};
const isInferred = (origin: string): origin is InferredOrigin => Object.hasOwn(tableOf, origin);

/**
 * The tables that deployments are derived from: those of the rows that they are inferred from, and pull requests, which
 * say what a deployment carried and whether it had to be reverted.
 */
function tablesOfOrigins(name: FactTable, origins: readonly string[]): FactTable[] {
  if (name !== 'deployments' || origins.length === 0) return [];
  const inferred = origins.filter((origin) => origin !== reportedOrigin).filter(isInferred);
  return [...new Set<FactTable>([...inferred.map((origin) => tableOf[origin]), 'pull_requests'])];
}

/** Others wait for this look-up as well: it must not end with one of them. */
const lasting = ({ ticket }: ExtentReader): ExtentReader => ({ ticket: ticket && { ...ticket, signal: undefined } });
