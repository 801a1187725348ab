// `npm test`: types, lint and every test, from a bare clone. Arguments go to vitest (`npm test -- test/demo`), except
// `--long`, which adds the suites that take minutes (*.long.test.ts). The last line counts what passed and what did not.
import { runInForeground, runQuietly, say, setUp } from './set-up.mjs';
import { installTestEngines } from './test-engines.mjs';

const args = process.argv.slice(2).filter((arg) => arg !== '--' && arg !== '--long');
const env = process.argv.includes('--long') ? { PLUMB_TEST_LONG: '1' } : {};
const total = { passed: 0, failed: 0, skipped: 0 };

try {
  setUp();
  installTestEngines();
  check('Checking types…', 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.json']);
  check('Checking types of the pages…', 'node_modules/typescript/bin/tsc', ['-p', 'web']);
  check('Checking style…', 'node_modules/@biomejs/biome/bin/biome', ['check', '.']);
  await runTests();
} catch (error) {
  say(error.message);
  total.failed += 1;
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

function check(title, script, scriptArgs) {
  say(title);
  try {
    runQuietly(process.execPath, [script, ...scriptArgs]);
    total.passed += 1;
  } catch (error) {
    say(error.message);
    total.failed += 1;
  }
}

async function runTests() {
  const reporters = ['--reporter=default', '--reporter=./test/setup/tally-reporter.ts'];
  let tally = { passed: 0, failed: 0, skipped: 0 };
  const code = await runInForeground('node_modules/vitest/vitest.mjs', ['run', ...reporters, ...args], {
    env,
    onMessage: (message) => {
      tally = message;
    },
  });
  for (const outcome of Object.keys(total)) total[outcome] += tally[outcome];
  if (tally.failed > 0) return;
  // The closing line and the exit code must agree, whatever vitest was unhappy about.
  if (code !== 0) throw new Error(`vitest ended with exit code ${code}.`);
  if (tally.passed === 0) throw new Error('No test ran.');
}
