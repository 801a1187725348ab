import { readFileSync } from 'node:fs';

const schedule = `/proc/self/task/${process.pid}/schedstat`;
const processorMs = () => Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6;

/**
 * Measures for how long the main thread was held since the last look: its processor time, or the time that went by where
 * that is less. The clock blames it for what else the machine does, and the system counts a thread's time in steps of up
 * to 4 ms.
 */
export function heldTime() {
  let last = processorMs();
  let lastAt = performance.now();
  return () => {
    const [now, at] = [processorMs(), performance.now()];
    const held = Math.min(now - last, at - lastAt);
    [last, lastAt] = [now, at];
    return held;
  };
}
