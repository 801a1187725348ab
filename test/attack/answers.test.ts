import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { findPerson } from '../../src/directory/people.ts';
import { PrometheusMetrics } from '../../src/http/prometheus.ts';
import { AnswerMemory } from '../../src/query/answer-memory.ts';
import { isLong, times } from '../setup/how-long.ts';
import { type Service, startService } from '../setup/running-app.ts';
import { count, expectedRows, grouped, putTitles, readSlowly, several, spooledIn } from './large-answers.ts';

const mebibyte = 1_024 ** 2;
const single = '/metrics/pull-requests-count';
const multiple = '/metrics/get-multiple-metrics';
const folderOf = (service: Service): string => service.folder;

describe('an answer of large texts', () => {
  const [rows, length] = [60, 40_000];
  let service: Service;
  let other: { readonly id: string; readonly key: string };
  beforeAll(async () => {
    // An answer may then take an eighth of it: 4 MiB.
    service = await startService({ answers: { memoryBytes: 32 * mebibyte } });
    await putTitles(service.app, service.organisationId, rows, length);
    const actor = { via: 'command', user: 'test' } as const;
    const { id } = await createOrganisation(service.app.directory, actor, {
      name: 'Other',
      ownerEmail: 'o@o.example',
    });
    const owner = await service.app.store.read((session) => findPerson(session, id, 'o@o.example'));
    const { key } = await service.app.keys.create(id, actor, { creatorId: owner.effective.id, name: 'k' });
    other = { id, key };
    await putTitles(service.app, id, 3, length);
  });
  afterAll(() => service.close());

  const ask = (path: string, body: object, accept?: string, key = service.keys.owner) =>
    service.request('POST', path, { key, body, ...(accept === undefined ? {} : { headers: { accept } }) });

  // In the gate that is tried of rows that are many and small, in http/metrics/streams.test.ts.
  if (isLong) {
    test('An answer of large texts has the same bytes whether it is put together or streamed, in every format of text', async () => {
      const expected = expectedRows(rows, length);
      for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
        const [whole, streamed] = [await ask(single, grouped, accept), await ask(multiple, several, accept)];
        expect([whole.status, streamed.status]).toEqual([200, 200]);
        expect(whole.headers['content-length']).toBe(String(Buffer.byteLength(whole.text)));
        // Nobody knows how long a streamed answer is before it is sent.
        expect(streamed.headers['content-length']).toBeUndefined();
        expect(whole.text === streamed.text, accept).toBe(true);
        if (accept === 'application/json') expect(whole.text === JSON.stringify(expected)).toBe(true);
      }
      expect(service.app.answerMemory.used).toBe(0);
    });

    test('An answer of large texts is a Parquet file as well, and leaves nothing on the disk', async () => {
      const streamed = await count(
        service.port,
        multiple,
        service.keys.owner,
        several,
        'application/vnd.apache.parquet',
      );
      expect(streamed.status).toBe(200);
      expect(streamed.bytes).toBeGreaterThan(1_000);
      await expect.poll(() => spooledIn(folderOf(service))).toBe(0);
      expect(service.app.warehouse.spooledBytes).toBe(0);
    });
  }

  test('An answer of large texts is refused past the budget of one answer, and it is said what would be right', async () => {
    await putTitles(service.app, service.organisationId, rows + 60, length);
    const shapes = [grouped, { ...grouped, include_previous_period: true }, { ...grouped, time_series_data: true }];
    for (const body of shapes) {
      const { status, json } = await ask(single, body);
      expect([status, (json as { detail: string }).detail], JSON.stringify(body)).toEqual([
        400,
        expect.stringMatching(/larger than 4 MiB.*fewer rows.*fewer columns.*get-multiple-metrics/),
      ]);
      expect(service.app.answerMemory.used).toBe(0);
    }
    const fewer = await ask(single, { ...grouped, limit: 50 });
    expect(fewer.status).toBe(200);
    const streamed = await ask(multiple, several);
    expect(streamed.text === JSON.stringify(expectedRows(rows + 60, length))).toBe(true);
  });

  test('An answer of large texts never leaves the engine when it is too large', async () => {
    const measured = await service.app.warehouse.ask(service.organisationId, async (asking) => {
      const { planOf } = await import('../../src/query/planner.ts');
      const { readMultiple } = await import('../../src/query/reading/metric-request.ts');
      const principal = await service.app.authentication.authenticate(service.keys.owner);
      const query = planOf(readMultiple(several, { principal, now: new Date() }), principal);
      return asking.rowsWithin({ ...query, limit: 1_000 }, 100_000);
    });
    expect(measured.rows).toBeUndefined();
    expect(measured.bytes).toBeGreaterThan(rows * length);
  });

  test('An answer of large texts waits for memory for two seconds at most; then 503, and other organisations are answered', async () => {
    const { answerMemory } = service.app;
    const taken = await answerMemory.reserve(service.organisationId, 16 * mebibyte);
    const startedAt = performance.now();
    const refused = await ask(single, { ...grouped, limit: 7 });
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const answered = await ask(single, grouped, undefined, other.key);
    expect(answered.text).toBe(JSON.stringify(expectedRows(3, length)));
    const waiting = ask(single, { ...grouped, limit: 7 });
    setTimeout(() => taken.release(), 200);
    expect((await waiting).status).toBe(200);
    expect(answerMemory.used).toBe(0);
  });

  test('An answer of large texts is 16 MiB at most, however much memory there is', () => {
    expect(new AnswerMemory(64 * 1_024 * mebibyte).answerBytes).toBe(16 * mebibyte);
  });

  test('No organisation can take all of the memory', async () => {
    const { answerMemory } = service.app;
    await expect(answerMemory.reserve(service.organisationId, 17 * mebibyte)).rejects.toMatchObject({
      reason: 'unavailable',
    });
  });

  test('An answer of large texts is kept only where it is small, and what is kept is counted while it is sent', async () => {
    const body = { ...grouped, limit: 10 };
    expect((await ask(single, body)).headers['x-cache']).toBe('MISS');
    const { answerMemory } = service.app;
    const taken = await answerMemory.reserve(service.organisationId, 16 * mebibyte);
    // Twice: found by the service, and recalled letter for letter.
    for (let i = 0; i < 2; i++) expect((await ask(single, body)).status).toBe(503);
    taken.release();
    for (let i = 0; i < 2; i++) {
      const hit = await ask(single, body);
      expect([hit.status, hit.headers['x-cache']]).toEqual([200, 'HIT']);
    }
    expect(answerMemory.used).toBe(0);
  });
});

describe('answers that are read slowly', () => {
  // Some 15 MB of JSON: several times what the sockets of both sides hold.
  const [rows, length] = [times(100, 500), 80_000];
  const spoolBytes = times(16, 32) * mebibyte;
  const windowMs = 4_000;
  const prometheus = new PrometheusMetrics();
  let service: Service;
  beforeAll(async () => {
    service = await startService({
      answers: { spoolBytes },
      parts: () => ({ prometheus, readingPace: { bytesPerSecond: 32 * 1_024, windowMs } }),
    });
    await putTitles(service.app, service.organisationId, rows, length);
  });
  afterAll(() => service.close());

  test('Answers that are read slowly take a bounded part of the disk, are ended, and keep nobody else from an answer', async () => {
    const { owner, manager, squadLead } = service.keys;
    const slow = [several, { ...several, group_by: ['pr_title', 'pr_id'] }].map((body) =>
      readSlowly(service.port, multiple, owner, body),
    );
    for (const { head } of slow) expect(await head).toContain('200');
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, spooledIn(folderOf(service)));
    }, 20);
    onTestFinished(() => clearInterval(watching));
    // The key has its share: another answer finds no room, and is told so.
    const third = await count(service.port, multiple, owner, { ...several, group_by: ['pr_title', 'repository'] });
    expect(third.status).toBe(503);
    expect(Number(third.retryAfter)).toBeGreaterThan(0);
    // Another key has a share of its own, and reads to the end.
    const whole = await service.request('POST', multiple, { key: manager, body: several });
    expect(whole.text === JSON.stringify(expectedRows(rows, length))).toBe(true);
    expect((await service.request('GET', '/teams', { key: squadLead })).status).toBe(200);
    for (const { closed } of slow) await closed;
    clearInterval(watching);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(spoolBytes / 2);
    expect(service.log.filter((line) => line.includes('read too slowly'))).toHaveLength(2);
    expect(await prometheus.text()).toContain('plumb_http_slow_readers_total 2');
    await expect.poll(() => spooledIn(folderOf(service))).toBe(0);
    expect(service.app.warehouse.spooledBytes).toBe(0);
    await expect.poll(() => service.app.answerMemory.used).toBe(0);
    const again = await count(service.port, multiple, owner, several);
    expect([again.status, again.bytes]).toEqual([200, Buffer.byteLength(whole.text)]);
  });

  test('Answers that are read slowly are not ended while they are read quickly enough', async () => {
    const reader = readSlowly(service.port, multiple, service.keys.manager, several, { every: times(40, 5) });
    const isOver = await Promise.race([reader.closed.then(() => true), later(1.5 * windowMs)]);
    expect(isOver).toBe(false);
    reader.socket.destroy();
    await expect.poll(() => service.app.warehouse.spooledBytes).toBe(0);
    expect(spooledIn(folderOf(service))).toBe(0);
  });

  test('Answers that are read slowly leave nothing behind when their reader goes away', async () => {
    const reader = readSlowly(service.port, multiple, service.keys.manager, several);
    expect(await reader.head).toContain('200');
    expect(service.app.warehouse.spooledBytes).toBeGreaterThan(0);
    reader.socket.destroy();
    await expect.poll(() => spooledIn(folderOf(service))).toBe(0);
    await expect.poll(() => service.app.warehouse.spooledBytes).toBe(0);
  });
});

const later = (ms: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), ms));
