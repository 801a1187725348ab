import { afterAll, beforeAll, expect, test } from 'vitest';
import { hour, type ManyEvents, question, startManyEvents, whole } from './many-events.ts';

let service: ManyEvents;
beforeAll(async () => {
  service = await startManyEvents(300_000);
}, 240_000);
afterAll(() => service.close());

test('Many rows need no more memory than few', async () => {
  const held = () => {
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1_048_576;
  };
  await (await service.send('get-multiple-metrics', question(hour), 'application/x-ndjson')).arrayBuffer();
  const before = held();
  const response = await service.send('get-multiple-metrics', question(whole), 'application/x-ndjson');
  expect(response.headers.get('x-cache')).toBe('MISS');
  expect(response.headers.get('transfer-encoding')).toBe('chunked');
  let [bytes, most] = [0, 0];
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    bytes += piece.value.length;
    most = Math.max(most, held());
  }
  expect(bytes / 1_048_576).toBeGreaterThan(100);
  expect(most - before).toBeLessThan(80);
}, 120_000);
