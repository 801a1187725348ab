import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { divideMemory, minMemory, readMemory } from '../admission/memory-division.ts';
import type { Environment } from '../config.ts';

/** Tells the second process that it is one. */
const processName = 'plumb';
const heapOption = '--max-old-space-size';

/**
 * The heap that PLUMB_MEMORY leaves to JavaScript, in mebibytes. Undefined where nothing has to be done about it: V8's
 * own limit, a quarter of the machine, fits into the half that Plumb takes by itself, and a limit that the operator
 * gives to Node.js stays. The settings complain about a value that is not usable.
 */
export function heapMebibytes(environment: Environment, nodeOptions: readonly string[]): number | undefined {
  if ([...nodeOptions, environment.NODE_OPTIONS ?? ''].some((option) => option.includes(heapOption))) return undefined;
  const memory = readMemory(memorySetting(environment) ?? '');
  if (memory === undefined || memory < minMemory) return undefined;
  return Math.floor(divideMemory(memory).heap / 1_024 ** 2);
}

function memorySetting({ PLUMB_MEMORY, PLUMB_MEMORY_FILE }: Environment): string | undefined {
  if (PLUMB_MEMORY) return PLUMB_MEMORY;
  try {
    return PLUMB_MEMORY_FILE ? readFileSync(PLUMB_MEMORY_FILE, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs the same command in a process whose heap is limited, since V8 takes no limit once it runs. Answers the exit code,
 * or undefined where this process is the one to do the work.
 */
export async function runWithHeapLimit(script: string): Promise<number | undefined> {
  if (process.argv0 === processName && process.channel) {
    endWithParent();
    return undefined;
  }
  const heap = heapMebibytes(process.env, process.execArgv);
  if (heap === undefined) return undefined;
  const words = [...process.execArgv, `${heapOption}=${heap}`, script, ...process.argv.slice(2)];
  const child = spawn(process.execPath, words, {
    argv0: processName,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Each allocating thread would have an arena of its own, and none returns its memory.
    env: { MALLOC_ARENA_MAX: '2', ...process.env },
  });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  process.on('SIGINT', () => {
    // Ctrl-C reaches every process of the terminal: passed on as well, it would look like an impatient second one.
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/** Ends with the first process even when that one is killed: no process may go on owning the data folder. */
function endWithParent(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel?.unref();
}
