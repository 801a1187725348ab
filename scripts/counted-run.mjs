// Counts checks and tests of one run together, for its last line.
import { runInForeground, runQuietly, say } from './set-up.mjs';

export class CountedRun {
  #passed = 0;
  #failed = 0;

  /** A program that ends with 0 when all is well, such as the compiler. */
  async check(title, script, args) {
    say(title);
    try {
      await runQuietly(process.execPath, [script, ...args]);
      this.#passed += 1;
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    say(error.message);
    this.#failed += 1;
  }

  async runTests(args) {
    const reporters = ['--reporter=default', '--reporter=./test/setup/tally-reporter.ts'];
    // Between two runs few modules change, and the others need not be translated again.
    const words = ['run', '--experimental.fsModuleCache', ...reporters, ...args];
    let tally = { passed: 0, failed: 0 };
    const onMessage = (message) => {
      tally = message;
    };
    const code = await runInForeground('node_modules/vitest/vitest.mjs', words, { onMessage });
    this.#passed += tally.passed;
    this.#failed += tally.failed;
    // The closing line and the exit code must agree, whatever vitest was unhappy about.
    if (tally.failed === 0 && code !== 0) this.fail(new Error(`vitest ended with exit code ${code}.`));
    else if (tally.failed === 0 && tally.passed === 0) this.fail(new Error('No test ran.'));
  }

  /** The last line, and the exit code that agrees with it. */
  finish() {
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    process.exitCode = this.#failed > 0 ? 1 : 0;
  }
}
