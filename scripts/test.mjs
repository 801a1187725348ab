// `npm test`: types, style and every test, from a bare clone. Arguments go to vitest (`npm test -- test/demo`), except
// `--long`, which adds the suites that take minutes (*.long.test.ts), and `--soak`, which runs those of hours alone. The end
// of a run says where its time went; the last line counts what passed and what did not.
import { checkStyle, checkTypes } from './checks.mjs';
import { CountedRun } from './counted-run.mjs';
import { setUp } from './set-up.mjs';
import { installTestEngines } from './test-engines.mjs';

const isSoak = process.argv.includes('--soak');
const isLong = isSoak || process.argv.includes('--long');
const given = process.argv.slice(2).filter((arg) => !['--', '--long', '--soak'].includes(arg));
const args = [...(isSoak ? ['--project', 'soak'] : []), ...given];
const env = {
  ...(isLong ? { PLUMB_TEST_LONG: '1' } : {}),
  ...(isSoak ? { PLUMB_SOAK_MINUTES: process.env.PLUMB_SOAK_MINUTES ?? '60' } : {}),
};
const reporters = ['./test/setup/time-reporter.ts', './test/setup/seconds-reporter.ts'];
const run = new CountedRun();
/** Wall seconds by part. Parts that run beside each other overlap. */
const seconds = new Map();

try {
  const [prepared] = await Promise.allSettled([
    timed('packages and builds', setUp).then(() => timed('types and style', runChecks)),
    timed('engines and programs that only tests need', installTestEngines),
  ]);
  if (prepared.status === 'rejected') throw prepared.reason;
  await timed('tests', () => run.runTests(args, { reporters, env }));
} catch (error) {
  run.fail(error);
}
console.log(`Seconds by part: ${[...seconds].map(([part, taken]) => `${part} ${taken}`).join(' · ')}`);
run.finish();

async function timed(part, act) {
  const start = performance.now();
  try {
    return await act();
  } finally {
    seconds.set(part, Math.round((performance.now() - start) / 1_000));
  }
}

async function runChecks() {
  const checks = [() => checkTypes('tsconfig.json'), () => checkTypes('web'), checkStyle];
  await Promise.all(checks.map((check) => run.check(check)));
}
