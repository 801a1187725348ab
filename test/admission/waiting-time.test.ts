import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WaitingTime, waitFor } from '../../src/admission/ticket.ts';
import { Refusal } from '../../src/refusal.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

test('All waits of a request share one time, and work between them costs nothing', () => {
  const time = new WaitingTime(100);
  const late = vi.fn();
  const end = time.begin(late);
  vi.advanceTimersByTime(60);
  end();
  vi.advanceTimersByTime(1_000);
  expect(time.leftMs).toBe(40);
  time.begin(late);
  vi.advanceTimersByTime(39);
  expect(late).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(late).toHaveBeenCalledOnce();
});

test('Waits at the same time count once', () => {
  const time = new WaitingTime(100);
  const ends = Array.from({ length: 4 }, () => time.begin(() => {}));
  vi.advanceTimersByTime(30);
  for (const end of ends) end();
  ends[0]?.();
  expect(time.leftMs).toBe(70);
});

test('Once the first part of an answer is sent, each wait has a limit of its own', () => {
  const time = new WaitingTime(100);
  const late = vi.fn();
  time.begin(() => {});
  vi.advanceTimersByTime(90);
  time.lift(500);
  expect(time.leftMs).toBe(500);
  time.begin(late);
  vi.advanceTimersByTime(499);
  expect(late).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(late).toHaveBeenCalledOnce();
});

test('Whoever waits for something ends with it, with giving up, or with the time', async () => {
  const late = () => new Refusal('unavailable', 'late');
  const never = new Promise<never>(() => {});
  expect(await waitFor(Promise.resolve(1), { waiting: new WaitingTime(10) }, late)).toBe(1);
  const giving = new AbortController();
  const given = waitFor(never, { signal: giving.signal }, late);
  giving.abort(new Error('hung up'));
  await expect(given).rejects.toThrow('hung up');
  await expect(waitFor(never, { signal: giving.signal }, late)).rejects.toThrow('hung up');
  const slow = waitFor(never, { waiting: new WaitingTime(10) }, late);
  vi.advanceTimersByTime(10);
  await expect(slow).rejects.toThrow('late');
});
