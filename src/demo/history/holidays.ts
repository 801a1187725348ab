import { dayNumber, dayOfNumber, msPerDay } from '../../calendar.ts';
import type { Country } from '../organisation-profile.ts';

/** Days that follow the moon are proclaimed year by year; these are those of 2023 to 2031. */
const moonDays = {
  holiAndDiwali: `2023-03-08 2023-11-12 2024-03-25 2024-11-01 2025-03-14 2025-10-20 2026-03-04 2026-11-08 2027-03-22
    2027-10-29 2028-03-11 2028-10-17 2029-03-01 2029-11-05 2030-03-20 2030-10-26 2031-03-09 2031-11-14`,
  matariki: `2023-07-14 2024-06-28 2025-06-20 2026-07-10 2027-06-25 2028-07-14 2029-07-06 2030-06-21 2031-07-11`,
} as const;

/** Days as MM-DD; days after Easter Sunday; Mondays of a month, the first as 1 and the last as 0; days by the moon. */
const holidays: Readonly<Record<Country, readonly [string, string?, string?, (keyof typeof moonDays)?]>> = {
  GB: ['01-01 12-25 12-26', '-2 1', '5/1 5/0 8/0'],
  CA: ['01-01 06-24 07-01 12-25 12-26', '-2 1', '5/3 9/1 10/2'],
  EE: ['01-01 02-24 05-01 06-23 06-24 08-20 12-24 12-25 12-26', '-2'],
  IN: ['01-26 08-15 10-02 12-25', '', '', 'holiAndDiwali'],
  NZ: ['01-01 01-02 02-06 04-25 12-25 12-26', '-2 1', '6/1 10/4', 'matariki'],
  everywhere: ['01-01 12-25'],
};

/** The public holidays of a year, as YYYY-MM-DD. */
export function publicHolidays(country: Country, year: number): string[] {
  const [fixed, easter = '', mondays = '', moon] = holidays[country];
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  const sunday = dayNumber(easterSunday(year));
  return [
    ...words(fixed).map((day) => `${year}-${day}`),
    ...words(easter).map((offset) => dayOfNumber(sunday + Number(offset))),
    ...words(mondays).map((monday) => mondayOf(year, ...(monday.split('/').map(Number) as [number, number]))),
    ...words(moon ? moonDays[moon] : '').filter((date) => date.startsWith(`${year}`)),
  ];
}

function mondayOf(year: number, month: number, which: number): string {
  const first = Date.UTC(year, which === 0 ? month : month - 1, 1);
  const weeks = which === 0 ? -1 : which - 1;
  return dayOfNumber(first / msPerDay + ((8 - new Date(first).getUTCDay()) % 7) + 7 * weeks);
}

/** The Gregorian rule as Meeus, Jones and Butcher wrote it down. */
function easterSunday(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return dayOfNumber(Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1) / msPerDay);
}
