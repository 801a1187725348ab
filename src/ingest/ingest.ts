import type { Outcome, Rejection } from '../directory/records.ts';
import type { Store } from '../store/store.ts';
import type { Warehouse, Writing } from '../warehouse/warehouse.ts';
import { derive } from './derivation.ts';
import { KnownDirectories, type KnownDirectory } from './known-directory.ts';
import { applyPosted, forgetPosted } from './posthook/intake.ts';
import { type PostedRejection, type PostedRows, piecesOf } from './posthook/payload.ts';
import { type Sender, SessionGate } from './posthook/session-gate.ts';
import { publish } from './publish.ts';
import { applyRecords, type TableRecords } from './records.ts';
import { rederive, workspaceOf } from './rederive.ts';

class NothingKept extends Error {}

/** Rows of the hook that are one change. */
const postedRowsMost = 10_000;

/** Takes records in: people resolved, everything derived, and all of a batch visible at once or nothing of it. */
export class Ingest {
  readonly #warehouse: Warehouse;
  readonly #directories: KnownDirectories;
  /** What of each directory the tables are known to show. */
  readonly #published = new Map<string, number>();

  constructor(store: Store, warehouse: Warehouse) {
    this.#warehouse = warehouse;
    this.#directories = new KnownDirectories(store);
  }

  /** Records of several tables as one change. Bad ones are reported by line and do not stop the rest. */
  put(
    organisationId: string,
    batch: readonly TableRecords[],
    { strict = false }: { readonly strict?: boolean } = {},
  ): Promise<Outcome[]> {
    const rejected: Rejection[][] = [];
    const outcomes = (): Outcome[] => {
      const isKept = !strict || rejected.every((some) => some.length === 0);
      return batch.map(({ lines }, i) => ({
        accepted: isKept ? lines.length - (rejected[i]?.length ?? 0) : 0,
        rejected: rejected[i] ?? [],
      }));
    };
    return this.#change(organisationId, async (session, directory) => {
      const workspace = workspaceOf(session, directory);
      for (const records of batch) rejected.push(await applyRecords(workspace, records));
      if (strict && rejected.some((some) => some.length > 0)) throw new NothingKept();
      await forgetPosted(workspace);
      await derive(workspace);
    }).then(outcomes, (error: unknown) => {
      if (error instanceof NothingKept) return outcomes();
      throw error;
    });
  }

  /**
   * Records as one change, however many they are and however long they take to come: one bad record, and none is kept.
   * Memory holds one part at a time.
   */
  async putStrictly(organisationId: string, parts: AsyncIterable<TableRecords>): Promise<Outcome> {
    const rejected: Rejection[] = [];
    let accepted = 0;
    try {
      await this.#change(organisationId, async (session, directory) => {
        for await (const records of parts) {
          const workspace = workspaceOf(session, directory);
          rejected.push(...(await applyRecords(workspace, records)));
          accepted += records.lines.length;
          // What follows from records that will not be kept is of no interest.
          if (rejected.length > 0) continue;
          await forgetPosted(workspace);
          await derive(workspace);
        }
        if (rejected.length > 0) throw new NothingKept();
      });
    } catch (error) {
      if (!(error instanceof NothingKept)) throw error;
      accepted = 0;
    }
    return { accepted, rejected };
  }

  /** Rows of the coding-agent hook, as one change unless there are very many. `done` is told of each change. */
  async putPosted(
    organisationId: string,
    rows: PostedRows,
    sender: Sender,
    done: (accepted: number, rejected: readonly PostedRejection[]) => void,
  ): Promise<void> {
    const gate = new SessionGate(sender);
    for (const piece of piecesOf(rows, postedRowsMost)) {
      let rejected: readonly PostedRejection[] = [];
      await this.#change(organisationId, async (session, directory) => {
        const workspace = workspaceOf(session, directory);
        rejected = await applyPosted(workspace, piece, gate);
        await derive(workspace);
      });
      const sent = Object.values(piece).reduce((sum, some) => sum + some.length, 0);
      done(sent - rejected.length, rejected);
    }
  }

  /**
   * After a change of the directory: its copies, and every row that means somebody or something else now. A change that
   * no table depends on does not wait for what is being written.
   */
  async catchUp(organisationId: string): Promise<void> {
    if (!this.#warehouse.holds(organisationId)) return;
    const { contentVersion } = await this.#directories.of(organisationId);
    if (contentVersion !== this.#published.get(organisationId)) await this.bringUp(organisationId);
  }

  /** The same before a question is answered, whether or not anything was ever kept for the organisation. */
  bringUp(organisationId: string): Promise<void> {
    return this.#change(organisationId, async () => {});
  }

  /** Everything derived anew from what records gave. */
  rederive(organisationId: string): Promise<void> {
    return this.#change(organisationId, rederive);
  }

  async #change(
    organisationId: string,
    work: (session: Writing, directory: KnownDirectory) => Promise<void>,
  ): Promise<void> {
    // Nothing is made for an organisation that does not exist.
    await this.#directories.of(organisationId);
    let published = 0;
    await this.#warehouse.change(organisationId, async (session) => {
      const directory = await this.#directories.of(organisationId);
      published = directory.contentVersion;
      await publish(session, directory);
      await work(session, directory);
    });
    this.#published.set(organisationId, published);
  }
}
