/** Days of examples. They stand for days near today, so that an example that is tried finds something. */
export const exampleWindow = { start_date: '{first day}', end_date: '{last day}' } as const;

/** The three whole months before the day, as they are written in a request. */
export function windowBefore(now: Date): { readonly start_date: string; readonly end_date: string } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  return { start_date: day(new Date(Date.UTC(year, month - 3, 1))), end_date: day(new Date(Date.UTC(year, month, 0))) };
}

/** A text with the days of the example window in it. */
export function withExampleDays(text: string, now: Date): string {
  const { start_date, end_date } = windowBefore(now);
  return text.replaceAll(exampleWindow.start_date, start_date).replaceAll(exampleWindow.end_date, end_date);
}
