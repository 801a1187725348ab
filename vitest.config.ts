import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

// Both are read when a process starts, so they are set here, where the workers inherit them.
// DuckDB runs its queries on Node's thread pool; and a place half an hour off UTC, with summer time, finds the code
// that takes the machine's clock for the organisation's.
process.env.UV_THREADPOOL_SIZE ??= '16';
process.env.TZ = 'America/St_Johns';

// Random tests gate the ordinary run, so that must be the same twice. Long runs look further, each somewhere else.
const seed = process.env.PLUMB_TEST_LONG ? Math.floor(Math.random() * 2 ** 31) : 20_240_229;
process.env.PLUMB_TEST_SEED ??= String(seed);

const longSuites = process.env.PLUMB_TEST_LONG ? [] : ['**/*.long.test.ts'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...longSuites],
    globalSetup: ['test/setup/global-setup.ts'],
    setupFiles: ['test/setup/seed-fast-check.ts'],
    // Processes, not threads: a native engine that crashes then takes one test file with it, not the run.
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
