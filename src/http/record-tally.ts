import type { Rejection } from '../directory/records.ts';
import { BrokenInput } from '../ingest/record-file/byte-source.ts';
import { Refusal } from '../refusal.ts';

/** Rejections that an answer lists; all of them are counted. */
export const errorsMost = 100;

/** What became of the records of one body so far. */
export class RecordTally<R extends Rejection = Rejection> {
  accepted = 0;
  rejected = 0;
  readonly errors: R[] = [];

  add(accepted: number, rejected: readonly R[]): void {
    this.accepted += accepted;
    this.rejected += rejected.length;
    this.errors.push(...rejected.slice(0, errorsMost - this.errors.length));
  }

  /** What to tell a caller whose body could not be taken to its end, so that they know where they are. */
  explain(error: unknown): unknown {
    if (error instanceof BrokenInput) {
      return new Refusal('bad-input', `The body cannot be read: ${error.message}. ${this.#kept()}`);
    }
    if (!(error instanceof Refusal) || this.accepted === 0) return error;
    const message = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
    return new Refusal(error.reason, `${message} ${this.#kept()}`, error.hints);
  }

  #kept(): string {
    if (this.accepted === 0) return 'Nothing of it was kept.';
    if (this.accepted === 1) return 'The one record accepted before that stays; sending it again changes nothing.';
    return `The ${this.accepted} records accepted before that stay; sending them again changes nothing.`;
  }
}
