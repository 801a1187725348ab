// `npm run test:faults`: puts each fault of test/faults into a copy of the tree, one at a time, and looks for a test that
// fails. A fault that no test catches breaks a promise that nothing keeps. `--only NAME,NAME` tries some of them, and
// `--max-seconds N` limits how long a test is looked for.
import { parseArgs } from 'node:util';
import { faults } from '../test/faults/faults.mjs';
import { root, say, setUp } from './set-up.mjs';
import { installTestEngines } from './test-engines.mjs';
import { readTestSeconds } from './test-seconds.mjs';
import { copyTree } from './tree-copy.mjs';

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, 'max-seconds': { type: 'string', default: '240' } },
});
const started = performance.now();
const tried = chosenFaults(options.only?.split(','));
const maxSeconds = Number(options['max-seconds']);
/** The tests that caught something, all of them once more: about as many as there are faults. */
const maxSecondsWithout = 900;

await setUp();
await installTestEngines();
// They need a package, so they are loaded after it is installed.
const { openTrials, problemOf } = await import('./fault-trial.mjs');
const { endRuns } = await import('./silent-vitest.mjs');

say('Copying the tree…');
const copy = copyTree(root);
process.on('exit', () => {
  endRuns();
  copy.remove();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

const trials = await openTrials(copy.root, readTestSeconds(root));
const results = [];
for (const fault of tried) {
  const problem = problemOf(fault, copy.root);
  const result = problem ? { outcome: 'wrong', reason: problem, seconds: 0 } : await trials.tryFault(fault, maxSeconds);
  results.push({ ...fault, ...result });
  say(lineOf(results.at(-1)));
}
await withdrawFailingTests();
printTable();

function chosenFaults(names) {
  const unknown = names?.filter((name) => !faults.some((fault) => fault.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`test/faults/faults.mjs has no ${unknown.join(', ')}.`);
  return faults.filter(({ name }) => names?.includes(name) ?? true);
}

function lineOf({ name, promise, file, outcome, reason, seconds, caughtBy, ran, affected }) {
  const after = `after ${seconds.toFixed(0)} s`;
  if (outcome === 'caught')
    return `${name}: caught ${after} by ${caughtBy.file} > ${caughtBy.test}: ${caughtBy.reason}`;
  if (outcome !== 'not caught') return `${name}: ${outcome.toUpperCase()}: ${reason}`;
  const tests = `${ran} of the ${affected} test files that reach ${file} ran`;
  return `${name}: NOT CAUGHT ${after}, ${tests}. ${promise}${reason ? ` ${reason}` : ''}`;
}

/** A test that fails without any fault has caught none. */
async function withdrawFailingTests() {
  const caught = results.filter(({ outcome }) => outcome === 'caught');
  const files = [...new Set(caught.map(({ caughtBy }) => caughtBy.file))];
  if (files.length === 0) return;
  say('Running the tests that caught a fault without one…');
  const { failed } = await trials.runBuilt(files, { maxSeconds: maxSecondsWithout, goesOn: true });
  for (const result of caught) {
    const failsAnyway = failed.some(({ file, test }) => file === result.caughtBy.file && test === result.caughtBy.test);
    if (!failsAnyway) continue;
    result.outcome = 'not caught';
    say(`${result.name}: NOT CAUGHT, since the test fails without it too.`);
  }
}

function printTable() {
  const width = Math.max(...results.map(({ name }) => name.length));
  for (const { name, outcome, seconds, caughtBy } of results) {
    const found = outcome === 'caught' ? `${caughtBy.file} > ${caughtBy.test}` : outcome.toUpperCase();
    console.log(`${name.padEnd(width)} ${seconds.toFixed(0).padStart(4)} s  ${found}`);
  }
  const caught = results.filter(({ outcome }) => outcome === 'caught').length;
  const minutes = (performance.now() - started) / 60_000;
  console.log(`${caught} caught, ${results.length - caught} not caught, in ${minutes.toFixed(1)} minutes`);
  process.exitCode = caught === results.length ? 0 : 1;
}
