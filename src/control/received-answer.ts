import type { AnswerRow } from '../query/plan.ts';
import type { AnswerHead } from './command-questions.ts';
import { valuesIn } from './streaming.ts';

/** An answer as it came through the door. */
export interface ReceivedAnswer {
  readonly head: AnswerHead;
  readonly batches: AsyncIterable<readonly AnswerRow[]>;
}

/** Puts lines together again, however they were cut into pieces. */
export async function receivedAnswer(pieces: AsyncIterable<Uint8Array>): Promise<ReceivedAnswer> {
  const batches = valuesIn(pieces);
  const first = await batches.next();
  const [head, ...rest] = (first.done ? [] : first.value) as [AnswerHead?, ...AnswerRow[]];
  if (!head) throw new Error('there was no answer');
  async function* rows(): AsyncGenerator<readonly AnswerRow[]> {
    if (rest.length > 0) yield rest;
    yield* batches as AsyncGenerator<readonly AnswerRow[]>;
  }
  return { head, batches: rows() };
}
