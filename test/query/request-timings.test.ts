import { expect, test } from 'vitest';
import { WaitingTime } from '../../src/admission/ticket.ts';
import type { QuerySession } from '../../src/query/plan.ts';
import { RequestTimings, timedSession } from '../../src/query/request-timings.ts';

test('Every moment counts for the span that was entered last', () => {
  let now = 0;
  const timings = new RequestTimings('auth', () => now);
  now = 1.5;
  timings.enter('plan');
  now = 3;
  timings.enter('engine');
  now = 10;
  timings.enter('shape');
  timings.move('engine', 'wait', 2);
  now = 10.126;
  timings.enter('send');
  expect(timings.header()).toBe('auth;dur=1.5, plan;dur=1.5, wait;dur=2, engine;dur=5, shape;dur=0.13, send;dur=0');
});

test('Statements that run at the same time count once, and their wait for a turn is no time of the engine', async () => {
  let now = 0;
  const timings = new RequestTimings('wait', () => now);
  const waiting = new WaitingTime(2_000, () => now);
  const ends: (() => void)[] = [];
  const counted = () => new Promise<number>((resolve) => ends.push(() => resolve(1)));
  const session = timedSession({ count: counted } as unknown as QuerySession, timings, waiting);
  const both = [session.count({} as never), session.count({} as never)];
  const begun = waiting.begin(() => {});
  now = 3;
  begun();
  now = 5;
  ends[0]?.();
  await both[0];
  now = 10;
  ends[1]?.();
  await both[1];
  now = 11;
  expect(timings.header()).toBe('auth;dur=0, plan;dur=0, wait;dur=3, engine;dur=7, shape;dur=1, send;dur=0');
});
