import { addDays, bucketOf, bucketsOf, dayAt, daysFrom, type Level } from './calendar.ts';
import type { QuestionBody } from './question.ts';
import { type Window, windowBefore, windowOf } from './window.ts';
import type { World } from './world.ts';

/** The periods of a window themselves, each beside the one at its position in the window before. */
export function dateDetails(world: World, { filters, date_level }: QuestionBody): Record<string, unknown>[] {
  const level = (date_level?.toLowerCase() ?? 'day') as Level;
  const end = typeof filters?.end_date === 'string' ? filters.end_date : undefined;
  const window = windowOf(world.timeZone, String(filters?.start_date), end, world.now);
  const before = periods(level, windowBefore(window));
  const today = dayAt(world.timeZone, Math.floor(world.now.getTime() / 1_000));
  return periods(level, window).map(({ name, first, last }, i) => ({
    [`${level}_date`]: name,
    start_date: first,
    end_date: last,
    days: daysFrom(first, last),
    is_current: first <= today && today <= last,
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
