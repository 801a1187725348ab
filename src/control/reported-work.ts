import { setTimeout as pause } from 'node:timers/promises';

interface ReportedWork<S, R> {
  /** Goes on until its signal says that nobody waits for it any more. */
  readonly work: (signal: AbortSignal) => Promise<R>;
  /** The events since the last report. */
  readonly news: () => readonly S[];
  /** The report that holds until there is a new one. */
  readonly first: S;
}

const reportEveryMs = 500;
/** While nothing moves, the last step is reported again, also to detect that the listener has gone. */
const repeatAfterMs = 5_000;

/** Does work, yields how far it is, and returns its result. The work stops when its caller stops listening. */
export async function* reportedWork<S, R>({ work, news, first }: ReportedWork<S, R>): AsyncGenerator<S, R> {
  const stop = new AbortController();
  const working = work(stop.signal);
  const isDone = () => true;
  const over = working.then(isDone, isDone);
  let [last, quietMs, isOver] = [first, 0, false];
  try {
    while (!isOver) {
      isOver = await Promise.race([over, pause(reportEveryMs, false)]);
      const steps = news();
      last = steps.at(-1) ?? last;
      quietMs += reportEveryMs;
      if (steps.length === 0 && (isOver || quietMs < repeatAfterMs)) continue;
      yield* steps.length === 0 ? [last] : steps;
      quietMs = 0;
    }
    return await working;
  } finally {
    stop.abort(new Error('no one listens any more'));
    await over;
  }
}
