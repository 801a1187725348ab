import { setTimeout as pause } from 'node:timers/promises';
import type { Secrets } from '../secrets/secrets.ts';
import { messageAddressContext } from '../store/encrypted-texts.ts';
import {
  dueMessages,
  forgetMessages,
  type MessageRow,
  noteTriedMessage,
  type TriedMessage,
  takeMessage,
} from '../store/message-rows.ts';
import type { Store } from '../store/store.ts';
import type { Channel, Outcome } from './channels/channel.ts';
import type { Medium, Receiver } from './message-content.ts';

export interface MessageSenderParts {
  readonly store: Pick<Store, 'read' | 'note'>;
  readonly secrets: Pick<Secrets, 'decrypt'>;
  readonly channels: Readonly<Record<Medium, Channel>>;
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
  /** Called after each try. */
  readonly tried?: ((medium: Medium, state: 'queued' | 'sent' | 'failed') => void) | undefined;
  readonly terms?: SenderTerms;
}

interface SenderTerms {
  /** Longer than any try takes: when it is over, the process that tried is gone. */
  readonly leaseMs: number;
  readonly lookMs: number;
}

const defaultTerms: SenderTerms = { leaseMs: 180_000, lookMs: 5_000 };
/** Tries at the same time in one process; of one receiver one at a time. */
const maxAtOnce = 6;
const maxDue = 500;
const forgetEveryMs = 3_600_000;
const keptMs = 90 * 24 * 3_600_000;
const noteAgainMs = 500;

/**
 * Sends what is queued. A message is taken before each try, by one process of all that share the store, and given back
 * after it: only one whose try was under way when its process was killed is ever sent twice.
 */
export class MessageSender {
  readonly #parts: MessageSenderParts;
  readonly #terms: SenderTerms;
  readonly #running = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;
  #mayHaveMore = false;
  #forgottenAt = 0;

  constructor(parts: MessageSenderParts) {
    this.#parts = parts;
    this.#terms = parts.terms ?? defaultTerms;
  }

  start(): void {
    if (this.#isClosed) return;
    this.#timer = setInterval(() => this.wake(), this.#terms.lookMs).unref();
    this.wake();
  }

  /** Looks for what is due, also where it is looking already: something may have come since. */
  wake(): void {
    this.#mayHaveMore = true;
    this.#looking ??= this.#lookOn()
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#parts.onError(error);
      })
      .finally(() => {
        this.#looking = undefined;
        // It may have been woken since it looked for the last time.
        if (this.#mayHaveMore && !this.#isClosed) this.wake();
      });
  }

  /** Waits for what is being sent, and begins nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#looking;
    await Promise.all(this.#running.values());
    for (const channel of Object.values(this.#parts.channels)) channel.close();
  }

  /** Resolves when nothing that is due is left: for those who wait for it. */
  async settled(): Promise<void> {
    this.wake();
    while (this.#looking || this.#running.size > 0) {
      await this.#looking;
      await Promise.all(this.#running.values());
    }
  }

  async #lookOn(): Promise<void> {
    while (this.#mayHaveMore && !this.#isClosed) {
      this.#mayHaveMore = false;
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    const { store, now } = this.#parts;
    await this.#forget();
    for (const due of await store.read((session) => dueMessages(session, now(), maxDue))) {
      if (this.#running.size >= maxAtOnce) return;
      const name = `${due.organisation_id} ${due.receiver}`;
      if (this.#running.has(name) || this.#isClosed) continue;
      const run = this.#send(due)
        .catch((error: unknown) => {
          this.#parts.onError(error);
          return false;
        })
        .then((isDone) => {
          this.#running.delete(name);
          // Others may have waited for the room, or for this receiver.
          if (isDone) this.wake();
        });
      this.#running.set(name, run);
    }
  }

  /** False where another process has it. */
  async #send(due: Pick<MessageRow, 'organisation_id' | 'id' | 'receiver'>): Promise<boolean> {
    const { store, holder, now, tried } = this.#parts;
    const row = await takeMessage(store, due, { holder, leaseMs: this.#terms.leaseMs, at: now() });
    if (!row) return false;
    const verdict = afterTry(row, await this.#try(row), now());
    await this.#note(() => store.note((session) => noteTriedMessage(session, row, verdict)));
    tried?.(row.medium as Medium, verdict.state);
    return true;
  }

  async #try(row: MessageRow): Promise<Outcome> {
    const { secrets, channels } = this.#parts;
    const { organisation_id, id, address, content } = row;
    let receiver: Omit<Receiver, 'key'>;
    try {
      const what = `The address of delivery ${id}`;
      receiver = JSON.parse(await secrets.decrypt(address ?? '', messageAddressContext(organisation_id, id), what));
    } catch {
      return { isTaken: false, status: 'address not readable' };
    }
    return channels[receiver.medium].send({ id, receiver, content: content ?? '' });
  }

  /**
   * A message that was taken must be noted as sent: otherwise it is sent again when its lease is over. So a store that is
   * away is waited for until then.
   */
  async #note(note: () => Promise<void>): Promise<void> {
    const until = Date.now() + this.#terms.leaseMs / 2;
    for (;;) {
      try {
        return await note();
      } catch (error) {
        if (Date.now() > until) throw error;
        await pause(noteAgainMs);
      }
    }
  }

  async #forget(): Promise<void> {
    const { store, now } = this.#parts;
    const at = now().getTime();
    if (at - this.#forgottenAt < forgetEveryMs) return;
    this.#forgottenAt = at;
    await store.note((session) => forgetMessages(session, new Date(at - keptMs)));
  }
}

/** From the first try on, messages are tried for so long. */
const patienceMs = 24 * 3_600_000;
const firstPauseMs = 30_000;
const maxPauseMs = 3_600_000;

/** What becomes of a message after a try: pauses grow, and a receiver that names a time is asked no earlier. */
function afterTry(
  { first_tried_at, tries }: Pick<MessageRow, 'first_tried_at' | 'tries'>,
  { isTaken, status, retryAfterMs = 0 }: Outcome,
  at: Date,
): TriedMessage {
  if (isTaken) return { status, at, nextTryAt: null, state: 'sent' };
  const end = (first_tried_at ?? at).getTime() + patienceMs;
  const pause = Math.min(firstPauseMs * 2 ** Math.min(tries - 1, 20), maxPauseMs);
  const asked = at.getTime() + retryAfterMs;
  if (at.getTime() >= end || asked > end) return { status, at, nextTryAt: null, state: 'failed' };
  const next = Math.min(Math.max(at.getTime() + pause, asked), end);
  return { status, at, nextTryAt: new Date(next), state: 'queued' };
}
