import { tmpdir } from 'node:os';
import type { Outcome, Rejection } from '../directory/records.ts';
import type { Store } from '../store/store.ts';
import type { Patience } from '../turns/turn.ts';
import { derivationRules } from '../warehouse/schema.ts';
import type { ChangeOptions, Warehouse, Writing } from '../warehouse/warehouse.ts';
import { attributeDeployments } from './attribution/attribute-deployments.ts';
import { TouchedRows } from './attribution/touched-rows.ts';
import { KnownDirectories, type KnownDirectory } from './known-directory.ts';
import { newVerdicts } from './people/bot-people.ts';
import { applyPosted, forgetPosted } from './posthook/intake.ts';
import type { PostedRejection, PostedRows } from './posthook/payload.ts';
import { type Sender, SessionGate } from './posthook/session-gate.ts';
import { Preparation, type Progress } from './preparation.ts';
import { publish } from './publish.ts';
import { applyRecords, problemsOf, type TableRecords } from './records.ts';
import { deriveBatch, derivePart, openWorkspace, rederive } from './rederive.ts';
import { Spool } from './spool.ts';

class NothingKept extends Error {}

export interface IngestOptions {
  /** Where what has to wait until all of it has come waits: the system's folder for temporary files, unless it is said. */
  readonly spoolFolder?: string;
  /** Tells the directory whom most of their records call a bot, and whom no longer. Absent, nobody is told. */
  readonly callBots?: (organisationId: string, called: ReadonlyMap<string, boolean>) => Promise<void>;
}

/** In whose name records wait to be written. */
export type IntakeTurn = Pick<ChangeOptions, 'turn' | 'signal'>;

/** Takes records in: people resolved, everything derived, and all of a batch visible at once or nothing of it. */
export class Ingest {
  readonly #store: Store;
  readonly #warehouse: Warehouse;
  readonly #directories: KnownDirectories;
  /** What of each directory the tables are known to show. */
  readonly #published = new Map<string, number>();
  /** The versions of organisations that were found to be shown, so that asking again needs no directory at hand. */
  readonly #shown = new Map<string, number>();
  readonly #preparing = new Map<string, Preparation>();
  readonly #spoolFolder: string;
  readonly #callBots: IngestOptions['callBots'];
  /** Organisations whose directory has heard of everyone whom records call a bot. */
  readonly #settled = new Set<string>();

  constructor(store: Store, warehouse: Warehouse, { spoolFolder = tmpdir(), callBots }: IngestOptions = {}) {
    this.#store = store;
    this.#warehouse = warehouse;
    this.#spoolFolder = spoolFolder;
    this.#callBots = callBots;
    this.#directories = new KnownDirectories(store);
  }

  /** Records of several tables as one change. Bad ones are reported by line and do not stop the rest. */
  async put(
    organisationId: string,
    batch: readonly TableRecords[],
    { strict = false, turn, signal }: { readonly strict?: boolean } & IntakeTurn = {},
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
    const apply = async (session: Writing, directory: KnownDirectory) => {
      const workspace = await openWorkspace(session, directory);
      for (const records of batch) rejected.push(await applyRecords(workspace, records));
      if (strict && rejected.some((some) => some.length > 0)) throw new NothingKept();
      await forgetPosted(workspace);
      await deriveBatch(workspace, directory);
      return workspace.recounted;
    };
    return this.#change(organisationId, apply, { turn, signal }).then(outcomes, (error: unknown) => {
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
        const recounted = new Set<string>();
        const touched = new TouchedRows();
        for await (const records of spool.parts()) {
          const workspace = await openWorkspace(session, directory);
          const [problem] = await applyRecords(workspace, records);
          if (problem) throw new Error(`a record that was found good is bad: ${problem.detail}`);
          await forgetPosted(workspace);
          await derivePart(workspace, directory, touched);
          for (const account of workspace.recounted) recounted.add(account);
        }
        await attributeDeployments(session, touched, directory);
        return recounted;
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
    options: IntakeTurn = {},
  ): Promise<void> {
    const gate = new SessionGate(sender);
    for await (const piece of pieces) {
      let rejected: readonly PostedRejection[] = [];
      const apply = async (session: Writing, directory: KnownDirectory) => {
        const workspace = await openWorkspace(session, directory);
        rejected = await applyPosted(workspace, piece, gate);
        await deriveBatch(workspace, directory);
        return workspace.recounted;
      };
      await this.#change(organisationId, apply, options);
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

  /**
   * The same before a question is answered, and whether or not anything was ever kept for the organisation. Many who ask
   * at once are one piece of work. It goes on when somebody gives up waiting for its turn among the writers.
   */
  async prepare(organisationId: string, patience: Patience = {}): Promise<void> {
    const current = this.#store.versionOf(organisationId);
    if (current !== undefined && current === this.#shown.get(organisationId) && this.#warehouse.holds(organisationId)) {
      return;
    }
    const known = this.#preparing.get(organisationId);
    const isCurrent = known !== undefined && current !== undefined && known.since === current;
    await (isCurrent ? known : this.#startPreparing(organisationId, current)).wait(patience);
  }

  #startPreparing(organisationId: string, since: number | undefined): Preparation {
    const preparation = new Preparation(since, async (progress) => {
      try {
        const { version, contentVersion } = await this.#directories.of(organisationId);
        const isShown = contentVersion === this.#published.get(organisationId) && this.#warehouse.holds(organisationId);
        if (isShown) this.#shown.set(organisationId, version);
        else await this.bringUp(organisationId, progress);
      } finally {
        if (this.#preparing.get(organisationId) === preparation) this.#preparing.delete(organisationId);
      }
    });
    this.#preparing.set(organisationId, preparation);
    return preparation;
  }

  /** The copies of the directory, and every row that means somebody or something else now. Changes nothing needlessly. */
  async bringUp(organisationId: string, progress?: Progress): Promise<void> {
    const { version, contentVersion } = await this.#directories.of(organisationId);
    if (!this.#warehouse.holds(organisationId) || (await this.#versionShown(organisationId)) !== version) {
      progress?.queued();
      await this.#change(organisationId, async () => new Set(), { isFirst: true, begun: progress?.begun });
      return;
    }
    if (!this.#settled.has(organisationId)) await this.#settle(organisationId);
    this.#published.set(organisationId, contentVersion);
    this.#shown.set(organisationId, version);
  }

  /** Everything derived anew from what records gave; nothing of it where it is stopped before its end. */
  rederive(organisationId: string, signal?: AbortSignal): Promise<void> {
    return this.#change(organisationId, async (session, directory) => {
      await rederive(session, directory, { signal });
      await session.setDerivationVersion(derivationRules);
      return 'all';
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

  /** Accounts whose votes a change has touched come back from it: who they are of may be a bot now, or none any more. */
  async #change(
    organisationId: string,
    work: (session: Writing, directory: KnownDirectory) => Promise<ReadonlySet<string> | 'all'>,
    options: ChangeOptions = {},
  ): Promise<void> {
    // Nothing is made for an organisation that does not exist.
    await this.#directories.of(organisationId);
    let [published, shown] = [0, 0];
    let verdicts: ReadonlyMap<string, boolean> = new Map();
    const change = async (session: Writing) => {
      const directory = await this.#directories.of(organisationId);
      [published, shown] = [directory.contentVersion, directory.version];
      const isPublished = await publish(session, directory);
      const recounted = await work(session, directory);
      if (!this.#callBots) return;
      const isKnown = this.#settled.has(organisationId) && !isPublished && recounted !== 'all';
      verdicts = await newVerdicts(session, directory.calledBots, isKnown ? recounted : undefined);
    };
    await this.#warehouse.change(organisationId, change, options);
    this.#published.set(organisationId, published);
    this.#shown.set(organisationId, shown);
    await this.#callOut(organisationId, verdicts);
  }

  /** Looks once after a start: what a process that was killed had yet to tell the directory is told then. */
  async #settle(organisationId: string): Promise<void> {
    if (!this.#callBots) return;
    const { calledBots } = await this.#directories.of(organisationId);
    const verdicts = await this.#warehouse.read(organisationId, (session) => newVerdicts(session, calledBots));
    await this.#callOut(organisationId, verdicts);
  }

  /** Tells the directory, and shows what it makes of it. Told until nothing is new, since others tell it at the same time. */
  async #callOut(organisationId: string, verdicts: ReadonlyMap<string, boolean>): Promise<void> {
    if (verdicts.size > 0 && this.#callBots) {
      // Whatever goes wrong from here on, the next change looks at everyone again.
      this.#settled.delete(organisationId);
      await this.#callBots(organisationId, verdicts);
      await this.#change(organisationId, async () => new Set(), { isFirst: true });
    }
    this.#settled.add(organisationId);
  }
}

/** What is wrong with records of which none is good: that is no change, and readers need not be kept waiting for it. */
async function allBad(batch: readonly TableRecords[]): Promise<Rejection[][] | undefined> {
  const all: Rejection[][] = [];
  for (const records of batch) {
    const problems = records.wholeSetsOf ? [] : await problemsOf(records, { untilOneIsGood: true });
    if (problems.length === 0 || problems.length < records.lines.length) return undefined;
    all.push(problems);
  }
  return all.length > 0 ? all : undefined;
}
