import { LRUCache } from 'lru-cache';

/**
 * Keeps so many entries, those that were used last. The size of each is 1: given the number as its `max`, the library
 * makes room for all of them at once, which takes a start 35 ms over all its caches and is hardly ever filled.
 */
export const recentlyUsed = <V extends NonNullable<unknown>>(max: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
