import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/demo/seeded-random.ts';
import type { StreamProgress } from '../../src/jobs/sync-progress.ts';
import { type App, openApp } from '../../src/main.ts';
import { stateOf } from '../ingest/state.ts';
import { bundleScript } from '../setup/bundled-script.ts';
import { threadsForFewRows, times } from '../setup/how-long.ts';
import { seed } from '../setup/seed.ts';
import { throwAway } from '../setup/thrown-away.ts';
import { tableChecksums } from './table-checksums.ts';
import { ToyProvider } from './toy-provider.ts';
import { addToySource, syncToTheEnd, type ToySource, toySyncs } from './toy-sync.ts';
import { toyWorld } from './toy-world.ts';

const kills = times(1, 200);
/** Pages that may be read and not yet stored when a process is killed, two of each stream: they are read again. */
const maxUnderWay = 8;
/** From the answer to the moment when everything of a page is stored, about. */
const storingMs = 60;

const folder = mkdtempSync(join(tmpdir(), 'plumb-sync-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`A sync that is killed at any moment goes on where it was (${kills} kills, seed ${seed})`, async () => {
  const script = await bundleScript(join(import.meta.dirname, 'syncing-process.ts'), folder);
  const { place, source } = await emptyPlace();
  const whole = await finish(copyOf(place, 'whole'), source);
  for (let kill = 0; kill < kills; kill += 1) {
    const random = new SeededRandom(`kill ${seed} ${kill}`);
    const broken = copyOf(place, `broken-${kill}`);
    const at = 2 + Math.floor(random.next() * (whole.requests - 2));
    const before = await killed(script, broken, source, at, random.next() * storingMs);
    const { checksums, requests, reported } = await finish(broken, source);
    expect(checksums, `killed at request ${at}`).toEqual(whole.checksums);
    // Those that were under way, the list again, and one look for changes of each of the four streams.
    expect(before + requests).toBeLessThanOrEqual(whole.requests + maxUnderWay + 1 + 4);
    for (const { stream, scope, done, stored } of reported) {
      expect(done, `${stream} of ${scope}, killed at request ${at}`).toBeLessThanOrEqual(stored);
    }
    rmSync(broken, { recursive: true });
  }
});

async function emptyPlace(): Promise<{ readonly place: string; readonly source: ToySource }> {
  const place = join(folder, 'empty');
  mkdirSync(place);
  const app = await open(place);
  const source = await addToySource(app);
  await app.close();
  return { place, source };
}

const open = (place: string): Promise<App> =>
  openApp({ folder: place, databaseUrl: undefined, threads: threadsForFewRows });

function copyOf(place: string, name: string): string {
  const copy = join(folder, name);
  cpSync(place, copy, { recursive: true });
  return copy;
}

/** Kills a process while the provider answers its n-th request, or a moment later. How many requests it sent. */
async function killed(
  script: string,
  place: string,
  { sourceId }: ToySource,
  at: number,
  laterMs: number,
): Promise<number> {
  let kill = (): void => {};
  const provider = await ToyProvider.start(toyWorld(), {
    asked: (request) => {
      if (request === at) void pause(laterMs).then(() => kill());
    },
  });
  const words = [script, place, sourceId, provider.baseUrl, newsOf(place)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  kill = () => child.kill('SIGKILL');
  const [code, signal] = await once(child, 'exit');
  // A process that fails by itself would have stored nothing, which looks like one that was killed early.
  expect(code === 0 || signal === 'SIGKILL', `ended with ${code ?? signal}`).toBe(true);
  await provider.close();
  return provider.requests;
}

const newsOf = (place: string): string => join(place, 'news');

interface ReportedProgress extends StreamProgress {
  /** Rows that were stored when the process was gone. */
  readonly stored: number;
}

async function finish(place: string, { organisationId, sourceId }: ToySource) {
  const provider = await ToyProvider.start(toyWorld());
  const app = await open(place);
  try {
    const reported = await reportedBefore(app, organisationId, newsOf(place));
    await syncToTheEnd(toySyncs(app, provider.baseUrl), sourceId);
    return { checksums: await tableChecksums(app.warehouse, organisationId), requests: provider.requests, reported };
  } finally {
    await throwAway(place);
    await app.close();
    await provider.close();
  }
}

/** What the killed process said last of each stream, and what is there. */
async function reportedBefore(app: App, organisationId: string, news: string): Promise<ReportedProgress[]> {
  if (!existsSync(news)) return [];
  const last = new Map<string, StreamProgress>();
  for (const line of readFileSync(news, 'utf8').trim().split('\n')) {
    const progress = JSON.parse(line) as StreamProgress;
    last.set(progress.id, progress);
  }
  const state = await stateOf(app.warehouse, organisationId);
  return [...last.values()].map((progress) => ({
    ...progress,
    stored: (state[progress.stream] ?? []).filter((row) => row.includes(`toy:${progress.scope}`)).length,
  }));
}
