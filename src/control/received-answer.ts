import type { AnswerRow } from '../query/plan.ts';
import type { AnswerHead } from './metric-answers.ts';

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

const newline = 10;

/** The values of whole lines, as many as a piece completes. */
async function* valuesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly unknown[]> {
  let rest: Buffer[] = [];
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const end = bytes.lastIndexOf(newline);
    if (end === -1) {
      rest.push(bytes);
      continue;
    }
    const whole = Buffer.concat([...rest, bytes.subarray(0, end)]).toString('utf8');
    rest = [bytes.subarray(end + 1)];
    yield JSON.parse(`[${whole.replaceAll('\n', ',')}]`) as unknown[];
  }
}
