import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnswerWriter, type FileOwner } from '../../src/formats/answer-writer.ts';
import type { MetricAnswer } from '../../src/query/collect-answer.ts';
import { ResponseCache } from '../../src/query/response-cache.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumb-bytes-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Files are made once the test lets them, and not for a caller that is gone by then. */
function gatedBytes() {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let made = 0;
  const writer = new AnswerWriter({
    makeScratch: async (_organisation, { signal }) => {
      made += 1;
      await gate;
      signal.throwIfAborted();
      const room = { maxBytes: 1e9, take: async () => {}, giveBack: () => {}, remove: async () => {} };
      return { folder, ...room, inTurn: (work) => work() };
    },
  });
  const responses = new ResponseCache(Date.now);
  const bytesOf = (answer: MetricAnswer, owner: FileOwner) =>
    responses.bytesOf(answer, 'parquet', owner.signal, (signal) =>
      writer.bytes(answer, 'parquet', { ...owner, signal }),
    );
  return { bytesOf, open, made: () => made };
}

const someRows = (): MetricAnswer => ({
  form: 'rows',
  columns: [{ name: 'team', type: 'text', at: 0, ofNothing: null }],
  rows: [['Core']],
  total: undefined,
});

function caller(keyId: string) {
  const controller = new AbortController();
  return {
    leave: () => controller.abort(new Error('gone')),
    owner: { organisationId: 'o', keyId, signal: controller.signal },
  };
}

test('A file that two wait for is made once, though the first of them hangs up', async () => {
  const { bytesOf, open, made } = gatedBytes();
  const [answer, ada, bob] = [someRows(), caller('ada'), caller('bob')];
  const first = bytesOf(answer, ada.owner);
  const second = bytesOf(answer, bob.owner);
  const gone = expect(first).rejects.toThrow('gone');
  ada.leave();
  open();
  expect(String((await second)?.subarray(0, 4))).toBe('PAR1');
  await gone;
  expect(made()).toBe(1);
});

test('A file that nobody waits for is given up, and made again for whoever comes then', async () => {
  const { bytesOf, open, made } = gatedBytes();
  const [answer, ada, bob, cleo] = [someRows(), caller('ada'), caller('bob'), caller('cleo')];
  const first = bytesOf(answer, ada.owner);
  const second = bytesOf(answer, bob.owner);
  const gone = Promise.all([expect(first).rejects.toThrow('gone'), expect(second).rejects.toThrow('gone')]);
  ada.leave();
  bob.leave();
  const third = bytesOf(answer, cleo.owner);
  open();
  await gone;
  const file = await third;
  expect(String(file?.subarray(0, 4))).toBe('PAR1');
  expect(made()).toBe(2);
  expect(await bytesOf(answer, caller('ada').owner)).toBe(file);
});
