/** A day with its year, in the organisation's time zone: for days that are years away. */
export function shownDate(instant: string | null | undefined, zone: string): string {
  const time = instant ? new Date(instant) : undefined;
  if (!time || Number.isNaN(time.getTime())) return instant || '–';
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric' });
  // Readers see a date as one word, which a narrow column must not break.
  return format.format(time).replaceAll(' ', '\u00a0');
}
