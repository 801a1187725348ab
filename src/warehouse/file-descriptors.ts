import { readFileSync } from 'node:fs';

/** How many files and connections this process may have open at once. Known on Linux only; undefined elsewhere. */
export function maxFileDescriptors(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
    return soft === undefined || Number.isNaN(Number(soft)) ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
