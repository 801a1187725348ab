import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { findPerson } from '../../src/directory/people.ts';
import { openApp } from '../../src/main.ts';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';
import { freshQuestion, Hammer, post, type Sent } from './two-organisations.ts';

const actor = { via: 'command', user: 'test' } as const;
const pullRequestsMany = 20_000;

let folder: string;
let plumb: ServingPlumb;
let port: number;
let keys: { readonly one: string; readonly other: string };

/** Two organisations with some months of pull requests each, and a real server on them. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumb-attack-'));
  const app = await openApp({ folder, databaseUrl: undefined });
  const make = async (name: string) => {
    const email = `owner@${name}.example`;
    const { id } = await createOrganisation(app.directory, actor, { name, ownerEmail: email });
    const { effective } = await app.store.read((session) => findPerson(session, id, email));
    for (let from = 0; from < pullRequestsMany; from += 5_000) {
      const lines = Array.from({ length: 5_000 }, (_, i) => ({ line: i + 1, value: pullRequest(from + i, email) }));
      await app.ingest.put(id, [{ table: 'pull_requests', lines, form: 'json' }]);
    }
    return (await app.keys.create(id, actor, { creatorId: effective.id, name })).key;
  };
  keys = { one: await make('one'), other: await make('other') };
  await app.close();
  plumb = await servePlumb(folder, { PLUMB_RATE_LIMIT: '0' });
  port = Number(new URL(plumb.url).port);
}, 300_000);
afterAll(async () => {
  await plumb?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const firstMs = Date.parse('2024-02-01T00:00:00Z');
const pullRequest = (n: number, email: string) => ({
  pr_id: `pr-${n}`,
  person_email: email,
  pr_state: 'merged',
  repository: 'acme/web',
  pr_created_at: new Date(firstMs + n * 250_000).toISOString(),
  pr_merged_at: new Date(firstMs + n * 250_000 + 3_600_000).toISOString(),
});

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
const times = (sent: readonly Sent[]) => sent.map(({ ms }) => ms).sort((a, b) => a - b);
const told = (what: string, figures: Readonly<Record<string, number>>) => {
  const all = Object.entries(figures).map(([name, value]) => `${name} ${Math.round(value * 10) / 10}`);
  console.log(`${what}: ${all.join(', ')}; load of the machine ${loadavg()[0]?.toFixed(1)}`);
};

test('while 480 connections of one key ask, another organisation is answered in time', {
  timeout: 180_000,
}, async () => {
  const agent = new Agent({ keepAlive: true });
  const quiet: Sent[] = [];
  for (let i = 0; i < 50; i += 1) quiet.push(await post(port, keys.other, freshQuestion(1_000_000 + i), agent));
  const hammer = await Hammer.connect(port, keys.one, 480);
  hammer.begin();
  await sleep(5_000);
  const other: Sent[] = [];
  const until = performance.now() + 20_000;
  for (let i = 0; performance.now() < until; i += 1) {
    other.push(await post(port, keys.other, freshQuestion(2_000_000 + i), agent));
  }
  await hammer.end();
  agent.destroy();
  const answered = hammer.sent.filter(({ status }) => status === 200);
  told('the other organisation', {
    asked: other.length,
    refused: other.filter(({ status }) => status !== 200).length,
    'p50 before': percentile(times(quiet), 0.5),
    p50: percentile(times(other), 0.5),
    p99: percentile(times(other), 0.99),
  });
  told('the one that hammers', {
    asked: hammer.sent.length,
    answered: answered.length,
    'longest until refused': Math.max(...hammer.sent.filter(({ status }) => status === 503).map(({ ms }) => ms)),
  });
  expect(other.filter(({ status }) => status !== 200)).toEqual([]);
  expect(percentile(times(other), 0.99)).toBeLessThan(250);
});

test('three times as many requests as can be answered: most of what can be is', { timeout: 180_000 }, async () => {
  const seconds = 10;
  /** As many as are answered one after another on a few connections: what the service can do. */
  const calm = await Hammer.connect(port, keys.one, 8);
  calm.begin();
  await sleep(seconds * 1_000);
  await calm.end();
  const capacity = calm.count(200) / seconds;
  const rate = Math.round(capacity) * 3;
  const script = join(import.meta.dirname, 'paced-requests.mjs');
  const paced = await promisify(execFile)(
    process.execPath,
    [script, ...[port, keys.one, rate, seconds, 2_000].map(String)],
    { maxBuffer: 64 * 1_024 ** 2 },
  );
  const { lasted, answered: all } = JSON.parse(paced.stdout) as { lasted: number; answered: Sent[] };
  const accepted = all.filter(({ status }) => status === 200);
  told('three times the load', {
    'capacity a second': capacity,
    'sent a second': all.length / lasted,
    'answered a second': accepted.length / lasted,
    'share of capacity in %': (accepted.length / lasted / capacity) * 100,
    p50: percentile(times(accepted), 0.5),
    p99: percentile(times(accepted), 0.99),
    'longest until refused': Math.max(0, ...all.filter(({ status }) => status === 503).map(({ ms }) => ms)),
  });
  expect(all.every(({ status }) => status === 200 || status === 503)).toBe(true);
  // Four fifths where whoever asks has processors of their own. Here they share two with the service, and asking and
  // refusing so much takes a third of them.
  expect(accepted.length / lasted / capacity).toBeGreaterThan(0.5);
  expect(percentile(times(accepted), 0.99)).toBeLessThan(3_000);
});
