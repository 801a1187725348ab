// Which of the affected test files run, and in which order. Almost every change reaches most of the tests over main.ts, so
// the nearest are chosen.

/**
 * Chooses from test files that stand nearest first until their seconds are used up. One that takes more than is left, or
 * more than any single file may, is left out, and those behind it are not. A changed test file always runs.
 */
export function chooseWithin(seconds, affected, secondsOf, maxSecondsOfFile = seconds) {
  const [chosen, leftOut] = [[], []];
  let left = seconds;
  for (const test of affected) {
    const takes = secondsOf(test.file);
    const fits = takes <= Math.min(left, maxSecondsOfFile);
    if (fits || test.steps === 0) {
      chosen.push(test);
      left -= takes;
    } else {
      leftOut.push(test);
    }
  }
  return { chosen, leftOut };
}

/**
 * Cuts test files that stand nearest first into batches, each for one run. The first is small, since most faults are
 * found near by; each further one is twice as large, since starting a run takes seconds too. A file that takes longer
 * than half of a batch waits for a larger one: alone in its process, it would keep the others waiting.
 */
export function batchesOf(affected, secondsOf, { maxFiles, maxSeconds }) {
  const batches = [];
  let rest = affected;
  for (let scale = 1; rest.length > 0; scale *= 2) {
    const fitting = chooseWithin(maxSeconds * scale, rest, secondsOf, (maxSeconds * scale) / 2).chosen;
    const batch = fitting.slice(0, maxFiles * scale);
    if (batch.length > 0) batches.push(batch);
    rest = rest.filter((test) => !batch.includes(test));
  }
  return batches;
}

/** How many test files lie in each folder of test/, as in `test/http 12, test/query 3`. */
export function countByFolder(tests) {
  const counts = new Map();
  for (const { file } of tests) {
    const [top, folder] = file.split('/');
    const place = file.split('/').length > 2 ? `${top}/${folder}` : top;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const largestFirst = [...counts].toSorted(([, a], [, b]) => b - a);
  return largestFirst.map(([place, count]) => `${place} ${count}`).join(', ');
}
