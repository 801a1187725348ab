// `npm run test:quick`: the tests that are nearest to what is changed, and one of every journey. `--since COMMIT` compares
// with another commit, `--seconds N` gives test files another time, and `--all` runs all that the change can affect.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changedFiles } from './changed-files.mjs';
import { CountedRun } from './counted-run.mjs';
import { journeys, placeOfJourney } from './journeys.mjs';
import { buildPages, buildServer, installProject, root, runQuietly, say } from './set-up.mjs';
import { installTestEngines } from './test-engines.mjs';
import { readTestSeconds } from './test-seconds.mjs';
import { chooseWithin, countByFolder } from './test-selection.mjs';

/** Of all chosen test files together, of which four run at a time. Builds, checks and the start of engines come to it. */
const defaultSeconds = 120;
/** One file runs in one process: the others would be done long before it. */
const maxSecondsOfFile = 30;

const { values: options } = parseArgs({
  options: { since: { type: 'string' }, seconds: { type: 'string' }, all: { type: 'boolean', default: false } },
});
const run = new CountedRun();
try {
  await Promise.all([installProject(), installTestEngines()]);
  const changed = changedFiles(root, options.since);
  const { chosen, leftOut } = await chooseTests(changed);
  const wholeFiles = chosen.map(({ file }) => file);
  const others = journeys.filter(({ file }) => !wholeFiles.includes(file));
  await Promise.all([buildServer(), buildPages(), checkTypes(changed), checkStyle(changed)]);
  const places = [...wholeFiles, ...others.map((journey) => placeOfJourney(root, journey))];
  await run.runTests(places);
  if (leftOut.length > 0) {
    say(`Not run: ${leftOut.length} other test files that the change can affect (${countByFolder(leftOut)}).`);
    say('`npm run test:quick -- --all` runs them too, and `npm test` runs everything.');
  }
} catch (error) {
  run.fail(error);
}
run.finish();

async function chooseTests(changed) {
  // It needs a package, so it is loaded after that is installed.
  const { nearestFirst, readTestReach } = await import('./affected-tests.mjs');
  const secondsOf = readTestSeconds(root);
  const affected = nearestFirst(readTestReach(root).affectedBy(changed), secondsOf);
  const seconds = options.all ? Number.POSITIVE_INFINITY : Number(options.seconds ?? defaultSeconds);
  const selection = chooseWithin(seconds, affected, secondsOf, options.all ? seconds : maxSecondsOfFile);
  say(`Changed files: ${changed.length}. Test files that they can affect: ${affected.length}.`);
  say(`Running the nearest ${selection.chosen.length} of them, and one test of each journey.`);
  return selection;
}

async function checkTypes(changed) {
  const typed = changed.filter((file) => /\.(?:ts|tsx|mts)$|tsconfig\.json$/.test(file));
  const checkProject = (project, name) => {
    // Remembering what was checked last time saves between a third and most of the time.
    const record = join(root, `.cache/${name}.tsbuildinfo`);
    const words = ['-p', project, '--incremental', '--tsBuildInfoFile', record];
    return check(`Checking types of ${project}…`, 'node_modules/typescript/bin/tsc', words);
  };
  // The pages use a few files of the server.
  const isOfPages = (file) => !file.startsWith('test/') || file.startsWith('test/web/pages/');
  if (typed.length > 0) await checkProject('tsconfig.json', 'types');
  if (typed.some(isOfPages)) await checkProject('web', 'types-of-pages');
}

async function checkStyle(changed) {
  const files = changed.includes('biome.json') ? ['.'] : changed.filter((file) => existsSync(join(root, file)));
  if (files.length === 0) return;
  const words = ['check', '--no-errors-on-unmatched', '--files-ignore-unknown=true', ...files];
  await check('Checking style…', 'node_modules/@biomejs/biome/bin/biome', words);
}

function check(title, script, words) {
  say(title);
  return run.check(() => runQuietly(process.execPath, [script, ...words]));
}
