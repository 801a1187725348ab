/** Where the calendar of an organisation comes from. `everywhere` keeps only the days that nearly everybody keeps. */
export type Country = 'GB' | 'CA' | 'EE' | 'IN' | 'NZ' | 'everywhere';

const dayMilliseconds = 86_400_000;

/** Days that follow the moon are proclaimed year by year, so they stand here as they were or will be. */
const diwali: Readonly<Record<number, string>> = {
  2023: '11-12',
  2024: '11-01',
  2025: '10-20',
  2026: '11-08',
  2027: '10-29',
  2028: '10-17',
};
const holi: Readonly<Record<number, string>> = {
  2023: '03-08',
  2024: '03-25',
  2025: '03-14',
  2026: '03-04',
  2027: '03-22',
  2028: '03-11',
};
const matariki: Readonly<Record<number, string>> = {
  2023: '07-14',
  2024: '06-28',
  2025: '06-20',
  2026: '07-10',
  2027: '06-25',
  2028: '07-14',
};

/** The public holidays of a year, as YYYY-MM-DD. */
export function publicHolidays(country: Country, year: number): ReadonlySet<string> {
  const fixed = (...days: readonly (string | undefined)[]) => days.flatMap((day) => (day ? [`${year}-${day}`] : []));
  const easter = easterSunday(year);
  const fromEaster = (...offsets: readonly number[]) =>
    offsets.map((offset) => isoDay(Date.parse(`${easter}T00:00:00Z`) + offset * dayMilliseconds));
  return new Set(
    {
      GB: [
        ...fixed('01-01', '12-25', '12-26'),
        ...fromEaster(-2, 1),
        ...[mondayOf(year, 5, 1), mondayOf(year, 5, 'last'), mondayOf(year, 8, 'last')],
      ],
      CA: [
        ...fixed('01-01', '06-24', '07-01', '12-25', '12-26'),
        ...fromEaster(-2, 1),
        ...[mondayOf(year, 5, 3), mondayOf(year, 9, 1), mondayOf(year, 10, 2)],
      ],
      EE: [
        ...fixed('01-01', '02-24', '05-01', '06-23', '06-24', '08-20', '12-24', '12-25', '12-26'),
        ...fromEaster(-2),
      ],
      IN: [...fixed('01-26', '08-15', '10-02', '12-25', holi[year], diwali[year])],
      NZ: [
        ...fixed('01-01', '01-02', '02-06', '04-25', '12-25', '12-26', matariki[year]),
        ...fromEaster(-2, 1),
        ...[mondayOf(year, 6, 1), mondayOf(year, 10, 4)],
      ],
      everywhere: fixed('01-01', '12-25'),
    }[country],
  );
}

const isoDay = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

/** The first, second, … or last Monday of a month. */
function mondayOf(year: number, month: number, which: number | 'last'): string {
  const first = Date.UTC(year, month - 1, 1);
  const firstMonday = first + ((8 - new Date(first).getUTCDay()) % 7) * dayMilliseconds;
  if (which !== 'last') return isoDay(firstMonday + (which - 1) * 7 * dayMilliseconds);
  const fifth = firstMonday + 4 * 7 * dayMilliseconds;
  return isoDay(new Date(fifth).getUTCMonth() === month - 1 ? fifth : firstMonday + 3 * 7 * dayMilliseconds);
}

/** The Gregorian rule as Meeus, Jones and Butcher wrote it down. */
function easterSunday(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return isoDay(Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1));
}
