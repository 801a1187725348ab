import type { Receiver } from '../message-content.ts';

/** How a try to send a message ended. */
export interface Outcome {
  readonly isTaken: boolean;
  /** What is kept of the answer: `200`, `smtp 250`, `no answer`. */
  readonly status: string;
  /** The receiver wants no other try before. */
  readonly retryAfterMs?: number;
}

/** Sends what was rendered when the message was queued. Never throws for what the other side does. */
export interface Channel {
  send(delivery: Delivery): Promise<Outcome>;
  close(): void;
}

export interface Delivery {
  /** The same on every try. */
  readonly id: string;
  readonly receiver: Omit<Receiver, 'key'>;
  /** As it was queued: the body of a request, or a mail as JSON. */
  readonly content: string;
}
