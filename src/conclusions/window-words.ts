interface ShownDays {
  readonly start: string;
  readonly end: string;
}

/** `9–15 November 2026`, `28 September – 4 October 2026`, `15 November 2026`. */
export function shownWindow({ start, end }: ShownDays): string {
  const [first, last] = [dateParts(start), dateParts(end)];
  const whole = `${last.day} ${last.month} ${last.year}`;
  if (start === end) return whole;
  if (first.year !== last.year) return `${first.day} ${first.month} ${first.year} – ${whole}`;
  return first.month === last.month ? `${first.day}–${whole}` : `${first.day} ${first.month} – ${whole}`;
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });
const dateParts = (day: string) => ({
  day: Number(day.slice(8)),
  month: monthFormat.format(new Date(`${day}T00:00:00Z`)),
  year: day.slice(0, 4),
});
