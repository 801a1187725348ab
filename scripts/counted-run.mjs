// Counts checks and tests of one run together, for its last line.
import { runInForeground, say } from './set-up.mjs';

export class CountedRun {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  /** A check that throws where something is wrong, such as a run of the compiler. */
  async check(act) {
    try {
      await act();
      this.#passed += 1;
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    say(error.message);
    this.#failed += 1;
  }

  /** A run of vitest, with the reporters that it always has and with those that are given. */
  async runTests(args, { reporters = [], env = {} } = {}) {
    const all = ['default', ...reporters, './test/setup/tally-reporter.ts'];
    const words = ['run', ...all.map((name) => `--reporter=${name}`), ...args];
    let tally = { passed: 0, failed: 0, skipped: 0 };
    const onMessage = (message) => {
      tally = message;
    };
    const code = await runInForeground('node_modules/vitest/vitest.mjs', words, { env, onMessage });
    this.#passed += tally.passed;
    this.#failed += tally.failed;
    this.#skipped += tally.skipped;
    // The closing line and the exit code must agree, whatever vitest was unhappy about.
    if (tally.failed === 0 && code !== 0) this.fail(new Error(`vitest ended with exit code ${code}.`));
    else if (tally.failed === 0 && tally.passed === 0) this.fail(new Error('No test ran.'));
  }

  /** The last line, and the exit code that agrees with it. */
  finish() {
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
    console.log(`${this.#passed} passed, ${this.#failed} failed${skipped}`);
    process.exitCode = this.#failed > 0 ? 1 : 0;
  }
}
