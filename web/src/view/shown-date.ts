/** A day with its year, in the organisation's time zone: for what lies years back or ahead. */
export function shownDate(instant: string | null | undefined, zone: string): string {
  const time = instant ? new Date(instant) : undefined;
  if (!time || Number.isNaN(time.getTime())) return instant || '–';
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric' }).format(
    time,
  );
}
