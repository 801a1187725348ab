import { tmpdir } from 'node:os';
import { serviceTicket } from '../admission/ticket.ts';
import { type References, UnmatchedReferences } from '../catalogue/record-ids.ts';
import type { FactTable } from '../catalogue/tables/all-tables.ts';
import type { RecordsOutcome, Rejection } from '../directory/put-records.ts';
import type { KnownRepositories } from '../sources/source.ts';
import type { Store } from '../store/store.ts';
import type { ChangeOptions, IntakePort, TableReader } from '../warehouse/intake-port.ts';
import { derivationRules } from '../warehouse/schema.ts';
import { applyRecords } from './apply/apply-records.ts';
import { tableOf } from './apply/batch.ts';
import { applyPosted } from './apply/posthook/intake.ts';
import { type HookSender, SessionGate } from './apply/posthook/session-gate.ts';
import { type Portion, runPipeline } from './pipeline.ts';
import { DirectoryPublisher } from './publish/directory-publisher.ts';
import { knownRepositories } from './publish/known-directory.ts';
import { type CallBots, PublishedChanges } from './publish/published-changes.ts';
import type { PostedRow } from './read/posted-rows.ts';
import type { PostedRejection } from './read/posthook-payload.ts';
import { problemsOfAllBad, readChanges, type TableRecords } from './read/record-changes.ts';
import { Spool } from './read/spool.ts';
import { portioned } from './read/stored-rows.ts';
import { rederive } from './rederive.ts';
import { divideSurvey, dueSurveys } from './surveys/survey-division.ts';
import { divideTouched, everySurvey, settleSurveys, TouchedSurveys } from './surveys/touched-surveys.ts';
import type { RowTally } from './write/table-overlay.ts';

class NothingKept extends Error {}

interface IngestOptions {
  /** The folder for what waits until all of it has arrived. By default the system's folder for temporary files. */
  readonly spoolFolder?: string;
  /** Other servers write the same tables, newer ones among them. */
  readonly sharesTables?: boolean;
  readonly now?: () => Date;
  /** Where it is absent, nothing is reported to the directory. */
  readonly callBots?: CallBots;
  /** Records that are derived at once: memory holds them, and the rows that they belong to. */
  readonly portionRows?: number;
  /** Called for directories that could not be published and are tried again. */
  readonly onError?: (error: unknown) => void;
}

interface BatchOptions {
  readonly strict?: boolean;
  /** Called with how many rows of a table are new or different by each part of a change. */
  readonly count?: (table: FactTable, rows: RowTally) => void;
  /** The result also names the references of the records that match nothing. */
  readonly looksUpReferences?: boolean;
  /** More of the same comes in changes of their own. Surveys are divided when `divideSurveys` is called after them. */
  readonly isPart?: boolean | undefined;
}

/** The caller in whose name records wait to be written. */
type IntakeCaller = Pick<ChangeOptions, 'ticket' | 'mayBeStopped'>;

/** Takes records in: people resolved, everything derived, and all of a batch visible at once or nothing of it. */
export class Ingest {
  readonly #warehouse: IntakePort;
  readonly #changes: PublishedChanges;
  readonly #spoolFolder: string;
  readonly #sharesTables: boolean;
  readonly #portionRows: number;
  readonly #now: () => Date;
  /** Publishes directories to the tables, and knows what is published. */
  readonly publisher: DirectoryPublisher;

  constructor(
    store: Store,
    warehouse: IntakePort,
    {
      spoolFolder = tmpdir(),
      sharesTables = false,
      portionRows = 25_000,
      now = () => new Date(),
      callBots,
      onError = () => {},
    }: IngestOptions = {},
  ) {
    this.#warehouse = warehouse;
    this.#spoolFolder = spoolFolder;
    this.#sharesTables = sharesTables;
    this.#portionRows = portionRows;
    this.#now = now;
    this.#changes = new PublishedChanges(store, warehouse, callBots);
    this.publisher = new DirectoryPublisher(store, this.#changes, onError);
  }

  /**
   * Records of several tables as one change, from HTTP, an import or a connector alike. Bad ones are reported by line
   * and do not stop the rest, unless `strict`.
   */
  async put(
    organisationId: string,
    batch: readonly TableRecords[],
    {
      strict = false,
      count,
      looksUpReferences = false,
      isPart,
      ticket,
      mayBeStopped,
    }: BatchOptions & IntakeCaller = {},
  ): Promise<RecordsOutcome[]> {
    let rejected = batch.map((): Rejection[] => []);
    const unmatched = batch.map(() => new UnmatchedReferences());
    const outcomes = (): RecordsOutcome[] => {
      const isKept = !strict || rejected.every((some) => some.length === 0);
      return batch.map(({ lines }, i) => ({
        accepted: isKept ? lines.length - (rejected[i]?.length ?? 0) : 0,
        rejected: rejected[i] ?? [],
        ...(isKept ? unmatched[i]?.found : {}),
      }));
    };
    // Readers need not wait for a change that changes nothing.
    const bad = await problemsOfAllBad(batch);
    if (bad) {
      await this.#changes.requireOrganisation(organisationId);
      rejected = bad;
      return outcomes();
    }
    const portions = portionsOf(batch, this.#portionRows).map(
      (some): Portion =>
        async (rows) => {
          for (const { place, records } of some) {
            const reportUnmatched = looksUpReferences ? unmatched[place]?.add : undefined;
            rejected[place]?.push(...(await applyRecords(rows, records, { reportUnmatched })));
          }
          for (const table of count ? new Set(some.map(({ records }) => records.table)) : []) {
            count?.(table, tableOf(rows, table).tally());
          }
        },
    );
    const refuseBad: Portion = async () => {
      if (rejected.some((some) => some.length > 0)) throw new NothingKept();
    };
    return this.#take(
      organisationId,
      strict ? [...portions, refuseBad] : portions,
      { ticket, mayBeStopped },
      isPart,
    ).then(outcomes, (error: unknown) => {
      if (error instanceof NothingKept) return outcomes();
      throw error;
    });
  }

  /**
   * Records as one change, however many they are and however long they take to come: one bad record, and none is kept.
   * They are written to a file first, so that nobody has to wait for their sender. Memory holds one part at a time.
   */
  async putStrictly(organisationId: string, parts: AsyncIterable<TableRecords>): Promise<RecordsOutcome> {
    await this.#changes.requireOrganisation(organisationId);
    const rejected: Rejection[] = [];
    let accepted = 0;
    const spool = await Spool.open<TableRecords>(this.#spoolFolder);
    try {
      for await (const records of parts) {
        for (const problem of (await readChanges(records)).rejected) rejected.push(problem);
        accepted += records.lines.length;
        if (rejected.length === 0) await spool.add(records);
      }
      if (rejected.length > 0) return { accepted: 0, rejected };
      const unmatched = new UnmatchedReferences();
      await this.#take(organisationId, spooledPortions(spool, unmatched.add));
      return { accepted, rejected, ...unmatched.found };
    } finally {
      await spool.close();
    }
  }

  /** Rows of the coding-agent hook, each piece as one change. `done` is called after each change. */
  async putPosted(
    organisationId: string,
    pieces: AsyncIterable<readonly PostedRow[]>,
    sender: HookSender,
    done: (accepted: number, rejected: readonly PostedRejection[]) => void,
    caller: IntakeCaller = {},
  ): Promise<void> {
    const gate = new SessionGate(sender);
    for await (const piece of pieces) {
      let rejected: readonly PostedRejection[] = [];
      const apply: Portion = async (batch) => {
        rejected = await applyPosted(batch, piece, gate);
      };
      await this.#take(organisationId, [apply], caller);
      done(piece.length - rejected.length, rejected);
    }
  }

  /** One change of everything that the portions bring. */
  #take(
    organisationId: string,
    portions: Iterable<Portion> | AsyncIterable<Portion>,
    caller: IntakeCaller = {},
    isPart = false,
  ): Promise<void> {
    return this.#changes.change(
      organisationId,
      async (session, directory) => {
        const touched = new TouchedSurveys();
        const changedVotes = await runPipeline(session, directory, portions, { surveys: touched });
        await settleSurveys(session, directory, touched, this.#now());
        if (!isPart) await divideTouched(session, directory, touched, this.#now());
        return changedVotes;
      },
      caller,
    );
  }

  /** The repositories that are known before a source is read. */
  repositoriesOf(organisationId: string): KnownRepositories {
    return knownRepositories(organisationId, () => this.#changes.directoryOf(organisationId), this.#warehouse);
  }

  /** Brings the tables to the state of the directory. Changes nothing needlessly. */
  bringUp(organisationId: string): Promise<void> {
    return this.#changes.bringUp(organisationId);
  }

  /** Recomputes everything from what records gave; nothing of it where it is stopped before its end. */
  async rederive(organisationId: string, signal?: AbortSignal): Promise<void> {
    await this.#rederiveIf(async () => true, organisationId, signal);
  }

  async #rederiveIf(
    isDue: (session: TableReader) => Promise<boolean>,
    organisationId: string,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    let isDone = false;
    await this.#changes.change(organisationId, async (session, directory) => {
      isDone = await isDue(session);
      if (!isDone) return new Set();
      await rederive(session, directory, { signal });
      const surveys = await everySurvey(session);
      await settleSurveys(session, directory, surveys, this.#now());
      await divideTouched(session, directory, surveys, this.#now());
      await session.setDerivationVersion(derivationRules);
      return 'all';
    });
    return isDone;
  }

  /** The same, if other rules than today's derived the stored rows. Returns whether it was done here. */
  async renew(organisationId: string, signal?: AbortSignal): Promise<boolean> {
    if (!this.#warehouse.holds(organisationId)) return false;
    // Questions that come meanwhile then find the directory published already, and have no change of it to wait for.
    await this.publisher.publish(organisationId);
    const isDue = async (session: TableReader) => this.#isOutdated(await session.derivationVersion());
    if (!(await this.#warehouse.read(organisationId, isDue))) return false;
    // Looked at again in its turn: another server may have done it meanwhile.
    return this.#rederiveIf(isDue, organisationId, signal);
  }

  /**
   * Divides the surveys whose last answer has been long enough ago. Looked at again in its turn: another server may have
   * done it meanwhile. Whether there was anything to do.
   */
  async divideSurveys(organisationId: string, signal?: AbortSignal): Promise<boolean> {
    if (!this.#warehouse.holds(organisationId)) return false;
    const at = Math.floor(this.#now().getTime() / 1_000);
    const due = await this.#warehouse.read(organisationId, (session) => dueSurveys(session, at));
    if (due.length === 0) return false;
    await this.#changes.change(
      organisationId,
      async (session, directory) => {
        for (const survey of await dueSurveys(session, at)) await divideSurvey(session, directory, survey, at);
        return new Set();
      },
      { ticket: serviceTicket(organisationId, signal) },
    );
    return true;
  }

  /** Beside a newer server, an older one leaves alone what the newer one has derived. */
  #isOutdated(version: number): boolean {
    return this.#sharesTables ? version < derivationRules : version !== derivationRules;
  }
}

interface PlacedRecords {
  /** Their place in the batch. */
  readonly place: number;
  readonly records: TableRecords;
}

/** The portions of one change, each of which fits into memory: every repository is attributed once for all of them. */
function portionsOf(batch: readonly TableRecords[], maxRows: number): PlacedRecords[][] {
  const pieces = batch.flatMap((whole, place) => divided(whole, maxRows).map((records) => ({ place, records })));
  return portioned(pieces, maxRows, ({ records }) => records.lines.length);
}

/** A whole set stays together: what is not in it is taken away. */
const divided = (records: TableRecords, maxRows: number): TableRecords[] =>
  records.wholeSetsOf ? [records] : portioned(records.lines, maxRows).map((lines) => ({ ...records, lines }));

async function* spooledPortions(
  spool: Spool<TableRecords>,
  reportUnmatched: (references: References) => void,
): AsyncGenerator<Portion> {
  for await (const records of spool.parts()) {
    yield async (batch) => {
      const [problem] = await applyRecords(batch, records, { reportUnmatched });
      if (problem) throw new Error(`a record that was found good is bad: ${problem.detail}`);
    };
  }
}
