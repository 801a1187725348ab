import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

// Both are read when a process starts, so they are set here, where the workers inherit them.
// DuckDB runs its queries on Node's thread pool; and a place half an hour off UTC, with summer time, finds the code
// that takes the machine's clock for the organisation's.
process.env.UV_THREADPOOL_SIZE ??= '16';
process.env.TZ = 'America/St_Johns';

const longSuites = process.env.PLUMB_TEST_LONG ? [] : ['**/*.long.test.ts'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...longSuites],
    globalSetup: ['test/setup/global-setup.ts'],
    // Processes, not threads: a native engine that crashes then takes one test file with it, not the run.
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
