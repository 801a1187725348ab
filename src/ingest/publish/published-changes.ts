import type { Store } from '../../store/store.ts';
import type { ChangeOptions, IntakePort, TableWriter } from '../../warehouse/intake-port.ts';
import { newVerdicts } from '../resolve/bot-people.ts';
import { BufferedSession } from '../write/buffered-session.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import type { DirectoryTables } from './directory-publisher.ts';
import { KnownDirectories, type KnownDirectory, versionUnchangedSince } from './known-directory.ts';
import type { Progress } from './publication.ts';
import { publish } from './publish.ts';

/** Reports to the directory whom most of their records call a bot, and whom no longer. */
export type CallBots = (organisationId: string, called: ReadonlyMap<string, boolean>) => Promise<void>;

/** The work of a change. Returns the accounts whose votes it has touched: their person may be a bot now, or none any more. */
export type Work = (session: IntakeSession, directory: KnownDirectory) => Promise<ReadonlySet<string> | 'all'>;

/** Changes of tables that always show the newest directory, and report to it who is a bot by its records. */
export class PublishedChanges implements DirectoryTables {
  readonly #store: Store;
  readonly #warehouse: IntakePort;
  readonly #directories: KnownDirectories;
  readonly #callBots: CallBots | undefined;
  /** What of each directory the tables are known to show. */
  readonly #published = new Map<string, number>();
  /** The versions of organisations that were found to be shown, so that asking again needs no directory at hand. */
  readonly #shown = new Map<string, number>();
  /** Organisations whose directory has heard of everyone whom records call a bot. */
  readonly #settled = new Set<string>();

  constructor(store: Store, warehouse: IntakePort, callBots: CallBots | undefined) {
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
    const change = async (writer: TableWriter) => {
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

  /** After a change of the directory. A change that no table depends on does not wait for what is being written. */
  async publish(organisationId: string, progress?: Progress): Promise<void> {
    const { version, contentVersion } = await this.#directories.of(organisationId);
    const isPublished = contentVersion === this.#published.get(organisationId) && this.hasTables(organisationId);
    if (isPublished) this.#shown.set(organisationId, version);
    else await this.bringUp(organisationId, progress);
  }

  /** Whether the tables show the newest directory. Reads only. */
  async isPublished(organisationId: string): Promise<boolean> {
    if (!this.hasTables(organisationId)) return false;
    const current = this.#store.versionOf(organisationId);
    const known = this.#shown.get(organisationId);
    if (current !== undefined && current === known) return true;
    const shown = known ?? (await this.#versionShown(organisationId));
    const version = await this.#store.read((session) => versionUnchangedSince(session, organisationId, shown), {
      organisationId,
    });
    if (version === undefined) return false;
    this.#shown.set(organisationId, version);
    return true;
  }

  hasTables(organisationId: string): boolean {
    return this.#warehouse.holds(organisationId);
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
