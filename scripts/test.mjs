// `npm test`: types, style and every test, from a bare clone. Arguments go to vitest (`npm test -- test/demo`), except
// `--long`, which adds the suites that take minutes (*.long.test.ts). The end of a run says where its time went; the last
// line counts what passed and what did not.
import { checkStyle, checkTypes } from './checks.mjs';
import { runInForeground, say, setUp } from './set-up.mjs';
import { installTestEngines } from './test-engines.mjs';

const args = process.argv.slice(2).filter((arg) => arg !== '--' && arg !== '--long');
const env = process.argv.includes('--long') ? { PLUMB_TEST_LONG: '1' } : {};
const total = { passed: 0, failed: 0, skipped: 0 };
/** Wall seconds by part. Parts that run beside each other overlap. */
const seconds = new Map();

try {
  const [prepared] = await Promise.allSettled([
    timed('packages and builds', setUp).then(() => timed('types and style', runChecks)),
    timed('engines and programs that only tests need', installTestEngines),
  ]);
  if (prepared.status === 'rejected') throw prepared.reason;
  await timed('tests', runTests);
} catch (error) {
  say(error.message);
  total.failed += 1;
}
console.log(`Seconds by part: ${[...seconds].map(([part, taken]) => `${part} ${taken}`).join(' · ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function timed(part, act) {
  const start = performance.now();
  try {
    return await act();
  } finally {
    seconds.set(part, Math.round((performance.now() - start) / 1_000));
  }
}

async function runChecks() {
  for (const outcome of await Promise.allSettled([checkTypes('tsconfig.json'), checkTypes('web'), checkStyle()])) {
    total[outcome.status === 'fulfilled' ? 'passed' : 'failed'] += 1;
    if (outcome.status === 'rejected') say(outcome.reason.message);
  }
}

async function runTests() {
  const reporters = ['default', './test/setup/time-reporter.ts', './test/setup/tally-reporter.ts'];
  reporters.push('./test/setup/seconds-reporter.ts');
  const reporterArgs = reporters.map((name) => `--reporter=${name}`);
  let tally = { passed: 0, failed: 0, skipped: 0 };
  const code = await runInForeground('node_modules/vitest/vitest.mjs', ['run', ...reporterArgs, ...args], {
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
