import { Cron } from 'croner';
import type { Alerts } from '../alerts/alert-evaluation.ts';
import { endRound, findEvaluationRound, organisationsWithMessages, takeRound } from '../store/alert-rows.ts';
import { findOrganisation } from '../store/organisation-rows.ts';
import type { Store } from '../store/store.ts';
import type { Digests } from './digests.ts';

export interface EvaluationParts {
  readonly store: Pick<Store, 'read' | 'note'>;
  readonly warehouse: { versionOf(organisationId: string): number | undefined };
  readonly alerts: Pick<Alerts, 'evaluate' | 'hasQuietEnded'>;
  readonly digests: Pick<Digests, 'sendDue'>;
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly now: () => Date;
  /** Called with the error of an organisation. The others go on. */
  readonly onError: (error: unknown) => void;
}

const everyMinute = '* * * * *';
const hourMs = 3_600_000;
/** New data are looked at once they have stopped to come for a while, or every so often while they come. */
const newDataAfterMs = 5 * 60_000;
/** A process that ends before it is done is replaced after so long. */
const leaseMs = 10 * 60_000;

/**
 * Looks every minute which organisations are to be looked at: their digests when they are due, and their alerts after new
 * data, at the end of quiet hours, and at least every hour. Of several processes, one does it.
 */
export class EvaluationSchedule {
  readonly #parts: EvaluationParts;
  readonly #stop = new AbortController();
  /** Organisations of which a source was read since they were last looked at. */
  readonly #read = new Set<string>();
  #cron: Cron | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(parts: EvaluationParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#stop.signal.aborted) return;
    const look = () => {
      this.#round = this.look().catch((error: unknown) => this.#report(error));
      return this.#round;
    };
    this.#cron = new Cron(everyMinute, { protect: true, unref: true }, look);
    void look();
  }

  /** A source of an organisation was read. */
  noteRead(organisationId: string): void {
    this.#read.add(organisationId);
  }

  /** Evaluates what is to be evaluated now, one organisation after another. */
  async look(): Promise<void> {
    const { store } = this.#parts;
    for (const organisationId of await store.read(organisationsWithMessages)) {
      if (this.#stop.signal.aborted) return;
      await this.#evaluate(organisationId).catch((error: unknown) => this.#report(error));
    }
  }

  async close(): Promise<void> {
    this.#cron?.stop();
    this.#stop.abort(new Error('the service is being closed'));
    await this.#round;
  }

  async #evaluate(organisationId: string): Promise<void> {
    const { store, warehouse, alerts, digests, holder, now } = this.#parts;
    const { signal } = this.#stop;
    const [began, until] = [now(), new Date(now().getTime() + leaseMs)];
    if (!(await takeRound(store, { organisationId, holder, now: began, until }))) return;
    let evaluated: { at: Date; dataVersion: string | null } | undefined;
    try {
      await digests.sendDue(organisationId, signal);
      const dataVersion = warehouse.versionOf(organisationId)?.toString() ?? null;
      if (await this.#isDue(organisationId, began, dataVersion)) {
        this.#read.delete(organisationId);
        await alerts.evaluate(organisationId, signal);
        if (!signal.aborted) evaluated = { at: began, dataVersion };
      }
    } finally {
      await endRound(store, { organisationId, holder }, evaluated);
    }
  }

  async #isDue(organisationId: string, now: Date, dataVersion: string | null): Promise<boolean> {
    const { store, alerts } = this.#parts;
    const { round, zone } = await store.read(
      async (session) => ({
        round: await findEvaluationRound(session, organisationId),
        zone: (await findOrganisation(session, organisationId))?.time_zone ?? 'UTC',
      }),
      { organisationId },
    );
    const at = round?.evaluated_at;
    if (!at) return true;
    const since = now.getTime() - at.getTime();
    const isNew = (round.data_version !== dataVersion || this.#read.has(organisationId)) && since >= newDataAfterMs;
    return since >= hourMs || isNew || alerts.hasQuietEnded(organisationId, at, zone);
  }

  #report(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#parts.onError(error);
  }
}
