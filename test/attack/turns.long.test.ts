import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
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
/** Whether service and asking client can have a processor each, so that neither takes the other's. */
const arePinned = availableParallelism() >= 2 && spawnSync('taskset', ['-c', '1', 'true']).status === 0;

let folder: string;
let plumb: ServingPlumb | undefined;
let port: number;
let keys: { readonly one: string; readonly other: string };

const serve = async (limits: { readonly processor?: number } = {}) => {
  await plumb?.stop();
  plumb = await servePlumb(folder, { PLUMB_RATE_LIMIT: '0' }, [], limits);
  port = Number(new URL(plumb.url).port);
};

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
  await serve();
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

interface Asked extends Sent {
  /** Seconds after the first question. */
  readonly at: number;
}

const paced = async (options: {
  readonly seconds: number;
  readonly connections: number;
  readonly rate: number;
  readonly firstNumber: number;
}): Promise<Asked[]> => {
  const { seconds, connections, rate, firstNumber } = options;
  const script = join(import.meta.dirname, 'paced-requests.mjs');
  const args = [script, ...[port, keys.one, seconds, connections, rate, firstNumber].map(String)];
  const command = arePinned ? 'taskset' : process.execPath;
  const words = arePinned ? ['-c', '1', process.execPath, ...args] : args;
  const { stdout } = await promisify(execFile)(command, words, { maxBuffer: 64 * 1_024 ** 2 });
  return JSON.parse(stdout) as Asked[];
};

/** What was answered a second, without the first seconds and without what came after the last question. */
const answeredEachSecond = (asked: readonly Asked[], from: number, until: number) =>
  asked.filter(({ status, at }) => status === 200 && at >= from && at < until).length / (until - from);

test('three times as many requests as can be answered: most of what can be is', { timeout: 180_000 }, async () => {
  const seconds = 12;
  // From its start on: what it divides among processors depends on how many there are.
  if (arePinned) await serve({ processor: 0 });
  await paced({ seconds: 8, connections: 8, rate: 0, firstNumber: 3_000_000 });
  const calm = await paced({ seconds, connections: 8, rate: 0, firstNumber: 4_000_000 });
  const capacity = answeredEachSecond(calm, 2, seconds);
  const rate = Math.round(capacity * 3);
  const all = await paced({ seconds, connections: 2_000, rate, firstNumber: 5_000_000 });
  const accepted = all.filter(({ status }) => status === 200);
  const share = answeredEachSecond(all, 2, seconds) / capacity;
  told('three times the load', {
    'capacity a second': capacity,
    'sent a second': all.length / seconds,
    'answered a second': share * capacity,
    'share of capacity in %': share * 100,
    p50: percentile(times(accepted), 0.5),
    p99: percentile(times(accepted), 0.99),
    'longest until refused': Math.max(0, ...all.filter(({ status }) => status === 503).map(({ ms }) => ms)),
  });
  expect(all.every(({ status }) => status === 200 || status === 503)).toBe(true);
  // Where whoever asks takes the service's own processors, asking three times as much leaves less for the answers.
  expect(share).toBeGreaterThan(arePinned ? 0.8 : 0.5);
  expect(percentile(times(accepted), 0.99)).toBeLessThan(3_000);
});
