import { addDays, bucketOf, bucketsOf, dayAt, daysFrom, instantShown, type Level } from './calendar.ts';
import type { QuestionBody } from './question.ts';
import { type Window, windowBefore, windowOf } from './window.ts';
import type { World } from './world.ts';

/** The periods of a window themselves, each beside the one at its position in the window before. */
export function dateDetails(world: World, { filters, date_level }: QuestionBody): Record<string, unknown>[] {
  const level = (date_level?.toLowerCase() ?? 'day') as Level;
  const end = typeof filters?.end_date === 'string' ? filters.end_date : undefined;
  const window = windowOf(world.timeZone, String(filters?.start_date), end, world.now);
  const before = periods(level, windowBefore(window));
  const now = Math.floor(world.now.getTime() / 1_000);
  const today = dayAt(world.timeZone, now);
  // The end of a day, or the second after the one in which the window ends.
  const endOf = (last: string) =>
    last === window.lastDay && window.toSecond !== undefined
      ? window.toSecond + 1
      : instantShown(world.timeZone, `${addDays(last, 1)}T00:00:00`);
  return periods(level, window).map(({ name, first, last }, i) => ({
    [`${level}_date`]: name,
    start_date: first,
    end_date: last,
    days: daysFrom(first, last),
    is_current: first <= today && today <= last,
    is_complete:
      endOf(last) <= now && (endOf(last) <= (world.completeThrough ?? 0) || now - endOf(last) > 3 * 24 * 3_600),
    previous_start_date: before[i]?.first ?? null,
    previous_end_date: before[i]?.last ?? null,
  }));
}

/** Each as far as it is inside of the window. */
function periods(level: Level, { firstDay, lastDay }: Window) {
  return bucketsOf(level, firstDay, lastDay).map((name) => {
    const days: string[] = [];
    for (let day = firstDay; day <= lastDay; day = addDays(day, 1)) if (bucketOf(level, day) === name) days.push(day);
    return { name, first: days[0] ?? '', last: days.at(-1) ?? '' };
  });
}
