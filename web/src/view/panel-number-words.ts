import type { DateLevel } from '../../../src/calendar.ts';
import type { Verdict } from '../../../src/query/verdict.ts';

/** The number of a panel beside that of the bucket before. */
export const panelNumberWords = {
  /** Goes on after `24m shorter`, `About the same` and `Too close to call`. What is too few to judge says its own. */
  sinceBefore: (level: DateLevel, verdict: Verdict | null) =>
    verdict === 'up' || verdict === 'down'
      ? `than the ${level} before`
      : verdict === 'about_the_same'
        ? `as the ${level} before`
        : verdict === 'too_close'
          ? `against the ${level} before`
          : '',
  ofNumber: 'API request for this number',
  ofChange: (level: DateLevel) => `API request for the change since the ${level} before`,
} as const;
