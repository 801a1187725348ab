import { isAhead, type View } from '../ask/view.ts';
import { type DayReach, type DayWindow, dayReach, windowOf } from '../ask/windows.ts';
import { shownDay } from './format.ts';

/**
 * `Shown to 14 Nov, the last day with complete data.` Undefined where a page goes as far as the reader expects, and
 * where it is empty.
 */
export function cutWords({ state: { range }, window, today, zone, reach }: View): string | undefined {
  if (isAhead(window, reach)) return undefined;
  const { end } = typeof range === 'string' ? windowOf(range, today, dayReach(undefined, zone, today)) : range;
  const isCut = window.end < end;
  if (window.end > reach.lastWhole) {
    const begun = `The data for ${shownDay(window.end, today)} isn’t complete yet.`;
    return isCut ? `Shown to ${shownDay(window.end, today)}. ${begun}` : begun;
  }
  return isCut ? `Shown to ${shownDay(window.end, today)}, the last day with complete data.` : undefined;
}

/** What a page or a part of it says of days after its data. Undefined where the data cover them. */
export const noDataWords = (window: DayWindow, reach: DayReach, today: string): string | undefined =>
  isAhead(window, reach)
    ? `There’s no data for these days yet. The last complete day is ${shownDay(reach.lastWhole, today)}.`
    : undefined;
