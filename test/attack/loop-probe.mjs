/**
 * Loaded into the server's process: measures how much processor time its main thread takes between two turns of the
 * event loop, or the time that went by where that is less: the clock blames the server for what else the machine does,
 * and the system counts a thread's time in steps of up to 4 ms. SIGUSR2 has it written to the file that LOOP_PROBE_FILE
 * names, and starts over.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.LOOP_PROBE_FILE;
if (file !== undefined && isMainThread && process.argv.includes('serve')) {
  const schedule = `/proc/self/task/${process.pid}/schedstat`;
  const processorMs = () => Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6;
  let last = processorMs();
  let lastAt = performance.now();
  let turns = [];
  const look = () => {
    const [now, at] = [processorMs(), performance.now()];
    turns.push(Math.min(now - last, at - lastAt));
    [last, lastAt] = [now, at];
    setTimeout(look, 1).unref();
  };
  look();
  process.on('SIGUSR2', () => {
    const sorted = turns.sort((a, b) => a - b);
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
    const over = sorted.filter((ms) => ms > 20).length;
    writeFileSync(`${file}.new`, JSON.stringify({ turns: sorted.length, p99, over, most: sorted.at(-1) ?? 0 }));
    renameSync(`${file}.new`, file);
    turns = [];
    [last, lastAt] = [processorMs(), performance.now()];
  });
}
