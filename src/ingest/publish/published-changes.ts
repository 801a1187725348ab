import { LRUCache } from 'lru-cache';
import { serviceTicket } from '../../admission/ticket.ts';
import { versionUnchangedSince } from '../../directory/published-copies.ts';
import { Refusal } from '../../refusal.ts';
import type { OrganisationWriting, Store, StoreCaller } from '../../store/store.ts';
import type { ChangeOptions, IntakePort, ReadOptions, TableWriter } from '../../warehouse/intake-port.ts';
import { newVerdicts } from '../resolve/bots.ts';
import { BufferedSession } from '../write/buffered-session.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import type { DirectoryTables } from './directory-publisher.ts';
import { hasContentOf, KnownDirectories, type KnownDirectory, maxKeptDirectories } from './known-directory.ts';
import { copyDirectory, publish } from './publish.ts';

/** Reports to the directory whom most of their records call a bot, and whom no longer. */
export type CallBots = (organisationId: string, called: ReadonlyMap<string, boolean>) => Promise<void>;

/** The work of a change. Returns the accounts whose votes it has touched: their person may be a bot now, or none any more. */
type ChangeWork = (session: IntakeSession, directory: KnownDirectory) => Promise<ReadonlySet<string> | 'all'>;

/** How often a server that waits for its turn looks whether another one has published the directory. */
const lookMs = 250;

/** Changes of tables that always show the newest directory, and report to it who is a bot by its records. */
export class PublishedChanges implements DirectoryTables {
  readonly #store: Store;
  readonly #warehouse: IntakePort;
  readonly #directories: KnownDirectories;
  readonly #callBots: CallBots | undefined;
  /** The newest version of each directory that the tables are known to show. It is only ever raised. */
  readonly #shown = new Map<string, number>();
  /**
   * The directory that the tables have copies of, of organisations whose copies were all compared here since the start: an
   * earlier Plumb may have written them, in another form. A newer directory is compared with this one.
   */
  readonly #copied = new LRUCache<string, KnownDirectory>({ max: maxKeptDirectories });
  /** Organisations whose directory has heard of everyone whom records call a bot. After a start that is nobody's. */
  readonly #settled = new Set<string>();

  constructor(store: Store, warehouse: IntakePort, callBots: CallBots | undefined) {
    this.#store = store;
    this.#warehouse = warehouse;
    this.#callBots = callBots;
    this.#directories = new KnownDirectories(store);
  }

  /** Refuses an organisation that does not exist. */
  async requireOrganisation(organisationId: string): Promise<void> {
    await this.directoryOf(organisationId);
  }

  /** The present directory. */
  directoryOf(organisationId: string): Promise<KnownDirectory> {
    return this.#directories.of(organisationId);
  }

  /** One change, with the newest directory published in it first. */
  async change(organisationId: string, work: ChangeWork, options: ChangeOptions = {}): Promise<void> {
    // An unknown organisation gets no tables.
    await this.requireOrganisation(organisationId);
    let shown: KnownDirectory | undefined;
    let isCompared = false;
    let isOfAll = true;
    let verdicts: ReadonlyMap<string, boolean> = new Map();
    const change = async (writer: TableWriter) => {
      const buffered = new BufferedSession(writer);
      const { session } = buffered;
      const known = this.#store.isShared ? await session.directoryVersion() : 0;
      const directory = await this.#directories.of(organisationId, known);
      const before = this.#copied.get(organisationId);
      const isPublished = await publish(session, directory, before);
      // People who are onboarded meanwhile need not wait for the rest.
      if (!isPublished) await writer.leaveCopies?.();
      shown = directory;
      isCompared = isPublished || before !== undefined;
      const changedVotes = await work(session, directory);
      isOfAll = !this.#settled.has(organisationId) || isPublished || changedVotes === 'all';
      if (this.#callBots) {
        const some = isOfAll || changedVotes === 'all' ? undefined : changedVotes;
        verdicts = await newVerdicts(session, directory.calledBots, some);
      }
      await buffered.flush();
    };
    await this.#warehouse.change(organisationId, change, options);
    if (shown) this.#raise(organisationId, shown.version);
    if (shown && isCompared) this.#keepCopied(organisationId, shown);
    await this.#callOut(organisationId, verdicts, isOfAll);
  }

  /** After a change of the directory. A change that no table depends on does not wait for what is being written. */
  async publish(organisationId: string, writes?: () => void): Promise<void> {
    const { version, contentVersion } = await this.#directories.of(organisationId);
    const shown = this.shown(organisationId);
    if (shown !== undefined && shown >= contentVersion) this.#raise(organisationId, version);
    else await this.bringUp(organisationId, writes);
  }

  shown(organisationId: string): number | undefined {
    const isKnown = this.hasTables(organisationId) && this.#settled.has(organisationId);
    return isKnown ? this.#shown.get(organisationId) : undefined;
  }

  async isPublished(organisationId: string, options: ReadOptions = {}): Promise<boolean> {
    if (!this.hasTables(organisationId)) return false;
    if (this.#shown.has(organisationId)) return true;
    const shown = await this.#versionShown(organisationId, options);
    const version = await this.#store.read((session) => versionUnchangedSince(session, organisationId, shown), {
      organisationId,
      ...options,
    });
    if (version === undefined) return false;
    // A comparison with many organisations asks for each of them, time and again.
    this.#raise(organisationId, version);
    return true;
  }

  hasTables(organisationId: string): boolean {
    return this.#warehouse.holds(organisationId);
  }

  /**
   * Publishes the copies of the directory, and derives every row whose people or settings have changed. Changes nothing
   * needlessly.
   */
  async bringUp(organisationId: string, writes?: () => void): Promise<void> {
    const version = await this.#versionToShow(organisationId);
    if (version === undefined) {
      writes?.();
      if (await this.#publishCopies(organisationId)) return;
      if (await this.#publishInTurn(organisationId)) return;
      return this.bringUp(organisationId);
    }
    this.#raise(organisationId, version);
    if (!this.#settled.has(organisationId)) await this.#settle(organisationId, writes);
  }

  /**
   * Publishes a directory whose records mean what they meant: copies alone, which wait for no records that are being written.
   * Whether it was done, or was done already.
   */
  async #publishCopies(organisationId: string): Promise<boolean> {
    const before = this.#copied.get(organisationId);
    if (!this.#store.isShared || !before || !this.#settled.has(organisationId)) return false;
    const isAlike = (directory: KnownDirectory) => directory.meaning() === before.meaning();
    if (!isAlike(await this.#directories.of(organisationId))) return false;
    let shown: KnownDirectory | undefined;
    const change = async (writer: TableWriter) => {
      const known = await writer.directoryVersion();
      const directory = await this.#directories.of(organisationId, known);
      // Another server may have published it, or something else.
      const isShown = hasContentOf(directory, known);
      if (!isShown && !(isAlike(directory) && hasContentOf(before, known))) return;
      shown = directory;
      if (isShown) return;
      const buffered = new BufferedSession(writer);
      await copyDirectory(buffered.session, directory, before);
      await buffered.flush();
    };
    await this.#warehouse.change(organisationId, change, { isFirst: true, isOfCopies: true });
    if (!shown) return false;
    this.#raise(organisationId, shown.version);
    this.#keepCopied(organisationId, shown);
    return true;
  }

  /**
   * Waits for the turn, or until another server has published the same: the one that has the turn hears of every change and
   * publishes it before its next records. Whether it was done here.
   */
  async #publishInTurn(organisationId: string): Promise<boolean> {
    const done = new AbortController();
    const look = async () => {
      const version = await this.#versionToShow(organisationId).catch(() => undefined);
      if (version !== undefined) done.abort();
    };
    const looking = this.#store.isShared ? setInterval(() => void look(), lookMs) : undefined;
    try {
      await this.change(organisationId, async () => new Set(), {
        ticket: serviceTicket(organisationId, done.signal),
        isFirst: true,
      });
      return true;
    } catch (error) {
      if (error === done.signal.reason) return false;
      throw error;
    } finally {
      clearInterval(looking);
    }
  }

  /** A change that began earlier may end later. */
  #keepCopied(organisationId: string, directory: KnownDirectory): void {
    if ((this.#copied.get(organisationId)?.version ?? 0) <= directory.version)
      this.#copied.set(organisationId, directory);
  }

  /**
   * The version of the directory, where the tables have nothing to hear of it. One that changed no table is not written:
   * every server would do so when it starts, and compare all people for it while questions wait.
   */
  async #versionToShow(organisationId: string): Promise<number | undefined> {
    const directory = await this.#directories.of(organisationId);
    const { version } = directory;
    if (!this.hasTables(organisationId)) return undefined;
    const shown = await this.#versionShown(organisationId);
    if (hasContentOf(directory, shown)) {
      // Another server may have published it.
      if (this.#copied.has(organisationId)) this.#copied.set(organisationId, directory);
      return version;
    }
    return this.#store.read((session) => versionUnchangedSince(session, organisationId, shown), { organisationId });
  }

  /** Other servers may have published a newer version meanwhile. */
  #raise(organisationId: string, version: number): void {
    this.#shown.set(organisationId, Math.max(version, this.#shown.get(organisationId) ?? 0));
  }

  #versionShown(organisationId: string, options?: ReadOptions): Promise<number> {
    return this.#warehouse.read(organisationId, (session) => session.directoryVersion(), options);
  }

  /** Looks once after a start, for what a process that was killed had yet to report to the directory. */
  async #settle(organisationId: string, writes?: () => void): Promise<void> {
    let verdicts: ReadonlyMap<string, boolean> = new Map();
    if (this.#callBots) {
      const { calledBots } = await this.#directories.of(organisationId);
      verdicts = await this.#warehouse.read(organisationId, (session) => newVerdicts(session, calledBots));
    }
    if (verdicts.size > 0) writes?.();
    await this.#callOut(organisationId, verdicts, true);
  }

  /** Reports to the directory and publishes the result, until nothing is new: others report at the same time. */
  async #callOut(organisationId: string, verdicts: ReadonlyMap<string, boolean>, areOfAll: boolean): Promise<void> {
    if (verdicts.size === 0 || !this.#callBots) {
      if (areOfAll) this.#settled.add(organisationId);
      return;
    }
    try {
      await this.#callBots(organisationId, verdicts);
      await this.change(organisationId, async () => 'all', { isFirst: true });
    } catch (error) {
      // Questions wait until everyone was looked at again.
      this.#settled.delete(organisationId);
      throw error;
    }
  }
}

/**
 * A store whose changes are published before they are answered, so that the caller finds its change in the tables.
 * There is no transaction across the two: a change that could not be published is kept all the same, the publisher
 * tries again, and questions wait until then.
 */
export function publishing(
  store: Store,
  changed: (organisationId: string) => Promise<void>,
  onError: (error: unknown) => void,
): Store {
  return {
    engine: store.engine,
    isShared: store.isShared,
    writerTurns: store.writerTurns,
    read: (work, turn) => store.read(work, turn),
    note: (work) => store.note(work),
    versionOf: (organisationId) => store.versionOf(organisationId),
    watch: (listener) => store.watch(listener),
    holdWrites: () => store.holdWrites(),
    close: () => store.close(),
    async change<T>(
      organisationId: string,
      work: (session: OrganisationWriting) => Promise<T>,
      turn?: StoreCaller,
    ): Promise<T> {
      const result = await store.change(organisationId, work, turn);
      await changed(organisationId).catch((error: unknown) => {
        // A change may have been its deletion.
        if (!(error instanceof Refusal && error.reason === 'not-found')) onError(error);
      });
      return result;
    },
  };
}
