/**
 * Loaded into the server's process: measures for how long its main thread is held between two turns of the event loop,
 * and by the longest garbage collection.
 * SIGUSR2 has it written to the file that LOOP_PROBE_FILE names, and starts over.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { heldTime } from './held-time.mjs';

const file = process.env.LOOP_PROBE_FILE;
if (file !== undefined && isMainThread && process.argv.includes('serve')) {
  const held = heldTime();
  let turns = [];
  let peakCollection = 0;
  // They stop the main thread as well, in the middle of any turn.
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) peakCollection = Math.max(peakCollection, duration);
  }).observe({ entryTypes: ['gc'] });
  const look = () => {
    turns.push(held());
    setTimeout(look, 1).unref();
  };
  look();
  process.on('SIGUSR2', () => {
    const sorted = turns.sort((a, b) => a - b);
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
    const over = sorted.filter((ms) => ms > 20).length;
    const most = sorted.at(-1) ?? 0;
    writeFileSync(`${file}.new`, JSON.stringify({ turns: sorted.length, p99, over, most, peakCollection }));
    renameSync(`${file}.new`, file);
    turns = [];
    peakCollection = 0;
    held();
  });
}
