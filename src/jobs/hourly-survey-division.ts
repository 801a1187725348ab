import { Cron } from 'croner';

interface SurveyDivisionParts {
  readonly warehouse: { organisations(): Promise<string[]> };
  readonly ingest: {
    /** Divides the surveys whose time has come. Any process may do it, and only one does. */
    divideSurveys(organisationId: string, signal: AbortSignal): Promise<boolean>;
  };
  /** Called with the error of an organisation. The others go on. */
  readonly onError: (error: unknown) => void;
}

const everyHour = '0 * * * *';

/** Looks every hour for anonymous surveys whose last answer has been long enough ago: no record comes that would say so. */
export class SurveyDivisions {
  readonly #parts: SurveyDivisionParts;
  readonly #stop = new AbortController();
  #cron: Cron | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(parts: SurveyDivisionParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#stop.signal.aborted) return;
    const look = () => {
      this.#round = this.look().catch((error: unknown) => this.#report(error));
      return this.#round;
    };
    this.#cron = new Cron(everyHour, { protect: true, unref: true }, look);
    void look();
  }

  async look(): Promise<void> {
    const { warehouse, ingest } = this.#parts;
    const { signal } = this.#stop;
    for (const organisationId of await warehouse.organisations()) {
      if (signal.aborted) return;
      await ingest.divideSurveys(organisationId, signal).catch((error: unknown) => this.#report(error));
    }
  }

  async close(): Promise<void> {
    this.#cron?.stop();
    this.#stop.abort(new Error('the service is being closed'));
    await this.#round;
  }

  #report(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#parts.onError(error);
  }
}
