import { describe, expect, test } from 'vitest';
import { ticketOf } from '../../src/admission/ticket.ts';
import { ResponseCache } from '../../src/query/response-cache.ts';
import { Refusal } from '../../src/refusal.ts';

interface NumberAnswer {
  readonly number: number;
}

/** A cache with a clock and a version that tests set, and a source that answers when it is told to. */
function begin() {
  let now = 0;
  let version: string | undefined = 'v1';
  const asked: {
    readonly answer: (said: NumberAnswer) => void;
    readonly refuse: (error: Error) => void;
    readonly signal: AbortSignal;
  }[] = [];
  const cache = new ResponseCache<NumberAnswer>(() => now);
  const ask = (key: string, signal?: AbortSignal, keyId = 'one') =>
    cache.serve({
      key,
      version: () => version,
      find: (stop) =>
        new Promise<NumberAnswer>((resolve, reject) => {
          stop.addEventListener('abort', () => setTimeout(() => reject(stop.reason), 5));
          asked.push({ answer: resolve, refuse: reject, signal: stop });
        }),
      bytes: () => 10,
      ticket: ticketOf({ organisationId: 'a', keyId }, undefined, signal),
    });
  return {
    ask,
    asked,
    pass: (ms: number) => {
      now += ms;
    },
    change: (to: string | undefined) => {
      version = to;
    },
  };
}

describe('cached answers', () => {
  test('Cached answers are given for five minutes, with their age', async () => {
    const { ask, asked, pass } = begin();
    const first = ask('q');
    asked[0]?.answer({ number: 1 });
    expect(await first).toEqual({ answer: { number: 1 }, isCached: false, ageSeconds: 0 });
    pass(299_000);
    expect(await ask('q')).toEqual({ answer: { number: 1 }, isCached: true, ageSeconds: 299 });
    pass(1_000);
    const again = ask('q');
    asked[1]?.answer({ number: 2 });
    expect(await again).toMatchObject({ answer: { number: 2 }, isCached: false });
  });

  test('Cached answers are neither kept nor shared while the state of the data is not known', async () => {
    const { ask, asked, change } = begin();
    const known = ask('q');
    asked[0]?.answer({ number: 1 });
    await known;
    change(undefined);
    const questions = [ask('q'), ask('q')];
    for (const [i, { answer }] of asked.slice(1).entries()) answer({ number: 2 + i });
    expect(await Promise.all(questions)).toMatchObject([{ answer: { number: 2 } }, { answer: { number: 3 } }]);
    const later = ask('q');
    asked[3]?.answer({ number: 4 });
    expect(await later).toEqual({ answer: { number: 4 }, isCached: false, ageSeconds: 0 });
    change('v1');
    expect(await ask('q')).toMatchObject({ answer: { number: 1 }, isCached: true });
  });

  test('Cached answers are dropped by new data, also when that came while they were found', async () => {
    const { ask, asked, change } = begin();
    const first = ask('q');
    change('v2');
    asked[0]?.answer({ number: 1 });
    expect((await first).answer).toEqual({ number: 1 });
    const second = ask('q');
    expect(asked).toHaveLength(2);
    asked[1]?.answer({ number: 2 });
    expect(await second).toMatchObject({ answer: { number: 2 }, isCached: false });
    expect(await ask('q')).toMatchObject({ answer: { number: 2 }, isCached: true });
    change('v3');
    const third = ask('q');
    expect(asked).toHaveLength(3);
    asked[2]?.answer({ number: 3 });
    expect(await third).toMatchObject({ answer: { number: 3 }, isCached: false });
  });

  test('Cached answers are found once for all who ask meanwhile, unless the data changed since', async () => {
    const { ask, asked, change } = begin();
    const burst = [ask('q'), ask('q'), ask('q')];
    expect(asked).toHaveLength(1);
    change('v2');
    const later = ask('q');
    expect(asked).toHaveLength(2);
    asked[0]?.answer({ number: 1 });
    asked[1]?.answer({ number: 2 });
    expect((await Promise.all(burst)).map(({ answer }) => answer.number)).toEqual([1, 1, 1]);
    expect((await later).answer.number).toBe(2);
  });

  test('Cached answers are given up only when nobody waits any more', async () => {
    const { ask, asked } = begin();
    const [one, other] = [new AbortController(), new AbortController()];
    const waiting = [ask('q', one.signal), ask('q', other.signal)].map((served) => served.catch((error) => error));
    one.abort(new Error('one left'));
    expect(await waiting[0]).toMatchObject({ message: 'one left' });
    expect(asked[0]?.signal.aborted).toBe(false);
    other.abort(new Error('the other left'));
    await waiting[1];
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  test('Cached answers that are being given up are not waited for by whoever asks again', async () => {
    const { ask, asked } = begin();
    const caller = new AbortController();
    const first = ask('q', caller.signal).catch((error) => error);
    caller.abort(new Error('hung up'));
    await first;
    const again = ask('q');
    expect(asked).toHaveLength(2);
    asked[1]?.answer({ number: 2 });
    expect(await again).toMatchObject({ answer: { number: 2 } });
  });
});

test('Whoever joined the question of another key is not refused with it, and asks once more for everyone of its key', async () => {
  const { ask, asked } = begin();
  const crowded = new Refusal('unavailable', 'crowded');
  const first = ask('q', undefined, 'one');
  const others = [ask('q', undefined, 'two'), ask('q', undefined, 'two')];
  const alike = ask('q', undefined, 'one');
  expect(asked).toHaveLength(1);
  asked[0]?.refuse(crowded);
  await expect(first).rejects.toBe(crowded);
  await expect(alike).rejects.toBe(crowded);
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer({ number: 2 });
  for (const other of others) expect((await other).answer).toEqual({ number: 2 });
});

test('Whoever joined the question of another key hears of its faults, and asks no more once their caller is gone', async () => {
  const { ask, asked } = begin();
  const first = ask('q', undefined, 'one');
  const joined = ask('q', undefined, 'two');
  asked[0]?.refuse(new Refusal('too-slow', 'slow'));
  await expect(first).rejects.toThrow('slow');
  await expect(joined).rejects.toThrow('slow');
  const again = ask('q', undefined, 'one');
  const caller = new AbortController();
  const gone = ask('q', caller.signal, 'two');
  caller.abort(new Error('hung up'));
  await expect(gone).rejects.toThrow('hung up');
  asked[1]?.answer({ number: 1 });
  expect((await again).answer).toEqual({ number: 1 });
  expect(asked).toHaveLength(2);
});
