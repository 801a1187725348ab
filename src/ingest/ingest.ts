import { tmpdir } from 'node:os';
import type { Outcome, Rejection } from '../directory/records.ts';
import type { Store } from '../store/store.ts';
import { derivationRules } from '../warehouse/schema.ts';
import type { Warehouse, Writing } from '../warehouse/warehouse.ts';
import { KnownDirectories, type KnownDirectory } from './known-directory.ts';
import { applyPosted, forgetPosted } from './posthook/intake.ts';
import type { PostedRejection, PostedRows } from './posthook/payload.ts';
import { type Sender, SessionGate } from './posthook/session-gate.ts';
import { publish } from './publish.ts';
import { applyRecords, problemsOf, type TableRecords } from './records.ts';
import { deriveBatch, openWorkspace, rederive } from './rederive.ts';
import { Spool } from './spool.ts';

class NothingKept extends Error {}

/** Takes records in: people resolved, everything derived, and all of a batch visible at once or nothing of it. */
export class Ingest {
  readonly #store: Store;
  readonly #warehouse: Warehouse;
  readonly #directories: KnownDirectories;
  /** What of each directory the tables are known to show. */
  readonly #published = new Map<string, number>();
  /** The versions of organisations that were found to be shown, so that asking again needs no directory at hand. */
  readonly #shown = new Map<string, number>();
  readonly #spoolFolder: string;

  /** What has to wait until all of it has come waits in a folder: the system's for temporary files, unless it is said. */
  constructor(store: Store, warehouse: Warehouse, { spoolFolder = tmpdir() }: { readonly spoolFolder?: string } = {}) {
    this.#store = store;
    this.#warehouse = warehouse;
    this.#spoolFolder = spoolFolder;
    this.#directories = new KnownDirectories(store);
  }

  /** Records of several tables as one change. Bad ones are reported by line and do not stop the rest. */
  async put(
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
    const bad = await allBad(batch);
    if (bad) {
      await this.#directories.of(organisationId);
      rejected.push(...bad);
      return outcomes();
    }
    return this.#change(organisationId, async (session, directory) => {
      const workspace = await openWorkspace(session, directory);
      for (const records of batch) rejected.push(await applyRecords(workspace, records));
      if (strict && rejected.some((some) => some.length > 0)) throw new NothingKept();
      await forgetPosted(workspace);
      await deriveBatch(workspace, directory);
    }).then(outcomes, (error: unknown) => {
      if (error instanceof NothingKept) return outcomes();
      throw error;
    });
  }

  /**
   * Records as one change, however many they are and however long they take to come: one bad record, and none is kept.
   * They are written to a file first, so that nobody has to wait for their sender. Memory holds one part at a time.
   */
  async putStrictly(organisationId: string, parts: AsyncIterable<TableRecords>): Promise<Outcome> {
    await this.#directories.of(organisationId);
    const rejected: Rejection[] = [];
    let accepted = 0;
    const spool = await Spool.open<TableRecords>(this.#spoolFolder);
    try {
      for await (const records of parts) {
        for (const problem of await problemsOf(records)) rejected.push(problem);
        accepted += records.lines.length;
        if (rejected.length === 0) await spool.add(records);
      }
      if (rejected.length > 0) return { accepted: 0, rejected };
      await this.#change(organisationId, async (session, directory) => {
        for await (const records of spool.parts()) {
          const workspace = await openWorkspace(session, directory);
          const [problem] = await applyRecords(workspace, records);
          if (problem) throw new Error(`a record that was found good is bad: ${problem.detail}`);
          await forgetPosted(workspace);
          await deriveBatch(workspace, directory);
        }
      });
      return { accepted, rejected };
    } finally {
      await spool.close();
    }
  }

  /** Rows of the coding-agent hook, each piece as one change. `done` is told of each change. */
  async putPosted(
    organisationId: string,
    pieces: AsyncIterable<PostedRows>,
    sender: Sender,
    done: (accepted: number, rejected: readonly PostedRejection[]) => void,
  ): Promise<void> {
    const gate = new SessionGate(sender);
    for await (const piece of pieces) {
      let rejected: readonly PostedRejection[] = [];
      await this.#change(organisationId, async (session, directory) => {
        const workspace = await openWorkspace(session, directory);
        rejected = await applyPosted(workspace, piece, gate);
        await deriveBatch(workspace, directory);
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

  /** The same before a question is answered, and whether or not anything was ever kept for the organisation. */
  async prepare(organisationId: string): Promise<void> {
    const current = this.#store.versionOf(organisationId);
    const isHeld = this.#warehouse.holds(organisationId);
    if (isHeld && current !== undefined && current === this.#shown.get(organisationId)) return;
    const { version, contentVersion } = await this.#directories.of(organisationId);
    if (isHeld && contentVersion === this.#published.get(organisationId)) this.#shown.set(organisationId, version);
    else await this.bringUp(organisationId);
  }

  /** The copies of the directory, and every row that means somebody or something else now. Changes nothing needlessly. */
  async bringUp(organisationId: string): Promise<void> {
    const { version, contentVersion } = await this.#directories.of(organisationId);
    if (!this.#warehouse.holds(organisationId) || (await this.#versionShown(organisationId)) !== version) {
      await this.#change(organisationId, async () => {});
      return;
    }
    this.#published.set(organisationId, contentVersion);
    this.#shown.set(organisationId, version);
  }

  /** Everything derived anew from what records gave; nothing of it where it is stopped before its end. */
  rederive(organisationId: string, signal?: AbortSignal): Promise<void> {
    return this.#change(organisationId, async (session, directory) => {
      await rederive(session, directory, { signal });
      await session.setDerivationVersion(derivationRules);
    });
  }

  /** The same where other rules than today's derived what is kept. Whether that was so. */
  async renew(organisationId: string, signal?: AbortSignal): Promise<boolean> {
    if (!this.#warehouse.holds(organisationId)) return false;
    // Whoever asks meanwhile is to find that the directory is shown already, and has no change of it to wait for.
    await this.prepare(organisationId);
    const version = await this.#warehouse.read(organisationId, (session) => session.derivationVersion());
    if (version === derivationRules) return false;
    await this.rederive(organisationId, signal);
    return true;
  }

  #versionShown(organisationId: string): Promise<number> {
    return this.#warehouse.read(organisationId, (session) => session.directoryVersion());
  }

  async #change(
    organisationId: string,
    work: (session: Writing, directory: KnownDirectory) => Promise<void>,
  ): Promise<void> {
    // Nothing is made for an organisation that does not exist.
    await this.#directories.of(organisationId);
    let [published, shown] = [0, 0];
    await this.#warehouse.change(organisationId, async (session) => {
      const directory = await this.#directories.of(organisationId);
      [published, shown] = [directory.contentVersion, directory.version];
      await publish(session, directory);
      await work(session, directory);
    });
    this.#published.set(organisationId, published);
    this.#shown.set(organisationId, shown);
  }
}

/** What is wrong with records of which none is good: that is no change, and readers need not be kept waiting for it. */
async function allBad(batch: readonly TableRecords[]): Promise<Rejection[][] | undefined> {
  const all: Rejection[][] = [];
  for (const records of batch) {
    const [first] = records.lines;
    if (!first || records.wholeSetsOf || (await problemsOf({ ...records, lines: [first] })).length === 0)
      return undefined;
    const problems = await problemsOf(records);
    if (problems.length < records.lines.length) return undefined;
    all.push(problems);
  }
  return all.length > 0 ? all : undefined;
}
