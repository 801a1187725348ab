import type { Figure } from './figure-question.ts';
import type { DayWindow } from './windows.ts';

/** With more pull requests than this, not each is drawn. */
export const maxDrawn = 3_000;

/**
 * The last buckets of the window that together have no more pull requests than can be drawn: mostly the whole window.
 */
export function drawnWindow({ buckets, series }: Pick<Figure, 'buckets' | 'series'>, window: DayWindow): DayWindow {
  let sum = 0;
  let start = window.start;
  for (let at = buckets.length - 1; at >= 0; at -= 1) {
    sum += series[at]?.n ?? 0;
    if (sum > maxDrawn && at < buckets.length - 1) break;
    start = buckets[at]?.start ?? start;
  }
  return { start, end: window.end };
}
