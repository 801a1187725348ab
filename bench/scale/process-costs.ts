import { readdirSync, readFileSync } from 'node:fs';
import { residentBytes } from '../query/measuring.ts';

/** What Linux counts processor time in, on every machine that Node.js runs on. */
const ticksPerSecond = 100;

interface ProcessStat {
  readonly parent: number;
  /** Of itself, and of children that have ended. */
  readonly seconds: number;
}

function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in brackets, in which anything may stand.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / ticksPerSecond };
  } catch {
    return undefined;
  }
}

function children(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((one) => statOf(one)?.parent === pid);
}

/** Seconds of processor time that a process and everything below it have taken so far. */
export const processorSeconds = (pid: number): number =>
  children(pid).reduce((sum, one) => sum + processorSeconds(one), statOf(pid)?.seconds ?? 0);

export const memoryOf = (pid: number): number =>
  children(pid).reduce((sum, one) => sum + memoryOf(one), residentBytes(pid) ?? 0);

/** Where PLUMB_MEMORY is set, the command that was started lets a second process do the work. */
export const servingProcess = (pid: number): number => children(pid)[0] ?? pid;

/** The process below this one whose command has a word in it. Undefined where a server was given. */
export const childRunning = (word: string): number | undefined =>
  children(process.pid).find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word));
