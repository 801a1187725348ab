const daySeconds = 86_400;

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Every second of a day as it is written. Millions of timestamps are written from these few texts. */
const clocks: readonly string[] = Array.from({ length: daySeconds }, (_, second) => {
  const hours = twoDigits[Math.floor(second / 3_600)];
  const minutes = twoDigits[Math.floor(second / 60) % 60];
  return `T${hours}:${minutes}:${twoDigits[second % 60]}Z`;
});

const days = new Map<number, string>();

/** The day of a number of days since 1970, as YYYY-MM-DD. */
export function dayText(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  const written = new Date(day * daySeconds * 1_000).toISOString().slice(0, 10);
  days.set(day, written);
  return written;
}

/** A moment in whole seconds since 1970, as ISO 8601 in UTC. */
export function isoText(seconds: number): string {
  const day = Math.floor(seconds / daySeconds);
  return dayText(day) + (clocks[seconds - day * daySeconds] ?? 'T00:00:00Z');
}

export const isoTextOrNull = (seconds: number | null): string | null => (seconds === null ? null : isoText(seconds));
