import { addDays } from '../../../src/calendar.ts';
import { type DayWindow, dayCount } from './windows.ts';

interface NearestWindow {
  /** The nearest day that has rows. */
  readonly day: string;
  /** A window as long as the empty one, which ends or begins with that day. */
  readonly window: DayWindow;
}

/** The nearest window that has rows, instead of an empty one; undefined where no other window has any either. */
export function nearestWindow(
  nearest: { readonly before: string | null; readonly after: string | null } | undefined,
  empty: DayWindow,
): NearestWindow | undefined {
  const days = dayCount(empty) - 1;
  const [before, after] = [nearest?.before?.slice(0, 10), nearest?.after?.slice(0, 10)];
  if (before) return { day: before, window: { start: addDays(before, -days), end: before } };
  return after ? { day: after, window: { start: after, end: addDays(after, days) } } : undefined;
}
