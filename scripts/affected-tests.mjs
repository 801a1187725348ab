// Which test files a change can affect, nearest first.
import { declaredReach, reachNoTest, sourceFolders } from './declared-reach.mjs';
import { matcherOf, readImportGraph, stepsTo } from './import-graph.mjs';

const isTest = (file) => /^test\/.*\.test\.ts$/.test(file) && !file.endsWith('.long.test.ts');
const isWithoutReach = matcherOf(reachNoTest);
/** Stands for a file that nothing is known of: every test may depend on it. */
const unknownFile = 'vitest.config.ts';
/** A test that is named like a changed file is about it, also where others import the file on a shorter way. */
const stepsOfWord = 2;

/** Reads the tree once, for many changes. */
export function readTestReach(root, folders = sourceFolders, declared = declaredReach) {
  const graph = readImportGraph(root, folders, declared);
  const tests = graph.files.filter(isTest);
  const affectedBy = (changed, asked) => {
    const reaching = changed.filter((file) => !isWithoutReach(file));
    const known = reaching.map((file) => (graph.isKnown(file) ? file : unknownFile));
    const steps = stepsTo(known, asked);
    return tests
      .filter((file) => steps.has(file))
      .map((file) => ({ file, steps: steps.get(file), sharedWords: maxSharedWords(file, changed) }));
  };
  return {
    affectedBy: (changed) => affectedBy(changed, graph),
    /** Without the tests that only read the text of a changed file, and never run it. */
    runBy: (changed) => affectedBy(changed, { ...graph, usersOf: (file) => graph.usersOf(file, false) }),
  };
}

/**
 * Changed test files, then the nearest. Hundreds of test files reach a route over the same imports, and one is named
 * like it, so that words in common bring a file nearer. The quickest comes first of those that are equally near.
 */
export function nearestFirst(affected, secondsOf) {
  const nearness = ({ steps, sharedWords }) => (steps === 0 ? -Infinity : steps - stepsOfWord * sharedWords);
  return affected
    .map((test) => ({ test, nearness: nearness(test), seconds: secondsOf(test.file) }))
    .toSorted((a, b) => compare(a.nearness, b.nearness) || a.seconds - b.seconds || compare(a.test.file, b.test.file))
    .map(({ test }) => test);
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

const maxSharedWords = (test, changed) => {
  const words = wordsOf(test);
  return Math.max(0, ...changed.map((file) => [...wordsOf(file)].filter((word) => words.has(word)).length));
};

const wordsOf = (file) => new Set(file.split(/[/.-]/).filter((word) => !/^(?:src|test|web|tsx?)$/.test(word)));
