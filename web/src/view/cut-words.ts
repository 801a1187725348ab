import { addDays } from '../../../src/calendar.ts';
import type { View } from '../ask/view.ts';
import { isPreset, windowOf } from '../ask/windows.ts';
import { shownDay } from './format.ts';

/** `Shown to 14 Nov, the last day with complete data.` Undefined where a page goes as far as the reader expects. */
export function cutWords({ state: { range }, window, today }: View): string | undefined {
  const { end } = isPreset(range) ? windowOf(range, today, addDays(today, -1)) : range;
  return window.end < end ? `Shown to ${shownDay(window.end, today)}, the last day with complete data.` : undefined;
}
