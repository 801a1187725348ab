import { type Clock, systemClock } from '../sources/http/clock.ts';
import { type OpenedSource, openSource } from '../sources/open-source.ts';
import { type ChangedObject, type OpenSource, SourceProblem } from '../sources/source.ts';
import { findSource, SourceRemoved, type SourceRow } from '../store/source-rows.ts';
import {
  finishDeliveries,
  forgetDeliveries,
  openDeliveries,
  sourcesWithDeliveries,
  type WebhookDeliveryRow,
} from '../store/webhook-deliveries.ts';
import { PageIntake } from './page-intake.ts';
import type { SyncsParts } from './syncs.ts';

export interface RereadsParts
  extends Pick<SyncsParts, 'directory' | 'ingest' | 'prepare' | 'takeHostDirectory' | 'onError' | 'clock' | 'random'> {
  /** After how long what another server has kept counts as left, and how often that is looked for. */
  readonly leftAfterMs?: number;
}

/** Calls about one object come in bursts: so long is waited for the others. */
const joinMs = 500;
const retryMs = 60_000;
const defaultLeftAfterMs = 10 * 60_000;
const deliveriesAtOnce = 1_000;
const objectsAtOnce = 8;
/** An object that could not be read for so long has been read by the hourly sync. */
const givenUpAfterMs = 24 * 3_600_000;
/** No provider repeats a call after so long. */
const rememberedMs = 7 * 24 * 3_600_000;

/**
 * Reads again what webhooks said has changed. Calls about one object are one read, of the object as it is now. Which calls
 * are still to be read stands in the store: a restart loses none, and what a server that has ended for good has left is read
 * by another.
 */
export class Rereads {
  readonly #parts: RereadsParts;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  /** Sources about which a call came while they were being read. */
  readonly #asked = new Set<string>();
  #starting: Promise<void> = Promise.resolve();
  #looking: NodeJS.Timeout | undefined;
  #looked: Promise<void> = Promise.resolve();

  constructor(parts: RereadsParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
  }

  /** Goes on with what was left when the process ended. */
  start(): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve();
    this.#starting = this.#nudgeLeft();
    const { leftAfterMs = defaultLeftAfterMs } = this.#parts;
    const look = () => {
      this.#looked = this.#readLeft(leftAfterMs).catch((error: unknown) => this.#report(error));
    };
    this.#looking ??= setInterval(look, leftAfterMs).unref();
    return this.#starting;
  }

  async #nudgeLeft(): Promise<void> {
    const { store } = this.#parts.directory;
    await store.note((session) => forgetDeliveries(session, new Date(this.#clock.now() - rememberedMs)));
    for (const sourceId of await store.read(sourcesWithDeliveries)) this.nudge(sourceId);
  }

  /** Once: a server that still has them at work tries again by itself. */
  async #readLeft(leftAfterMs: number): Promise<void> {
    const { store } = this.#parts.directory;
    const before = new Date(this.#clock.now() - leftAfterMs);
    for (const sourceId of await store.read((session) => sourcesWithDeliveries(session, before))) {
      if (this.#stop.signal.aborted || this.#running.has(sourceId)) continue;
      this.#run(sourceId, async () => void (await this.#readSource(sourceId)));
    }
  }

  /** A call about a source was kept. */
  nudge(sourceId: string): void {
    if (this.#stop.signal.aborted) return;
    this.#asked.add(sourceId);
    if (!this.#running.has(sourceId)) this.#run(sourceId, () => this.#work(sourceId));
  }

  #run(sourceId: string, work: () => Promise<void>): void {
    const run = work()
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#running.delete(sourceId);
        // A call that came between the last look and this point.
        if (this.#asked.has(sourceId)) this.nudge(sourceId);
      });
    this.#running.set(sourceId, run);
  }

  /** Resolves when nothing is being read. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('re-reads are being closed'));
    clearInterval(this.#looking);
    this.#asked.clear();
    // The caller that started a re-read gets its error.
    await Promise.allSettled([this.#starting, this.#looked]);
    await Promise.allSettled(this.#running.values());
  }

  #report(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#parts.onError(error);
  }

  async #work(sourceId: string): Promise<void> {
    while (this.#asked.has(sourceId)) {
      await this.#clock.sleep(joinMs, this.#stop.signal);
      this.#asked.delete(sourceId);
      if (await this.#readSource(sourceId)) continue;
      await this.#clock.sleep(retryMs, this.#stop.signal);
      this.#asked.add(sourceId);
    }
  }

  /** Whether all calls about the source are read. */
  async #readSource(sourceId: string): Promise<boolean> {
    const { directory } = this.#parts;
    const source = await directory.store.read((session) => findSource(session, sourceId));
    if (!source) return true;
    const opened = await this.#open(source).catch(passingProblem);
    if (!opened) return false;
    try {
      return await this.#readDeliveries(source, opened.source);
    } finally {
      opened.close();
    }
  }

  async #open(source: SourceRow): Promise<OpenedSource> {
    const { prepare, random, ingest } = this.#parts;
    const { kind, settings, mayBePrivate, memory } = await prepare(source);
    return openSource(kind, settings, {
      mayBePrivate,
      signal: this.#stop.signal,
      clock: this.#clock,
      repositories: ingest.repositoriesOf(source.organisation_id),
      ...(random ? { random } : {}),
      ...(memory ? { memory } : {}),
    });
  }

  async #readDeliveries(source: SourceRow, open: OpenSource): Promise<boolean> {
    const { store } = this.#parts.directory;
    for (;;) {
      const deliveries = await store.read((session) => openDeliveries(session, source.id, deliveriesAtOnce));
      if (deliveries.length === 0) return true;
      const unread = await this.#readObjects(source, open, deliveries);
      const at = this.#clock.now();
      const isDone = (delivery: WebhookDeliveryRow) =>
        at - delivery.received_at.getTime() > givenUpAfterMs || objectsOf(delivery).every(({ id }) => !unread.has(id));
      const done = deliveries.filter(isDone).map(({ delivery_id }) => delivery_id);
      await store.note((session) => finishDeliveries(session, source.id, done, new Date(at)));
      if (done.length < deliveries.length) return false;
    }
  }

  /** Each object once, however many calls were about it. Returns the ids of those that could not be read. */
  async #readObjects(
    source: SourceRow,
    open: OpenSource,
    deliveries: readonly WebhookDeliveryRow[],
  ): Promise<ReadonlySet<string>> {
    const { directory, ingest, takeHostDirectory } = this.#parts;
    const intake = new PageIntake({
      organisationId: source.organisation_id,
      directory,
      ingest,
      takeHostDirectory: async (members) => (await takeHostDirectory?.(source, members)) ?? {},
    });
    // A later call about an object may name it by a newer name.
    const objects = [...new Map(deliveries.flatMap(objectsOf).map((object) => [object.id, object])).values()];
    const unread = new Set<string>();
    const read = async (object: ChangedObject) => {
      try {
        const page = await open.reread?.(object);
        if (page) await intake.take(page);
      } catch (error) {
        this.#stop.signal.throwIfAborted();
        // The hourly sync reports an object that stays refused to the owner, who can put it right.
        if (error instanceof SourceProblem && !error.mayPass) return;
        if (error instanceof SourceRemoved) return;
        unread.add(object.id);
        if (!(error instanceof SourceProblem)) this.#parts.onError(error);
      }
    };
    const next = objects.values();
    const worker = async () => {
      for (const object of next) await read(object);
    };
    await Promise.all(Array.from({ length: objectsAtOnce }, worker));
    return unread;
  }
}

const objectsOf = ({ objects }: WebhookDeliveryRow): readonly ChangedObject[] =>
  JSON.parse(objects) as readonly ChangedObject[];

/** Settings that are not usable now may be so later; the hourly sync says what to do about them. */
function passingProblem(error: unknown): undefined {
  if (error instanceof SourceProblem) return undefined;
  throw error;
}
