import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { git } from '../src/sources/git/git.ts';
import { pullRequest } from './http/ingest/some-records.ts';
import { asking, march, putRecords, startMetrics } from './http/metrics/some-metrics.ts';
import { executedFiles } from './setup/executed-files.ts';
import type { Service } from './setup/running-app.ts';
import { SomeClone } from './sources/git/some-clone.ts';
import { SyncedSource } from './sources/synced-source.ts';

/**
 * How many files of `src/` run in each journey: who wants to follow one has to read them. `max` is what there is today,
 * give or take one that only a busy machine runs, and is raised only with a reason; `aim` is where we would like it to be, and
 * docs/decisions/0060-files-on-a-journey.md says what keeps it from there.
 * `SHOW_FILES=1` prints the files, and their functions that were called.
 */
const journeys = {
  'a new question': { max: 79, aim: 60 },
  'a question asked again': { max: 34, aim: 35 },
  // Keys of issues are found in texts and linked to stored ones; reverts, spans and tallies are read by key.
  'five imported pull requests': { max: 117, aim: 90 },
  'a sync': { max: 120, aim: 95 },
} as const;
type Journey = keyof typeof journeys;

/** What a server does by the clock, whatever else it is at: a file of which nothing else runs is in no journey. */
const byTheClock: Readonly<Record<string, string>> = {
  'src/http/admission/load-shedding.ts': 'sample',
  'src/http/pages/live-events.ts': '#look',
};

let service: Service;
beforeAll(async () => {
  service = await startMetrics();
  // It writes every few seconds which keys were used, also in the middle of a journey that writes nothing.
  await service.app.lastUsed.close();
});
afterAll(() => service.close());
const ask = asking(() => service);

const question = (end_date: string) => async () => {
  const { status } = await ask('pull-requests-count', { filters: { ...march, end_date }, group_by: ['repository'] });
  expect(status).toBe(200);
};
const importPullRequests = (numbers: readonly number[]) =>
  putRecords(service, 'pull_requests', numbers.map(pullRequest));

/** Each begins after the same was done once, so that nothing is counted which happens only at first. */
const prepared: Record<Journey, () => Promise<() => Promise<void>>> = {
  async 'a new question'() {
    await question('2024-03-30')();
    return question('2024-03-31');
  },
  async 'a question asked again'() {
    const same = question('2024-03-29');
    await same();
    await same();
    return same;
  },
  async 'five imported pull requests'() {
    await importPullRequests([0, 1, 2, 3, 4]);
    return () => importPullRequests([5, 6, 7, 8, 9]);
  },
  async 'a sync'() {
    const clone = new SomeClone();
    onTestFinished(() => clone.remove());
    clone.commit('Add the door (#1)', { at: '2024-03-01T10:00:00Z' });
    const source = await SyncedSource.add(service.app, git, { path: clone.path, repository: 'acme/web' });
    await source.sync();
    clone.commit('Paint the door (#2)', { at: '2024-03-02T10:00:00Z' });
    return () => source.sync();
  },
};

test.each(Object.keys(journeys) as Journey[])(
  'The journey of %s runs through no more files than it may',
  // Tried once more, a new question would not be new.
  { retry: 0 },
  async (name) => {
    const { max, aim } = journeys[name];
    const executed = [...(await executedFiles(await prepared[name]()))];
    const files = new Map(executed.filter(([file, names]) => names.some((one) => one !== byTheClock[file])));
    const functions = [...files.values()].flat().length;
    console.log(`${name}: ${files.size} files (at most ${max}, aim ${aim}), ${functions} functions`);
    if (process.env.SHOW_FILES) for (const [file, names] of files) console.log(`  ${file}: ${names.join(' ')}`);
    expect(files.size).toBeLessThanOrEqual(max);
    // A count that has lost the way would hold every ceiling.
    expect([...files.keys()]).toContain(landmarks[name]);
  },
);

/** A file that the journey cannot do without. */
const landmarks: Readonly<Record<Journey, string>> = {
  'a new question': 'src/query/planner.ts',
  'a question asked again': 'src/query/response-cache.ts',
  'five imported pull requests': 'src/ingest/pipeline.ts',
  'a sync': 'src/jobs/stream-reading.ts',
};
