import { afterAll } from 'vitest';

/** Takes what a suite opens, and closes it when the suite ends: what was opened last goes first. */
export function closedAfterAll(): (...closing: readonly (() => unknown)[]) => void {
  const all: (() => unknown)[] = [];
  afterAll(async () => {
    for (const close of all.splice(0).toReversed()) await close();
  });
  return (...closing) => void all.push(...closing);
}
