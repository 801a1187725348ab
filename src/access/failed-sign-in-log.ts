import { recentlyUsed } from '../recently-used.ts';
import { type AuditEvent, hourOf, writeEvents } from '../store/audit-events.ts';
import type { Store } from '../store/store.ts';

/** Whose password was not given rightly. */
interface FailedMember {
  readonly organisationId: string;
  readonly personId: string;
}

/** What is forgotten is only offered to the store again, which keeps one entry all the same. */
const notedMost = 10_000;

/**
 * Writes failed sign-ins into the audit log: one entry for each person and clock hour, with the address that
 * came first, so that nobody can fill the log by guessing. Nobody waits for it: how long an answer takes must not tell
 * who has an account.
 */
export class FailedSignInLog {
  readonly #store: Pick<Store, 'note'>;
  readonly #now: () => Date;
  readonly #onError: (error: unknown) => void;
  readonly #noted = recentlyUsed<true>(notedMost);
  #writing: Promise<unknown> = Promise.resolve();

  constructor(store: Pick<Store, 'note'>, now: () => Date, onError: (error: unknown) => void) {
    this.#store = store;
    this.#now = now;
    this.#onError = onError;
  }

  note(members: readonly FailedMember[], address: string): void {
    const at = this.#now();
    const events = members.flatMap(({ organisationId, personId }): AuditEvent[] => {
      const id = `sign-in.fail ${hourOf(at)} ${personId}`;
      const key = `${organisationId} ${id}`;
      if (this.#noted.has(key)) return [];
      this.#noted.set(key, true);
      const actor = { via: 'sign-in' } as const;
      return [{ organisationId, id, actor, at, action: 'sign-in.fail', subject: personId, details: { address } }];
    });
    if (events.length === 0) return;
    const writing = this.#store.note((session) => writeEvents(session, events)).catch(this.#onError);
    this.#writing = Promise.all([this.#writing, writing]);
  }

  /** Settles when everything noted so far is written. */
  async written(): Promise<void> {
    await this.#writing;
  }
}
