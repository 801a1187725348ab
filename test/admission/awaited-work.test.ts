import { expect, test } from 'vitest';
import { AwaitedWork } from '../../src/admission/ticket.ts';

function begun() {
  let [end, signal] = [(_result: string) => {}, new AbortController().signal];
  const work = new AwaitedWork<string>((given) => {
    signal = given;
    return new Promise((resolve) => {
      end = resolve;
    });
  });
  return { work, end: (result: string) => end(result), isStopped: () => signal.aborted };
}

test('Work is stopped when the last of its callers has left, not when the first has', async () => {
  const { work, isStopped } = begun();
  const [first, second] = [new AbortController(), new AbortController()];
  const waits = [work.wait(first.signal), work.wait(second.signal)];
  first.abort(new Error('gone'));
  await expect(waits[0]).rejects.toThrow('gone');
  expect(isStopped()).toBe(false);
  second.abort(new Error('gone too'));
  await expect(waits[1]).rejects.toThrow('gone too');
  expect([isStopped(), work.isAbandoned]).toEqual([true, true]);
});

test('Work that has its result is not stopped, and a caller that comes late gets the result', async () => {
  const { work, end, isStopped } = begun();
  const waiting = work.wait();
  end('found');
  expect(await waiting).toBe('found');
  expect([isStopped(), work.isAbandoned]).toEqual([false, false]);
  expect(await work.wait()).toBe('found');
});
