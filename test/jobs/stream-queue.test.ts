import { expect, test } from 'vitest';
import { StreamQueue } from '../../src/jobs/stream-queue.ts';

test('Repositories take turns, and what is recent goes first', async () => {
  const queue = new StreamQueue<string>();
  queue.add('a-old', 'a', 'history');
  for (const name of ['a1', 'a2', 'a3']) queue.add(name, 'a', 'recent');
  queue.add('b1', 'b', 'recent');
  queue.end();
  const order: string[] = [];
  for (let next = await queue.take(); next; next = await queue.take()) {
    order.push(next.item);
    if (next.item === 'a1' && order.length === 1) queue.addAgain(next, 'recent');
    else queue.end();
  }
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3', 'a1', 'a-old']);
});

test('Whoever waits gets what comes later, and learns when nothing will', async () => {
  const queue = new StreamQueue<string>();
  const [first, second] = [queue.take(), queue.take()];
  queue.add('a1', 'a', 'history');
  expect((await first)?.item).toBe('a1');
  queue.end();
  queue.end();
  expect(await second).toBeUndefined();
  expect(await queue.take()).toBeUndefined();
});
