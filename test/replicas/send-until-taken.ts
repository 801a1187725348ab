import { setTimeout as pause } from 'node:timers/promises';
import type { Asked, Fleet } from './fleet.ts';

/** Something that a writer has sent, in its order. */
export interface SentBody {
  readonly path: string;
  readonly body: unknown;
}

export interface Sending {
  readonly fleet: Fleet;
  readonly key: string;
  /** Which server is tried next. */
  readonly next: () => number;
  readonly refused: (answer: Asked) => void;
}

/** Sends one body again and again, wherever a server is, until one of them has acknowledged all of it. */
export async function sendUntilTaken({ fleet, key, next, refused }: Sending, { path, body }: SentBody): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    const answer = await fleet.ask(next(), path, key, body);
    if (answer?.status === 200) {
      // A body may be acknowledged without all of its records.
      const { rejected = 0 } = JSON.parse(answer.text) as { rejected?: number };
      if (rejected > 0) throw new Error(`${path} rejected records: ${answer.text}`);
      return;
    }
    if (answer) refused(answer);
    if (performance.now() > until) throw new Error(`${path} was not taken for two minutes: ${answer?.text}`);
    await pause(100);
  }
}
