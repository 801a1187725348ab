import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { issues } from '../../../src/catalogue/tables/issues.ts';
import type { StreamedAnswer } from '../../../src/query/collect-answer.ts';
import { Refusal } from '../../../src/refusal.ts';
import { metricsOver } from '../../setup/metrics-over.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { rowOf, someLimits, someWarehouse } from '../../warehouse/some-warehouse.ts';
import { putRows } from '../../warehouse/table-writes.ts';
import { asking, march } from './some-metrics.ts';

type Metrics = Pick<Service['app']['metrics'], 'admit' | 'single' | 'multiple' | 'benchmark' | 'explain'>;

/** One service for all: each test puts what answers questions, and looks at the lines that it was the reason of. */
let service: Service;
let metrics: Metrics;
let linesBefore = 0;
beforeAll(async () => {
  service = await startService({
    parts: () => ({
      metrics: {
        admit: (...asked) => metrics.admit(...asked),
        single: (...asked) => metrics.single(...asked),
        multiple: (...asked) => metrics.multiple(...asked),
        benchmark: (...asked) => metrics.benchmark(...asked),
        explain: (...asked) => metrics.explain(...asked),
      },
    }),
  });
});
beforeEach(() => {
  linesBefore = service.log.length;
});
afterAll(() => service.close());
const ask = asking(() => service);
const logged = () => service.log.slice(linesBefore).join('');

const body = { filters: march };
const several = { filters: march, metrics: ['pull-requests-count'] };
const operations = [
  ['pull-requests-count', body],
  ['get-multiple-metrics', several],
  ['benchmark', { filters: march, benchmark_metric: 'cycle-time', date_field: 'merged_at' }],
  ['pull-requests-count/explain', body],
] as const;

const admit: Metrics['admit'] = (...asked) => service.app.metrics.admit(...asked);

/** Tables that fail in one way. */
const failing = (error: unknown): Metrics => {
  const fail = () => Promise.reject(error);
  return { admit, single: fail, multiple: fail, benchmark: fail, explain: fail };
};

describe('what goes wrong underneath', () => {
  test('What goes wrong underneath is 504 when it takes too long', async () => {
    metrics = failing(new Refusal('too-slow', 'This took more than 30 seconds and was stopped. Ask for less.'));
    for (const [path, sent] of operations) {
      const answer = await ask(path, sent);
      expect([path, answer.status, answer.json]).toEqual([
        path,
        504,
        { detail: 'This took more than 30 seconds and was stopped. Ask for less.' },
      ]);
    }
  });

  test('What goes wrong underneath is 504 when the engine is stopped in the middle of a statement, and it can be asked again', async () => {
    const slow = await someWarehouse({ ...someLimits, statementSeconds: 0.005 });
    try {
      metrics = metricsOver(slow.warehouse, service.app.now);
      const rows = Array.from({ length: 30_000 }, (_, i) =>
        rowOf(issues, { issue_id: `${i}`, issue_title: `${i * 7_919}`, created_at: 1_709_290_000 + i }),
      );
      await slow.warehouse.change(service.organisationId, (session) => putRows(session, issues, rows));
      const all = { filters: march, group_by: ['issue_title'] };
      for (const [path, sent] of [
        ['issues-count', all],
        ['get-multiple-metrics', { ...all, metrics: ['issues-count'] }],
      ] as const) {
        const answer = await ask(path, sent);
        expect([path, answer.status, answer.text.slice(0, 100)]).toEqual([
          path,
          504,
          '{"detail":"This took more than 0.005 seconds and was stopped. Ask for less at once."}',
        ]);
      }
      // So little time is not always enough for the smallest question either.
      const again = async () => (await ask('releases-count', body)).status;
      await expect.poll(again).toBe(200);
    } finally {
      await slow.close();
    }
  });

  test('What goes wrong underneath is 503 with the time to come back when the tables are away, and the log says why', async () => {
    const cause = new Error('IO Error: /var/lib/plumb/warehouse/x.duckdb is gone');
    metrics = failing(new Refusal('unavailable', 'Send the request again.', { retryAfterSeconds: 5, cause }));
    for (const [path, sent] of operations) {
      const answer = await ask(path, sent);
      expect([path, answer.status, answer.headers['retry-after']]).toEqual([path, 503, '5']);
      expect(answer.text).toBe('{"detail":"Send the request again."}');
    }
    await expect.poll(() => logged()).toContain('x.duckdb is gone');
  });

  test('What goes wrong underneath is 500 without a word of the engine’s when it is a fault of ours', async () => {
    metrics = failing(new Error('Binder Error: SELECT salary FROM people in /var/lib/plumb'));
    for (const [path, sent] of operations) {
      const answer = await ask(path, sent);
      expect([path, answer.status, answer.text]).toEqual([path, 500, '{"detail":"Internal server error"}']);
    }
    expect(logged()).toContain('Binder Error');
  });

  test('What goes wrong underneath is 503 when the warehouse was closed', async () => {
    const closing = await startService();
    onTestFinished(() => closing.close());
    await closing.app.warehouse.close();
    const answer = await asking(() => closing)('pull-requests-count', body);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBeDefined();
  });
});

/** What a caller waits for until it hangs up. */
function endless() {
  const begun = event();
  const aborted = event();
  const wait = (signal?: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => {
        aborted.report();
        reject(signal.reason);
      });
      begun.report();
    });
  return { begun: begun.reported, aborted: aborted.reported, wait };
}

function event(): { readonly reported: Promise<void>; readonly report: () => void } {
  let report = () => {};
  const reported = new Promise<void>((resolve) => {
    report = resolve;
  });
  return { reported, report: () => report() };
}

/** Asks, and hangs up once something has happened. */
const hangUpAfter = async (path: string, sent: unknown, happened: Promise<unknown>) => {
  const text = JSON.stringify(sent);
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(
    `POST /metrics/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.keys.owner}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  await happened;
  socket.destroy();
};

describe('a caller that hangs up', () => {
  test.each(operations)('A caller that hangs up stops the work on %s, and is no fault', async (path, sent) => {
    const { begun, aborted, wait } = endless();
    metrics = {
      admit,
      single: (_p, _n, _b, options) => wait(options?.ticket?.signal),
      multiple: (_p, _b, options) => wait(options?.ticket?.signal),
      benchmark: (_p, _b, options) => wait(options?.ticket?.signal),
      explain: (_p, _n, _b, options) => wait(options?.ticket?.signal),
    };
    await hangUpAfter(path, sent, begun);
    await aborted;
    await expect.poll(() => logged()).toContain('abandoned');
    expect(logged()).not.toContain('request failed');
    expect((await service.request('GET', '/teams', { key: service.keys.owner })).status).toBe(200);
  });

  test('A caller that hangs up gives up a stream, and lets go of what it came from', async () => {
    let [ended, given] = [false, 0];
    metrics = streaming(rowsWithoutEnd());
    async function* rowsWithoutEnd() {
      try {
        for (;;) {
          given += 1;
          yield Array.from({ length: 100 }, (_, i) => ['x'.repeat(1_000), i]);
        }
      } finally {
        ended = true;
      }
    }
    await hangUpAfter('get-multiple-metrics', several, expect.poll(() => given).toBeGreaterThan(3));
    await expect.poll(() => ended).toBe(true);
  });

  test('A caller that hangs up who does not read is not sent more than fits on the way', async () => {
    let given = 0;
    metrics = streaming(rowsWithoutEnd());
    async function* rowsWithoutEnd() {
      for (;;) {
        given += 1;
        yield Array.from({ length: 100 }, (_, i) => ['x'.repeat(1_000), i]);
      }
    }
    const text = JSON.stringify(several);
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(
      `POST /metrics/get-multiple-metrics HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.keys.owner}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    );
    await expect.poll(() => given).toBeGreaterThan(0);
    let before = -1;
    while (before !== given) {
      before = given;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    // A hundred kilobytes each: what the two ends of a connection hold, and not much more.
    expect(given).toBeLessThan(200);
    socket.destroy();
  });
});

const streaming = (batches: StreamedAnswer['batches']): Metrics => ({
  ...failing(new Error('only several metrics at once are asked for')),
  multiple: async () => ({
    isCached: false,
    ageSeconds: 0,
    answer: {
      form: 'stream' as const,
      columns: [
        { name: 'pr_title', type: 'text' as const, at: 0, ofNothing: null },
        { name: 'pr_count', type: 'integer' as const, at: 1, ofNothing: null },
      ],
      batches,
    },
  }),
});

describe('a stream that breaks', () => {
  async function* broken(batches: number) {
    for (let i = 0; i < batches; i += 1) yield [['x'.repeat(100_000), i] as const];
    // Whoever has read everything so far sees how the connection ends, and nothing else.
    await new Promise((resolve) => setTimeout(resolve, 300));
    throw new Error('IO Error: /var/lib/plumb is full');
  }

  test('A stream that breaks before its first piece is answered with a status', async () => {
    metrics = streaming(broken(0));
    const answer = await ask('get-multiple-metrics', several);
    expect([answer.status, answer.text]).toEqual([500, '{"detail":"Internal server error"}']);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each(['application/json', 'application/x-ndjson', 'text/csv'])(
    'A stream that breaks in the middle never looks like the whole, as %s',
    async (accept) => {
      metrics = streaming(broken(5));
      await expect(ask('get-multiple-metrics', several, { headers: { accept } })).rejects.toThrow();
      await expect.poll(() => logged()).toContain('/var/lib/plumb is full');
    },
  );

  test('A stream that breaks in the middle is a broken connection for who speaks HTTP/1.0, too', async () => {
    metrics = streaming(broken(5));
    const text = JSON.stringify(several);
    const code = await new Promise<string | undefined>((resolve) => {
      const socket = connect(service.port, '127.0.0.1');
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      socket.on('end', () => resolve('end'));
      socket.resume();
      socket.write(
        `POST /metrics/get-multiple-metrics HTTP/1.0\r\nHost: x\r\nAuthorization: ${service.keys.owner}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      );
    });
    expect(code).toBe('ECONNRESET');
  });
});
