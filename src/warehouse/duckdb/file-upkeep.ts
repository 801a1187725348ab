import { existsSync } from 'node:fs';
import { rm, stat, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Stoppable } from '../maintenance-port.ts';
import { copyFile, putInPlace, unusedIn } from './compaction.ts';
import type { Tuning } from './limits.ts';
import { pathOf } from './organisation-file.ts';
import type { OrganisationTransactions } from './organisation-transactions.ts';
import { orderedTables, reclusterSome, touchTable, wasteOf } from './recluster.ts';
import { lowPriority } from './transaction-terms.ts';

/** How long giving space back makes new readers wait for those who are still reading. */
const reclaimingPatienceMs = 2_000;
/** Half a million rows each. */
const maxReclusterings = 200;
/**
 * A file is made compact again where this share of it is unused. The engine writes changed rows beside those before, and fills
 * the places of these later: most files have some.
 */
const unusedShare = 0.25;
/** The disk must have room for this many of the file: the copy is one, and others write meanwhile. */
const filesWithRoom = 4;
/** Later changes leave unused places again, so that writing the whole file is worth it now and then only. */
const compactingEveryMs = 24 * 3_600_000;

/** Keeps the files of organisations in order, small, and without a long log, while they are read and written. */
export class FileUpkeep {
  /** Deleted rows that giving space back did not get rid of, by organisation and table. */
  readonly #wasteLeft = new Map<string, ReadonlyMap<string, number>>();
  /** When each file was made compact, or would have been but for its readers or the disk, by `performance.now()`. */
  readonly #compacted = new Map<string, number>();

  constructor(
    private readonly transactions: OrganisationTransactions,
    private readonly place: string,
    private readonly tuning: Tuning,
    private readonly makeCopyFolder: () => Promise<string>,
  ) {}

  forget(organisationId: string): void {
    this.#wasteLeft.delete(organisationId);
    this.#compacted.delete(organisationId);
  }

  async recluster(organisationId: string, { signal }: Stoppable = {}): Promise<boolean> {
    for (const table of orderedTables) {
      let isMore = true;
      // Sorting can make room for more sorting, but not without end.
      for (let i = 0; isMore && i < maxReclusterings; i++) {
        signal?.throwIfAborted();
        // An organisation that was removed meanwhile must not be created again.
        if (!this.#isThere(organisationId)) return false;
        isMore = await this.transactions.rewrite(organisationId, (task, schema) =>
          reclusterSome(task, table, schema, this.tuning),
        );
      }
    }
    await this.#bringInChanges(organisationId);
    if (await this.#isWasteful(organisationId, signal)) await this.compact(organisationId, { signal });
    return false;
  }

  /** Brings a long log into the file, and gives back the space of deleted rows. */
  async #bringInChanges(organisationId: string): Promise<void> {
    const measure = (left: ReadonlyMap<string, number>) =>
      this.transactions.visit(lowPriority(organisationId), (task, schema) => wasteOf(task, schema, this.tuning, left));
    const wasteful = await measure(this.#wasteLeft.get(organisationId) ?? new Map());
    if (wasteful.length === 0 && !(await this.#hasLongLog(organisationId))) return;
    // Where readers do not end soon, the next reclustering tries again.
    await this.transactions.checkpoint(organisationId, reclaimingPatienceMs, async (task, schema) => {
      for (const { table } of wasteful) await touchTable(task, table, schema);
    });
    const left = await measure(new Map());
    this.#wasteLeft.set(organisationId, new Map(left.map(({ table, deleted }) => [table.name, deleted])));
    // Closing the file brings the log in while everyone waits, which is for another time where it is still long.
    if (await this.#hasLongLog(organisationId)) return;
    // Until then every column that rows were added to keeps one or two blocks in memory: 130 MB for all tables.
    await this.transactions.letGo(organisationId, reclaimingPatienceMs);
  }

  async #hasLongLog(organisationId: string): Promise<boolean> {
    const log = await stat(`${this.#pathOf(organisationId)}.wal`).catch(() => undefined);
    return (log?.size ?? 0) > this.tuning.quietLogBytes;
  }

  async #isWasteful(organisationId: string, signal: AbortSignal | undefined): Promise<boolean> {
    const compacted = this.#compacted.get(organisationId);
    if (compacted !== undefined && performance.now() - compacted < compactingEveryMs) return false;
    const { unused, all } = await this.transactions.visit(lowPriority(organisationId, signal), (task) =>
      unusedIn(task, organisationId),
    );
    return unused >= this.tuning.unusedBytes && unused >= all * unusedShare;
  }

  /**
   * Writes a file again: space between blocks that are used is never given back otherwise, and a column that was written in
   * many small pieces takes more than in one.
   */
  async compact(organisationId: string, { signal }: Stoppable = {}): Promise<void> {
    const path = this.#pathOf(organisationId);
    const file = await stat(path).catch(() => undefined);
    if (!file || file.size > this.tuning.compactedBytes) return;
    this.#compacted.set(organisationId, performance.now());
    const { bavail, bsize } = await statfs(this.place);
    if (bavail * bsize < filesWithRoom * file.size) return;
    const folder = await this.makeCopyFolder();
    const copy = join(folder, basename(path));
    try {
      await this.transactions.replaceFile(lowPriority(organisationId, signal), reclaimingPatienceMs, {
        isThere: () => this.#isThere(organisationId),
        write: (task) => copyFile(task, organisationId, copy),
        replace: () => putInPlace(copy, path),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #pathOf(organisationId: string): string {
    return pathOf(this.place, organisationId);
  }

  #isThere(organisationId: string): boolean {
    return existsSync(this.#pathOf(organisationId));
  }
}
