import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMemory } from '../../src/admission/memory-division.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { findPerson } from '../../src/directory/people.ts';
import { openApp } from '../../src/main.ts';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';
import { megabytes, memoryOf } from './process-memory.ts';
import { freshQuestion, post, type Sent, send } from './two-organisations.ts';

const actor = { via: 'command', user: 'test' } as const;
const pullRequestsMany = 20_000;
/** Whether service and asking client can have a processor each, so that neither takes the other's. */
const arePinned = availableParallelism() >= 2 && spawnSync('taskset', ['-c', '1', 'true']).status === 0;

let folder: string;
let plumb: ServingPlumb | undefined;
let port: number;
let keys: { readonly one: string; readonly other: string };

const serve = async (memory: string, limits: { readonly processor?: number } = {}) => {
  await plumb?.stop();
  const setting: Record<string, string> = memory === '' ? {} : { PLUMB_MEMORY: memory };
  plumb = await servePlumb(folder, { PLUMB_RATE_LIMIT: '0', ...setting }, [], limits);
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

const percentile = (sent: readonly Sent[], share: number) => {
  const sorted = sent.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};

type Figures = Readonly<Record<string, number>>;

/** Of each figure the one in the middle. */
async function medianOfThree(what: string, run: (n: number) => Promise<Figures>): Promise<(name: string) => number> {
  const runs: Figures[] = [];
  for (const n of [0, 1, 2]) {
    const figures = await run(n);
    const all = Object.entries(figures).map(([name, value]) => `${name} ${Math.round(value * 10) / 10}`);
    console.log(`${what}: ${all.join(', ')}; load of the machine ${loadavg()[0]?.toFixed(1)}`);
    runs.push(figures);
  }
  return (name) => runs.map((figures) => figures[name] ?? Number.NaN).sort((a, b) => a - b)[1] ?? Number.NaN;
}

interface Neighbours {
  /** On a connection that stays open. */
  readonly open: Sent[];
  /** Each on a new connection, from before it is opened. */
  readonly fresh: Sent[];
  /** The health check, in the same way. */
  readonly probes: Sent[];
}

/** The other organisation, which asks a few questions a second for as long as the attack lasts. */
async function others<T>(attack: Promise<T>): Promise<Neighbours & { readonly result: T }> {
  const agent = new Agent({ keepAlive: true });
  let isOver = false;
  const result = attack.finally(() => {
    isOver = true;
  });
  const over = async (sent: Sent[], ask: (n: number) => Promise<Sent>) => {
    for (; !isOver; await sleep(40)) sent.push(await ask(nextNumber()));
  };
  const [open, fresh, probes]: [Sent[], Sent[], Sent[]] = [[], [], []];
  await Promise.all([
    result,
    over(open, (n) => post(port, keys.other, freshQuestion(n), agent)),
    over(fresh, (n) => post(port, keys.other, freshQuestion(n))),
    over(probes, () => send(port, { path: '/livez', agent: false })),
  ]);
  agent.destroy();
  return { result: await result, open, fresh, probes };
}

let number = 0;
/** Of seconds after the first moment, as far from each other as all questions of an attack are many. */
const nextNumber = (many = 1) => {
  number += many;
  return number - many;
};

interface PacedQuestion extends Sent {
  /** Seconds after the first question. */
  readonly at: number;
}

const paced = async (options: {
  readonly seconds: number;
  readonly connections: number;
  readonly rate: number;
  readonly isPinned: boolean;
}): Promise<PacedQuestion[]> => {
  const { seconds, connections, rate, isPinned } = options;
  const script = join(import.meta.dirname, 'paced-requests.mjs');
  const args = [script, ...[port, keys.one, seconds, connections, rate, nextNumber(50_000)].map(String)];
  const command = isPinned ? 'taskset' : process.execPath;
  const words = isPinned ? ['-c', '1', process.execPath, ...args] : args;
  const { stdout } = await promisify(execFile)(command, words, { maxBuffer: 64 * 1_024 ** 2 });
  return JSON.parse(stdout) as PacedQuestion[];
};

/** What was answered a second, without the first seconds and without what came after the last question. */
const answeredEachSecond = (asked: readonly PacedQuestion[], from: number, until: number) =>
  asked.filter(({ status, at }) => status === 200 && at >= from && at < until).length / (until - from);

const longestUntilRefused = (asked: readonly Sent[]) =>
  Math.max(0, ...asked.filter(({ status }) => status === 503).map(({ ms }) => ms));

function figuresOf({ open, fresh, probes }: Neighbours): Figures {
  const all = [...open, ...fresh, ...probes];
  return {
    'asked by others': all.length,
    'others refused': all.filter(({ status }) => status !== 200).length,
    p50: percentile(open, 0.5),
    p99: percentile(open, 0.99),
    'p99 on new connections': percentile(fresh, 0.99),
    'p99 of the health check': percentile(probes, 0.99),
    'resident in MB': megabytes(memoryOf(plumb?.pid ?? 0).peak),
  };
}

function expectGoals(median: (name: string) => number, memory: string): void {
  expect.soft(median('others refused')).toBe(0);
  expect.soft(median('p99')).toBeLessThanOrEqual(300);
  expect.soft(median('p99 on new connections')).toBeLessThanOrEqual(300);
  expect.soft(median('p99 of the health check')).toBeLessThanOrEqual(300);
  expect.soft(median('longest until refused')).toBeLessThanOrEqual(2_500);
  const most = readMemory(memory);
  if (most !== undefined) expect.soft(median('resident in MB')).toBeLessThan(1.25 * megabytes(most));
}

describe.each(['', '1GB'])('with PLUMB_MEMORY=%s', (memory) => {
  test('While 480 connections of one key ask what was never asked, another organisation is answered in time', {
    timeout: 600_000,
  }, async () => {
    await serve(memory);
    for (let i = 0; i < 50; i += 1) await post(port, keys.other, freshQuestion(nextNumber()));
    const median = await medianOfThree(`480 connections, PLUMB_MEMORY=${memory}`, async () => {
      // All connections arrive at once, and each asks again as soon as it is answered or refused.
      const attack = paced({ seconds: 20, connections: 480, rate: 0, isPinned: false });
      const neighbours = await others(attack);
      const asked = neighbours.result;
      expect(asked.every(({ status }) => status === 200 || status === 503)).toBe(true);
      return {
        ...figuresOf(neighbours),
        'asked by the key': asked.length,
        answered: asked.filter(({ status }) => status === 200).length,
        'longest until refused': longestUntilRefused(asked),
      };
    });
    expectGoals(median, memory);
  });

  test('Three times as many requests as can be answered: most of what can be is, and others are answered in time', {
    timeout: 600_000,
  }, async () => {
    const seconds = 12;
    // From its start on: what it divides among processors depends on how many there are.
    await serve(memory, arePinned ? { processor: 0 } : {});
    const calmly = { seconds, connections: 8, rate: 0, isPinned: arePinned };
    await paced({ ...calmly, seconds: 8 });
    const capacity = answeredEachSecond(await paced(calmly), 2, seconds);
    const median = await medianOfThree(`three times the capacity, PLUMB_MEMORY=${memory}`, async () => {
      const rate = Math.round(capacity * 3);
      const neighbours = await others(paced({ seconds, connections: 2_000, rate, isPinned: arePinned }));
      const all = neighbours.result;
      expect(all.every(({ status }) => status === 200 || status === 503)).toBe(true);
      const accepted = all.filter(({ status }) => status === 200);
      return {
        ...figuresOf(neighbours),
        'capacity a second': capacity,
        'sent a second': all.length / seconds,
        'share of capacity in %': (answeredEachSecond(all, 2, seconds) / capacity) * 100,
        'p99 of the answered': percentile(accepted, 0.99),
        'longest until refused': longestUntilRefused(all),
      };
    });
    expectGoals(median, memory);
    // Where whoever asks takes the service's own processors, asking three times as much leaves less for the answers.
    expect.soft(median('share of capacity in %')).toBeGreaterThanOrEqual(arePinned ? 80 : 50);
    expect.soft(median('p99 of the answered')).toBeLessThan(3_000);
  });
});
