/** Whether `12/03/26` is the 12th of March or the 3rd of December. */
export const dayOrders = ['dmy', 'mdy'] as const;
export type DayOrder = (typeof dayOrders)[number];

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A weekday before a date says nothing more. */
const weekday = '(?:[a-z]{3,9},?\\s+)?';
const time =
  '(?:(?:,?\\s+|T)(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,]\\d+)?)?\\s*(?<half>[ap]m)?' +
  '\\s*(?:z|utc|gmt)?(?<offset>[+-]\\d\\d:?\\d\\d)?\\s*(?:\\([^)]*\\))?)?';
const form = (day: string): RegExp => new RegExp(`^${day}${time}$`, 'i');

const forms: readonly RegExp[] = [
  // 12/Mar/26 9:00 AM, 12 March 2026
  form(`${weekday}(?<day>\\d{1,2})[ /.-](?<month>[a-z]{3,9})[ /.,-]+(?<year>\\d{4}|\\d\\d)`),
  // Mon Mar 12 2026 09:00:00 GMT+0000 (GMT), March 12, 2026
  form(`${weekday}(?<month>[a-z]{3,9}) (?<day>\\d{1,2}),? (?<year>\\d{4})`),
  // 2026/03/12 9:00, 2026-03-12 9:00 AM
  form('(?<year>\\d{4})[/.-](?<month>\\d{1,2})[/.-](?<day>\\d{1,2})'),
  // Days come first wherever points stand between.
  form('(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4}|\\d\\d)'),
];
const byNumbers: Readonly<Record<DayOrder, RegExp>> = {
  dmy: form('(?<day>\\d{1,2})[/-](?<month>\\d{1,2})[/-](?<year>\\d{4}|\\d\\d)'),
  mdy: form('(?<month>\\d{1,2})[/-](?<day>\\d{1,2})[/-](?<year>\\d{4}|\\d\\d)'),
};

/** Longer texts are no times, and too long to look at. */
const maxCharacters = 64;

const iso = /^\d{4}-\d\d-\d\d(?:$|[T ]\d\d:\d\d(?!.*[ap]m))/i;

/**
 * A time in another tool's spelling, as ISO 8601. Other texts are returned unchanged, and the usual check refuses
 * them. Undefined for a day by numbers alone where both orders are possible.
 */
export function isoTimeOf(given: string, order: DayOrder | undefined): string | undefined {
  const text = given.trim();
  if (text === '' || text.length > maxCharacters || iso.test(text)) return given;
  const numbers = byNumbers.dmy.exec(text)?.groups;
  // No month is later than the twelfth.
  if (order === undefined && Number(numbers?.day) <= 12 && Number(numbers?.month) <= 12) return undefined;
  const known = order ?? (Number(numbers?.day) > 12 ? 'dmy' : 'mdy');
  const parts = [...forms, byNumbers[known]].map((each) => each.exec(text)?.groups).find((groups) => groups);
  if (parts === undefined) return given;
  const { day = '', month = '', year = '', hour = '0', minute = '00', second = '00', half, offset = 'Z' } = parts;
  const monthNumber = /\d/.test(month) ? Number(month) : months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  if (monthNumber === 0) return given;
  const isTwelfth = Number(hour) % 12 === 0;
  const hours = half === undefined ? Number(hour) : (isTwelfth ? 0 : Number(hour)) + (/p/i.test(half) ? 12 : 0);
  return `${fullYear(year)}-${twoDigits(monthNumber)}-${twoDigits(Number(day))}T${twoDigits(hours)}:${minute}:${second}${offset}`;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
/** No record of software is older than this. */
const fullYear = (year: string): string => (year.length === 4 ? year : Number(year) < 70 ? `20${year}` : `19${year}`);
