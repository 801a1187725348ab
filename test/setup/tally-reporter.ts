import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Tells the process that started vitest how many tests passed, failed and were skipped; it has the last word. Those that
 * passed only when tried again are named, each with why it failed: such a test, or what it tests, wants mending.
 */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        tally[test.result().state] += 1;
        if (test.diagnostic()?.flaky) {
          const [reason] = test.result().errors ?? [];
          console.log(
            `Passed only when tried again: ${module.relativeModuleId} > ${test.fullName}: ${reason?.message}`,
          );
        }
      }
      // A file that does not load, or a hook that fails, has no failed test to show for it.
      for (const group of [module, ...module.children.allSuites()]) if (group.errors().length > 0) tally.failed += 1;
    }
    process.send?.(tally);
  }
}
