import { type References, UnmatchedReferences } from '../../catalogue/record-ids.ts';
import type { Rejection } from '../../directory/put-records.ts';
import { BrokenInput } from '../../ingest/read/byte-source.ts';
import { Refusal } from '../../refusal.ts';

/** Rejections that an answer lists; all of them are counted. */
export const maxErrors = 100;

/** The counts of accepted and rejected records of one body so far. */
export class RecordTally<R extends Rejection = Rejection> {
  accepted = 0;
  rejected = 0;
  readonly errors: R[] = [];
  /** People that records were of, and whether each is onboarded. Undefined where records are of nothing of the kind. */
  #people: Map<string, boolean> | undefined;
  readonly #unmatched = new UnmatchedReferences();

  add(accepted: number, rejected: readonly R[]): void {
    this.accepted += accepted;
    this.rejected += rejected.length;
    this.errors.push(...rejected.slice(0, maxErrors - this.errors.length));
  }

  addPeople(people: Readonly<Record<string, boolean>> | undefined): void {
    if (!people) return;
    this.#people ??= new Map();
    for (const [id, isOnboarded] of Object.entries(people)) this.#people.set(id, isOnboarded);
  }

  addUnmatched(references: References | undefined): void {
    this.#unmatched.add(references);
  }

  /** References that match nothing, by field: the first of them. Undefined where there are none. */
  get unmatched(): Record<string, string[]> | undefined {
    const { unmatched } = this.#unmatched.found;
    let left = maxErrors;
    const listed = Object.entries(unmatched ?? {}).flatMap(([field, ids]) => {
      const first = ids.slice(0, left);
      left -= first.length;
      return first.length > 0 ? [[field, first] as const] : [];
    });
    return unmatched && Object.fromEntries(listed);
  }

  /** How many of the people are onboarded and how many are not, each counted once. */
  get onboarding(): { readonly onboarded: number; readonly not_onboarded: number } | undefined {
    if (!this.#people) return undefined;
    const onboarded = [...this.#people.values()].filter((isOnboarded) => isOnboarded).length;
    return { onboarded, not_onboarded: this.#people.size - onboarded };
  }

  /** The note for a caller whose body was not read to its end: how much of it was taken. */
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
    if (this.accepted === 1) return 'The one record accepted before that stays. Sending it again changes nothing.';
    return `The ${this.accepted} records accepted before that stay. Sending them again changes nothing.`;
  }
}
