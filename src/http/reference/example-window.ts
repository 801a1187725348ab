import { exampleDays } from '../../catalogue/example-question.ts';

/** Days of examples. They stand for days near today, so that an example that is tried finds something. */
export const exampleWindow = { start_date: '{first day}', end_date: '{last day}' } as const;

/** A text with the days of the example window in it. */
export function withExampleDays(text: string, today: Date): string {
  const { start_date, end_date } = exampleDays(today);
  return text.replaceAll(exampleWindow.start_date, start_date).replaceAll(exampleWindow.end_date, end_date);
}
