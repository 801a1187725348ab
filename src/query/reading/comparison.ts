import type { TimeZone } from '../../calendar.ts';
import { dateDetails } from '../../catalogue/metrics/all-metrics.ts';
import { sharedFields } from '../../catalogue/request-fields.ts';
import { isWholeDays, type Window, windowBetween } from '../request-window.ts';
import { type Body, fieldsOf, refuse } from './body.ts';

const fieldNames = { start: 'previous_start_date', end: 'previous_end_date' };

/** The window that a caller chose to compare with. Undefined where the one before is meant. */
export function readComparedWindow(
  body: Body,
  { isCompared, zone, now }: { readonly isCompared: boolean; readonly zone: TimeZone; readonly now: Date },
): Window | undefined {
  const field = fieldsOf(sharedFields, body);
  const [start, end] = [field('previous_start_date'), field('previous_end_date')];
  if (start === undefined && end === undefined) return undefined;
  if (start === undefined || end === undefined)
    throw refuse('previous_start_date and previous_end_date go together: the first and the last day to compare with.');
  if (!isCompared)
    throw refuse(
      'previous_start_date chooses what to compare with: set include_previous_period to true, or leave it out.',
    );
  const window = windowBetween({ start, end }, zone, now, fieldNames);
  if (isWholeDays(window, zone)) return window;
  throw refuse('previous_start_date and previous_end_date are days, such as 2024-01-31, and no timestamps.');
}

/** The refusal where a change cannot be judged, since nothing is compared with the period before. */
export const noVerdict = {
  periods: () => refuse(`${dateDetails} has no values whose change could be judged. Leave out verdict.`),
  benchmark: () =>
    refuse(
      'A benchmark compares with other organisations, not with the period before. Leave out verdict, or ask the metric itself with include_previous_period.',
    ),
  explanation: () =>
    refuse(
      'An explanation tells how one number is computed and judges no change. Leave out verdict, or ask the metric without /explain.',
    ),
} as const;
