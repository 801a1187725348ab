import { readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process as the kernel tells it, in bytes: the most since it was last forgotten, and what it is now. */
export function memoryOf(pid: number): { readonly peak: number; readonly now: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1_024;
  return { peak: of('VmHWM'), now: of('VmRSS') };
}

/** Forgets the most that there was, so that the next look says what one attack alone has taken. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

export const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
