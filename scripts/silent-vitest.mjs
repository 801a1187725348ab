// Runs test files in a tree and answers what failed, without printing anything.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** A fault may make a test wait for ever: that is how it is caught, and it need not take as long as in the gate. */
const hangingMs = 60_000;
/** After a test has failed, others that run beside it may want to come to their end. */
const maxSecondsToEnd = 15;
/** Vitest stops the engines that it started when it is asked to end. */
const maxSecondsToStop = 10;

const running = new Set();

/** Ends at once what still runs, with everything that it started. */
export function endRuns() {
  for (const child of running) endGroup(child);
}

/**
 * One run of vitest. It ends with the first failed test unless `goesOn`, or after some seconds, and answers what
 * test/setup/fault-reporter.ts told. A test has failed as in the gate: twice. On a busy machine, once says nothing.
 */
export function runTestFiles(root, files, { maxSeconds, goesOn = false }) {
  const limits = [`--testTimeout=${hangingMs}`, `--hookTimeout=${hangingMs}`, `--bail=${goesOn ? 0 : 1}`];
  const words = ['run', '--reporter=./test/setup/fault-reporter.ts', ...limits, ...files];
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...words], {
    cwd: root,
    // Under CI, vitest writes no expected answers where it finds none.
    env: { ...process.env, CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own: servers that tests leave behind when they are cut short are ended with it.
    detached: true,
  });
  running.add(child);
  const told = { failed: [], unloaded: [], broken: [], ran: [], ended: [] };
  let [printed, isCutShort] = ['', false];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  let timer;
  const endIn = (seconds) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isCutShort = true;
      child.kill('SIGTERM');
      timer = setTimeout(() => endGroup(child), maxSecondsToStop * 1_000);
    }, seconds * 1_000);
  };
  endIn(maxSeconds);
  child.on('message', ({ kind, ...message }) => {
    told[kind].push({ ...message, at: performance.now() });
    if (kind === 'failed' && told.failed.length === 1 && !goesOn) endIn(maxSecondsToEnd);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => {
      clearTimeout(timer);
      running.delete(child);
      endGroup(child);
      if (told.ended.length > 0 || isCutShort) resolve(told);
      else reject(new Error(`vitest has said nothing of its tests:\n${printed.trim()}`));
    });
  });
}

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}
