import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMemory } from '../../src/admission/memory-division.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { findPerson } from '../../src/directory/people.ts';
import { type App, openApp } from '../../src/main.ts';
import { fillWithOrganisations, type SomeOrganisation } from '../setup/many-organisations.ts';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';
import { count, grouped, putTitles, several } from './large-answers.ts';
import { forgetPeak, megabytes, memoryOf } from './process-memory.ts';

const setting = '1GB';
const most = 1.25 * (readMemory(setting) ?? 0);
const single = '/metrics/pull-requests-count';
const multiple = '/metrics/get-multiple-metrics';
const actor = { via: 'command', user: 'test' } as const;
const figures: object[] = [];
afterAll(() => console.table(figures));

/** What an attack has taken by itself, in megabytes. */
async function watched<T>(pid: number, attack: string, work: () => Promise<T>): Promise<T> {
  forgetPeak(pid);
  const result = await work();
  const { peak, now } = memoryOf(pid);
  figures.push({ attack, peak: megabytes(peak), after: megabytes(now) });
  expect.soft(megabytes(peak), attack).toBeLessThan(megabytes(most));
  return result;
}

describe('120 organisations with 256 file descriptors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-many-'));
  let organisations: SomeOrganisation[];
  let server: ServingPlumb;
  beforeAll(async () => {
    organisations = await fillWithOrganisations(folder, 120);
    server = await servePlumb(folder, { PLUMB_MEMORY: setting, PLUMB_RATE_LIMIT: '0' }, [], { fileDescriptors: 256 });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = async (path: string, key: string, body: string, type: string): Promise<number> => {
    const headers = { authorization: key, 'content-type': type };
    const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };
  const patiently = async (ask: () => Promise<number>): Promise<void> => {
    for (let tries = 0; tries < 100; tries += 1) {
      const status = await ask();
      if (status === 200) return;
      expect(status).toBe(503);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    throw new Error('An organisation was never answered.');
  };
  const records = (n: number, many: number) =>
    Array.from({ length: many }, (_, i) =>
      JSON.stringify({
        pr_id: `${n}-${i}`,
        pr_title: `Change ${i} that service ${i % 40} needs`,
        repository: `acme/service-${i % 40}`,
        person_login: `login-${i % 50}`,
        pr_state: 'merged',
        pr_created_at: new Date(Date.UTC(2024, 0, 1) + i * 600_000).toISOString(),
        pr_merged_at: new Date(Date.UTC(2024, 0, 2) + i * 600_000).toISOString(),
      }),
    ).join('\n');
  const eachAtOnce = async (atOnce: number, work: (one: SomeOrganisation, n: number) => Promise<void>) => {
    const left = [...organisations.entries()];
    const take = async () => {
      for (let next = left.shift(); next; next = left.shift()) await work(next[1], next[0]);
    };
    await Promise.all(Array.from({ length: atOnce }, take));
  };

  test('All are asked, sent records and asked again, sixteen at once', { timeout: 1_200_000 }, async () => {
    const question = (n: number) => JSON.stringify({ filters: { start_date: '2024-01-01' }, limit: n + 1 });
    const ask = (n: number) =>
      eachAtOnce(16, ({ key }) => patiently(() => send(single, key, question(n), 'application/json')));
    await watched(server.pid, 'every organisation asks', () => ask(0));
    await watched(server.pid, 'every organisation sends records', () =>
      eachAtOnce(16, ({ key }, n) =>
        patiently(() => send('/ingest/pull_requests', key, records(n, 2_000), 'application/x-ndjson')),
      ),
    );
    for (const round of [1, 2, 3])
      await watched(server.pid, `every organisation asks again ${round}`, () => ask(round));
    expect(server.child.exitCode).toBeNull();
  });
});

async function organisation(app: App, name: string, keys: number): Promise<{ id: string; keys: string[] }> {
  const email = `owner@${name}.example`;
  const { id } = await createOrganisation(app.directory, actor, { name, ownerEmail: email });
  const { effective } = await app.store.read((session) => findPerson(session, id, email));
  const made: string[] = [];
  for (let i = 0; i < keys; i += 1) {
    made.push((await app.keys.create(id, actor, { creatorId: effective.id, name: `k${i}` })).key);
  }
  return { id, keys: made };
}

describe.each([
  [200, 1_000_000],
  [60, 4_000_000],
])('%i texts of %i characters', (texts, length) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-large-'));
  let keys: string[];
  let server: ServingPlumb;
  beforeAll(async () => {
    const app = await openApp({ folder, databaseUrl: undefined });
    const made = await organisation(app, 'large', 6);
    keys = made.keys;
    await putTitles(app, made.id, texts, length);
    await app.close();
    server = await servePlumb(folder, { PLUMB_MEMORY: setting, PLUMB_RATE_LIMIT: '0' });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('Six at once', { timeout: 1_200_000 }, async () => {
    const port = Number(new URL(server.url).port);
    // What does not fit is refused, or broken off where its first part was sent: neither may take more memory.
    const atOnce = (path: string, body: object, accept?: string) =>
      Promise.all(keys.map((key) => count(port, path, key, body, accept).catch(() => undefined)));
    const name = `${texts} texts of ${length} characters`;
    await watched(server.pid, `${name}, put together`, () => atOnce(single, grouped));
    for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
      await watched(server.pid, `${name}, streamed as ${accept}`, () => atOnce(multiple, several, accept));
    }
    expect(server.child.exitCode).toBeNull();
  });
});
