import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readTestSeconds } from './scripts/test-seconds.mjs';
import { useFolderInMemory } from './test/setup/folder-in-memory.ts';

// All are read when a process starts, so they are set here, where the workers inherit them.
// DuckDB runs its queries on Node's thread pool; and a place half an hour off UTC, with summer time, finds the code
// that takes the machine's clock for the organisation's.
process.env.UV_THREADPOOL_SIZE ??= '16';
process.env.TZ = 'America/St_Johns';
// Pages are drawn by the React that is shipped. For development it keeps a stack trace of each element, which takes longer than
// all else that it does.
process.env.NODE_ENV = 'production';

const isLong = process.env.PLUMB_TEST_LONG !== undefined;

// Random tests gate the ordinary run, so that must be the same twice. Long runs look further, each somewhere else.
const seed = isLong ? Math.floor(Math.random() * 2 ** 31) : 20_240_229;
process.env.PLUMB_TEST_SEED ??= String(seed);

if (!isLong) useFolderInMemory();

/** Ends only what hangs: on a machine that others keep busy, a test has taken seven times as long as usual. */
const hangingMs = isLong ? 7_200_000 : 300_000;

const longSuites = isLong ? [] : ['**/*.long.test.ts'];

/** Each needs a process in which no other test file was before: it replaces a module. */
const alone = ['test/safety/interrupted-restore.long.test.ts'];

/** Each measures for minutes what a service takes of its machine, so nothing else may run beside it. */
const soak = ['test/soak/*.long.test.ts'];

/** The longest are begun first: left to the end, one of them would keep the run waiting with a processor idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = readTestSeconds(import.meta.dirname);
    const seconds = ({ moduleId }: TestSpecification) => secondsOf(relative(import.meta.dirname, moduleId));
    return [...files].sort((a, b) => seconds(b) - seconds(a) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

const each: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['test/setup/seed-fast-check.ts'],
  // Processes, not threads: a native engine that crashes then takes one test file with it, not the run.
  pool: 'forks',
  // Two more than there are processors: many tests wait, for a process or a deadline. With four more, each test takes longer.
  maxWorkers: availableParallelism() + 2,
  testTimeout: hangingMs,
  hookTimeout: hangingMs,
  // What is waited for comes in milliseconds; only a machine that is busy with something else needs longer.
  expect: { poll: { timeout: 30_000 } },
  // A busy machine may make a test wait too long. It is tried once more, and the end of the run names it.
  retry: isLong ? 0 : 1,
};

export default defineConfig({
  test: {
    globalSetup: ['test/setup/global-setup.ts'],
    // Between two runs few modules change, and the others need not be translated again.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...each,
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...longSuites, ...alone, ...soak],
          // Loading the modules again for each file takes longer than most files do.
          isolate: false,
        },
      },
      ...(isLong ? [{ test: { ...each, name: 'alone', include: alone } }] : []),
      ...(isLong
        ? [{ test: { ...each, name: 'soak', include: soak, maxWorkers: 1, sequence: { groupOrder: 1 } } }]
        : []),
    ],
  },
});
