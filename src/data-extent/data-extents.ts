import { TimeZone } from '../calendar.ts';
import { reportedOrigin } from '../catalogue/tables/deployments.ts';
import { type FactTable, factTables } from '../catalogue/tables/tables.ts';
import type { DataExtent, Extent, ExtentReader } from '../query/data-extent.ts';
import { recentlyUsed } from '../recently-used.ts';
import type { Store } from '../store/store.ts';
import type { ColumnExtremes, IntakePort, TableReader } from '../warehouse/intake-port.ts';
import { tablesOfOrigins } from './deployment-origins.ts';
import { type OrganisationReads, organisationReads } from './organisation-reads.ts';
import { jointExtent, tableExtent } from './table-extent.ts';

interface DataExtentsParts {
  readonly store: Pick<Store, 'read' | 'versionOf' | 'isShared'>;
  readonly warehouse: Pick<IntakePort, 'read'> & { versionOf(organisationId: string): number | undefined };
  readonly now: () => Date;
}

/** What the rows of one table say, of one version of the data. */
interface RowsOfTable {
  readonly extremes: ColumnExtremes;
  /** Of deployments: what they were made from. */
  readonly origins: readonly string[];
}

interface KnownRows {
  readonly version: number;
  readonly tables: Map<FactTable, Promise<RowsOfTable> | RowsOfTable>;
}

interface KnownReads {
  /** Of the organisation in the store. */
  readonly version: number | undefined;
  readonly at: number;
  readonly reads: OrganisationReads;
}

const maxOrganisations = 500;

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
    const rows = new Map<FactTable, RowsOfTable>();
    const waiting = [...tables];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const found = kept.tables.get(name);
      if (!found || found instanceof Promise) return undefined;
      rows.set(name, found);
      waiting.push(...tablesOfOrigins(name, found.origins));
    }
    return this.#extentOf(tables, reads, rows);
  }

  #extentOf(
    tables: readonly FactTable[],
    { zone, streams }: OrganisationReads,
    rows: ReadonlyMap<FactTable, RowsOfTable>,
  ): Extent {
    const calendar = { zone: TimeZone.named(zone), now: Math.floor(this.#parts.now().getTime() / 1_000) };
    const own = (name: FactTable): Extent =>
      tableExtent({ extremes: rows.get(name)?.extremes ?? nothing, streams: streams.get(name) ?? [] }, calendar);
    const whole = (name: FactTable): Extent => {
      const extent = own(name);
      const origins = rows.get(name)?.origins ?? [];
      const sources = tablesOfOrigins(name, origins);
      if (sources.length === 0 || extent.since === undefined) return extent;
      // Rows that are inferred say nothing of how far what they are inferred from is known.
      const isReported = origins.includes(reportedOrigin);
      return jointExtent([isReported ? extent : { ...extent, through: undefined }, ...sources.map(own)]);
    };
    return jointExtent(tables.map(whole));
  }

  #knownReads(organisationId: string): OrganisationReads | undefined {
    const { store, now } = this.#parts;
    const kept = this.#reads.get(organisationId);
    if (!kept || kept.version === undefined || kept.version !== store.versionOf(organisationId)) return undefined;
    const isOld = store.isShared && Math.abs(now().getTime() - kept.at) > refreshedAfterMs;
    // Nobody waits for what another process has read meanwhile.
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
      .read((session) => organisationReads(session, organisationId), { organisationId, turn: reader.turn })
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

  /** One look-up for everyone who asks about the same version of the data. */
  async #rowsOfTable(organisationId: string, name: FactTable, reader: ExtentReader): Promise<RowsOfTable> {
    const { warehouse } = this.#parts;
    // Asked before the tables are read: what changes meanwhile is looked up again the next time.
    const version = warehouse.versionOf(organisationId);
    const work = (tables: TableReader) => rowsOf(tables, name);
    if (version === undefined) return warehouse.read(organisationId, work, reader);
    const known = this.#rows.get(organisationId);
    const kept: KnownRows = known?.version === version ? known : { version, tables: new Map() };
    if (kept !== known) this.#rows.set(organisationId, kept);
    const found = kept.tables.get(name);
    if (found) return found;
    // Not in the caller's name: others wait for it as well, and it must not end with one of them.
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

const nothing: ColumnExtremes = { first: null, last: [] };

async function rowsOf(tables: TableReader, name: FactTable): Promise<RowsOfTable> {
  const extremes = await tables.extremes(factTables[name]);
  if (name !== 'deployments' || extremes.first === null) return { extremes, origins: [] };
  const tallied = await tables.tally(factTables.deployments, ['origin']);
  return { extremes, origins: tallied.map(({ origin }) => origin ?? reportedOrigin) };
}
