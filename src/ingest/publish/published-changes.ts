import type { Store } from '../../store/store.ts';
import type { Patience } from '../../turns/turn.ts';
import type { ChangeOptions, Warehouse, Writing } from '../../warehouse/warehouse.ts';
import { newVerdicts } from '../resolve/bot-people.ts';
import { BufferedSession, type IntakeSession } from '../write/buffered-session.ts';
import { KnownDirectories, type KnownDirectory } from './known-directory.ts';
import { Preparation, type Progress } from './preparation.ts';
import { publish } from './publish.ts';

/** Reports to the directory whom most of their records call a bot, and whom no longer. */
export type CallBots = (organisationId: string, called: ReadonlyMap<string, boolean>) => Promise<void>;

/** The work of a change. Returns the accounts whose votes it has touched: their person may be a bot now, or none any more. */
export type Work = (session: IntakeSession, directory: KnownDirectory) => Promise<ReadonlySet<string> | 'all'>;

/** Changes of tables that always show the newest directory, and report to it who is a bot by its records. */
export class PublishedChanges {
  readonly #store: Store;
  readonly #warehouse: Warehouse;
  readonly #directories: KnownDirectories;
  readonly #callBots: CallBots | undefined;
  /** What of each directory the tables are known to show. */
  readonly #published = new Map<string, number>();
  /** The versions of organisations that were found to be shown, so that asking again needs no directory at hand. */
  readonly #shown = new Map<string, number>();
  readonly #preparing = new Map<string, Preparation>();
  /** Organisations whose directory has heard of everyone whom records call a bot. */
  readonly #settled = new Set<string>();

  constructor(store: Store, warehouse: Warehouse, callBots: CallBots | undefined) {
    this.#store = store;
    this.#warehouse = warehouse;
    this.#callBots = callBots;
    this.#directories = new KnownDirectories(store);
  }

  /** Refuses an organisation that does not exist. */
  async requireOrganisation(organisationId: string): Promise<void> {
    await this.#directories.of(organisationId);
  }

  /** One change, with the newest directory published in it before. */
  async change(organisationId: string, work: Work, options: ChangeOptions = {}): Promise<void> {
    // Nothing is made for an organisation that does not exist.
    await this.requireOrganisation(organisationId);
    let [published, shown] = [0, 0];
    let verdicts: ReadonlyMap<string, boolean> = new Map();
    const change = async (writer: Writing) => {
      const buffered = new BufferedSession(writer);
      const { session } = buffered;
      const directory = await this.#directories.of(organisationId);
      [published, shown] = [directory.contentVersion, directory.version];
      const isPublished = await publish(session, directory);
      const recounted = await work(session, directory);
      const isKnown = this.#settled.has(organisationId) && !isPublished && recounted !== 'all';
      if (this.#callBots) {
        verdicts = await newVerdicts(session, directory.calledBots, isKnown ? recounted : undefined);
      }
      await buffered.flush();
    };
    await this.#warehouse.change(organisationId, change, options);
    this.#published.set(organisationId, published);
    this.#shown.set(organisationId, shown);
    await this.#callOut(organisationId, verdicts);
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
      await this.change(organisationId, async () => new Set(), { isFirst: true, begun: progress?.begun });
      return;
    }
    if (!this.#settled.has(organisationId)) await this.#settle(organisationId);
    this.#published.set(organisationId, contentVersion);
    this.#shown.set(organisationId, version);
  }

  #versionShown(organisationId: string): Promise<number> {
    return this.#warehouse.read(organisationId, (session) => session.directoryVersion());
  }

  /** Looks once after a start, for what a process that was killed had yet to report to the directory. */
  async #settle(organisationId: string): Promise<void> {
    if (!this.#callBots) return;
    const { calledBots } = await this.#directories.of(organisationId);
    const verdicts = await this.#warehouse.read(organisationId, (session) => newVerdicts(session, calledBots));
    await this.#callOut(organisationId, verdicts);
  }

  /** Reports to the directory and publishes the result, until nothing is new: others report at the same time. */
  async #callOut(organisationId: string, verdicts: ReadonlyMap<string, boolean>): Promise<void> {
    if (verdicts.size > 0 && this.#callBots) {
      // Whatever goes wrong from here on, the next change looks at everyone again.
      this.#settled.delete(organisationId);
      await this.#callBots(organisationId, verdicts);
      await this.change(organisationId, async () => new Set(), { isFirst: true });
    }
    this.#settled.add(organisationId);
  }
}
