import { type ClockPiece, type DateLevel, secondsPerDay } from '../../calendar.ts';
import { integer, joined, raw, type Sql, sql, timestamp } from '../sql/sql.ts';

/** From 1900-01-01, the engine's first day, to 1970-01-01. */
const daysTo1970 = 25_567;
/** After 400 years the calendar repeats itself, weekdays included. The engine's own dates span exactly that many. */
const cycleDays = 146_097;

const inCycle = (day: Sql): Sql => sql`positiveModulo(${day} + ${raw(`${daysTo1970}`)}, ${raw(`${cycleDays}`)})`;

/** The day of the same name in the 400 years that the engine knows. */
const known = (day: Sql): Sql => sql`toDate32(toInt32(${inCycle(day)} - ${raw(`${daysTo1970}`)}))`;

/** The first day of the bucket that a day is in, as days since 1970. */
export function bucketStart(level: DateLevel, day: Sql): Sql {
  switch (level) {
    case 'day':
      return day;
    case 'week':
      // The first day of 1970 was a Thursday.
      return sql`(${day} - positiveModulo(${day} + 3, 7))`;
    case 'month':
      return sql`(${day} - (toDayOfMonth(${known(day)}) - 1))`;
    case 'quarter':
      return sql`(${day} - (toInt32(${known(day)}) - toInt32(toStartOfQuarter(${known(day)}))))`;
    case 'year':
      // Not by toDayOfYear, which is a day short on the engine's last day.
      return sql`(${day} - (toInt32(${known(day)}) - toInt32(toStartOfYear(${known(day)}))))`;
  }
}

/** The day on which the clocks of the organisation show a second. */
export const dayOnClock = (at: Sql, clock: readonly ClockPiece[]): Sql => {
  const shown = shifted(at, clock);
  return sql`intDiv(${shown} - positiveModulo(${shown}, ${raw(`${secondsPerDay}`)}), ${raw(`${secondsPerDay}`)})`;
};

function shifted(at: Sql, clock: readonly ClockPiece[]): Sql {
  if (clock.every(({ offset }) => offset === 0)) return at;
  const last = clock.at(-1)?.offset ?? 0;
  if (clock.length === 1) return sql`(${at} + ${integer(last)})`;
  const cases = clock
    .slice(0, -1)
    .map(({ offset }, i) => sql`WHEN ${at} < ${timestamp(clock[i + 1]?.from ?? 0)} THEN ${integer(offset)}`);
  return sql`(${at} + CASE ${joined(cases, ' ')} ELSE ${integer(last)} END)`;
}

/** A day as YYYY-MM-DD. */
export const dateText = (day: Sql): Sql => {
  const cycles = sql`intDiv(${day} + ${raw(`${daysTo1970}`)} - ${inCycle(day)}, ${raw(`${cycleDays}`)})`;
  const year = sql`toString(toInt32(toYear(${known(day)})) + 400 * ${cycles})`;
  return sql`concat(leftPad(${year}, 4, '0'), formatDateTime(${known(day)}, '-%m-%d'))`;
};

/** Midnight (UTC) before a second. */
export const midnightBefore = (at: Sql): Sql => sql`(${at} - positiveModulo(${at}, ${raw(`${secondsPerDay}`)}))`;
