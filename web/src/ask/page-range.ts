import { useSyncExternalStore } from 'react';
import type { Range } from './windows.ts';

/** The range that a page begins with, where it has one of its own, such as a board. */
interface PageRange {
  readonly path: string;
  readonly range: Range;
}

let known: PageRange | undefined;
const listeners = new Set<() => void>();

export function setPageRange(path: string, range: Range): void {
  if (known?.path === path && JSON.stringify(known.range) === JSON.stringify(range)) return;
  known = { path, range };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const pageRangeOf = (path: string): Range | undefined => (known?.path === path ? known.range : undefined);

export const usePageRange = (path: string): Range | undefined =>
  useSyncExternalStore(
    subscribe,
    () => pageRangeOf(path),
    () => pageRangeOf(path),
  );
