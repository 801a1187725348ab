import { dateDetails } from '../../catalogue/metrics/metrics.ts';
import { refuse } from './body.ts';

/** What is said where a change cannot be judged, since nothing is compared with the period before. */
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
