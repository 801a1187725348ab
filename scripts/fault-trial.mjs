// Puts one fault at a time into a copy of the tree, and looks for the first test that fails because of it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nearestFirst, readTestReach } from './affected-tests.mjs';
import { runTestFiles } from './silent-vitest.mjs';
import { batchesOf } from './test-selection.mjs';

const firstBatch = { maxFiles: 12, maxSeconds: 60 };

/** What is wrong with a fault, by its looks. */
export function problemOf({ file, replace, by }, root) {
  if (!existsSync(join(root, file))) return `There is no ${file}.`;
  const count = readFileSync(join(root, file), 'utf8').split(replace).length - 1;
  if (count !== 1) return `Its text occurs ${count} times in ${file}, and not once.`;
  return replace === by ? 'It changes nothing.' : undefined;
}

/** Tries faults in the copy whose root is given. */
export async function openTrials(root, secondsOf) {
  const { buildPages, buildServer } = await import(pathToFileURL(join(root, 'scripts/set-up.mjs')).href);
  const reach = readTestReach(root);
  const testsReaching = (...files) => new Set(reach.runBy(files).map(({ file }) => file));
  const builds = [
    { build: buildServer, users: testsReaching('bin/plumb.cjs', 'src/client/plumb.ts') },
    { build: buildPages, users: testsReaching('web/index.html', 'web/docs.html') },
  ];

  /** Builds what the test files run, unless it is built from the same files already. */
  const runBuilt = async (files, limits) => {
    for (const { build, users } of builds) if (files.some((file) => users.has(file))) await build();
    return runTestFiles(root, files, limits);
  };

  /** Runs the test files that reach the fault, nearest first, until one fails. */
  async function tryFault({ file, replace, by }, maxSeconds) {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    const affected = nearestFirst(reach.runBy([file]), secondsOf);
    const started = performance.now();
    const secondsUntil = (at) => (at - started) / 1_000;
    const broken = [];
    let ran = 0;
    const described = (outcome, reason) => {
      return { outcome, reason, seconds: secondsUntil(performance.now()), ran, affected: affected.length };
    };
    writeFileSync(
      path,
      text.replace(replace, () => by),
    );
    try {
      for (const batch of batchesOf(affected, secondsOf, firstBatch)) {
        const left = maxSeconds - secondsUntil(performance.now());
        if (left <= 0) break;
        const files = batch.map((test) => test.file);
        const result = await runBuilt(files, { maxSeconds: left });
        ran += result.ran.length;
        broken.push(...result.broken);
        const [unloaded] = result.unloaded;
        const [failed] = result.failed;
        if (unloaded) return described('does not load', `${unloaded.file}: ${unloaded.reason}`);
        if (failed) return { ...described('caught'), caughtBy: failed, seconds: secondsUntil(failed.at) };
      }
    } catch (error) {
      return described('does not run', error.message);
    } finally {
      writeFileSync(path, text);
    }
    const [first] = broken;
    return described('not caught', first && `The set-up of ${first.file} fails, but no test: ${first.reason}`);
  }

  return { tryFault, runBuilt };
}
