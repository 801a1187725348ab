import { Refusal } from '../refusal.ts';

/** A day means its end: a key that expires on a date works on that date. */
export function keyExpiry(text: string): Date {
  const [, day, time] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text.trim()) ?? [];
  const at = new Date(`${day}${time ?? 'T23:59:59.999Z'}`);
  // The thirty-first of February is a date to JavaScript, the third of March.
  const isCalendarDay =
    !Number.isNaN(at.getTime()) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day ?? '-');
  if (!isCalendarDay) {
    throw new Refusal(
      'bad-input',
      `The expiry must be a date such as 2027-01-31, or a timestamp with its zone such as 2027-01-31T12:00:00Z, not '${text}'.`,
    );
  }
  return at;
}
