import { afterEach, expect, test } from 'vitest';
import type { MetricInput } from '../../src/control/command-questions.ts';
import { remoteOperations } from '../../src/control/control-client.ts';
import { type ControlServer, startControlServer } from '../../src/control/control-server.ts';
import type { Operations } from '../../src/control/operations.ts';
import { receivedAnswer } from '../../src/control/received-answer.ts';
import { Refusal } from '../../src/refusal.ts';

let server: ControlServer | undefined;
afterEach(async () => {
  await server?.close();
});

const input: MetricInput = { org: 'Acme', as: 'ada', metric: 'cycle-time', body: { filters: {} }, explain: false };

async function through(askMetrics: Operations['askMetrics']): Promise<Operations> {
  server = await startControlServer({ operationsFor: () => ({ askMetrics }) as Operations, onError: () => {} });
  return remoteOperations({ pid: 1, url: '', store: '', controlPort: server.port, token: server.token }, 'me');
}

test('An answer comes through whole, however it is cut into pieces', async () => {
  const head = { form: 'rows', columns: [{ name: 'a', type: 'text', at: 0, ofNothing: null }], total: 7 };
  const text = `${JSON.stringify(head)}\n["ä\\n1"]\n["2"]\n[null]\n`;
  for (const size of [1, 3, 17, 1_000]) {
    const streams = await through(async function* (asked) {
      expect(asked).toEqual(input);
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    });
    const answer = await receivedAnswer(streams.askMetrics(input));
    expect(answer.head).toEqual(head);
    const rows: unknown[] = [];
    for await (const batch of answer.batches) rows.push(...batch);
    expect(rows).toEqual([['ä\n1'], ['2'], [null]]);
    await server?.close();
  }
});

test('What is refused is reported in its own words', async () => {
  const streams = await through(
    // biome-ignore lint/correctness/useYield: it fails before there is anything to yield.
    async function* () {
      throw new Refusal('forbidden', 'Salaries are not visible in this organisation.');
    },
  );
  await expect(receivedAnswer(streams.askMetrics(input))).rejects.toMatchObject({
    reason: 'forbidden',
    message: 'Salaries are not visible in this organisation.',
  });
});

test('An answer that breaks off does not pass for a whole one', async () => {
  const streams = await through(async function* () {
    yield Buffer.from('{"form":"rows","columns":[],"total":null}\n[1]\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    throw new Error('the disk went away');
  });
  const { batches } = await receivedAnswer(streams.askMetrics(input));
  const all = async () => {
    for await (const _ of batches);
  };
  await expect(all()).rejects.toMatchObject({ reason: 'unavailable' });
});
