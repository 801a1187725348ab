import { isoText } from '../../calendar.ts';

const twelveHours = 12 * 3_600;

/**
 * A moment (seconds since 1970) as JQL has it: to the minute, in the time zone of who asks. In a zone that nobody knows
 * here it is early enough for every zone, so that more is read and nothing is missed.
 */
export function jqlTime(seconds: number, zone: string | null): string {
  const format = formatIn(zone);
  if (!format) return utcTime(seconds - twelveHours);
  const parts = new Map(format.formatToParts(seconds * 1_000).map(({ type, value }) => [type, value]));
  const [year, month, day, hour, minute] = ['year', 'month', 'day', 'hour', 'minute'].map((type) =>
    parts.get(type as Intl.DateTimeFormatPartTypes),
  );
  return `${year}/${month}/${day} ${hour}:${minute}`;
}

function formatIn(zone: string | null): Intl.DateTimeFormat | undefined {
  if (zone === null) return undefined;
  const digits = '2-digit';
  try {
    return new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
    });
  } catch {
    return undefined;
  }
}

const utcTime = (seconds: number): string => isoText(seconds).slice(0, 16).replaceAll('-', '/').replace('T', ' ');

/** A text within JQL. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
