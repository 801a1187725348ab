import { afterEach, expect, test } from 'vitest';
import type { Shares } from '../../../src/admission/budget.ts';
import { ticketOf } from '../../../src/admission/ticket.ts';
import { bodyTurns } from '../../../src/http/body/request-body.ts';
import { Drain } from '../../../src/http/drain.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { asNdjson, ndjson, pullRequest } from './some-records.ts';

let service: Service | undefined;
afterEach(() => service?.close());

/** Work that goes on until it is told to end. */
function work(name: string, log: string[]): { run: () => Promise<string>; end: () => void } {
  let end = () => {};
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    run: async () => {
      log.push(name);
      await until;
      return name;
    },
    end: () => end(),
  };
}
const turnsOf = (shares: Shares, maxMs?: number) => {
  const { large } = bodyTurns(undefined, shares);
  return {
    take: <T>(organisationId: string, run: () => Promise<T>) =>
      large.take({ ticket: ticketOf({ organisationId, keyId: '' }, maxMs) }, run),
  };
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

test('One organisation waits for itself, and others do not wait for it', async () => {
  const turns = turnsOf({ all: 3, organisation: 2 });
  const log: string[] = [];
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => work(name, log));
  const done = [
    turns.take('one', a?.run ?? fail),
    turns.take('one', b?.run ?? fail),
    turns.take('one', c?.run ?? fail),
    turns.take('two', d?.run ?? fail),
    turns.take('three', e?.run ?? fail),
  ];
  await settled();
  expect(log).toEqual(['a', 'b', 'd']);
  d?.end();
  await settled();
  expect(log).toEqual(['a', 'b', 'd', 'e']);
  a?.end();
  await settled();
  expect(log).toEqual(['a', 'b', 'd', 'e', 'c']);
  for (const one of [b, c, e]) one?.end();
  expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd', 'e']);
});
const fail = () => Promise.reject(new Error('missing'));

test('Work that fails gives its turn back', async () => {
  const turns = turnsOf({ all: 1 });
  await expect(turns.take('one', fail)).rejects.toThrow('missing');
  expect(await turns.take('one', async () => 'next')).toBe('next');
});

test('Whoever waits too long is told to come back', async () => {
  const turns = turnsOf({ all: 1 }, 20);
  const first = work('first', []);
  const begun = turns.take('one', first.run);
  await expect(turns.take('two', async () => 'late')).rejects.toMatchObject({
    reason: 'unavailable',
    hints: { retryAfterSeconds: 10 },
  });
  first.end();
  expect(await begun).toBe('first');
  expect(await turns.take('two', async () => 'then')).toBe('then');
});

test('On the way out records are refused between two changes, with how many are kept', async () => {
  const drain = new Drain();
  service = await startService({
    parts: ({ ingest }) => ({
      drain,
      ingest: {
        put: async (...asked) => {
          const outcome = await ingest.put(...asked);
          drain.begin();
          return outcome;
        },
        putPosted: (...asked) => ingest.putPosted(...asked),
        divideSurveys: (...asked) => ingest.divideSurveys(...asked),
      },
    }),
  });
  const body = ndjson(Array.from({ length: 6_000 }, (_, i) => pullRequest(i)));
  const answer = await service.request('POST', '/ingest/pull_requests', {
    key: service.keys.owner,
    headers: asNdjson,
    body,
  });
  expect([answer.status, answer.headers['retry-after'], answer.json]).toEqual([
    503,
    '5',
    {
      detail:
        'The service is shutting down. Send the records again in a moment. The 5000 records accepted before that stay. Sending them again changes nothing.',
    },
  ]);
});
