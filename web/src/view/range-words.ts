import { unitsIn } from '../../../src/boards/board-questions.ts';
import type { View } from '../ask/use-view.ts';
import type { Compare, Preset, Range } from '../ask/windows.ts';
import { dayCount, isPreset } from '../ask/windows.ts';
import { shownWindow } from './format.ts';

export const rangeMenuWords = {
  range: (label: string) => `Range: ${label}`,
  customRange: 'Custom range',
  compare: (label: string) => `Compare: ${label}`,
} as const;

export const presetNames: Readonly<Record<Preset, string>> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  month: 'This month',
  'last-month': 'Last month',
  quarter: 'This quarter',
  'last-quarter': 'Last quarter',
  year: 'This year',
  'last-year': 'Last year',
};

export const comparisonNames: Readonly<Record<Compare, string>> = {
  none: 'No comparison',
  previous: 'Previous period',
  year: 'Previous year',
  weekday: 'Match day of week',
};

export const comparedWith: Readonly<Record<Compare, string>> = {
  none: 'No comparison',
  previous: 'vs previous period',
  year: 'vs previous year',
  weekday: 'vs the same weekdays before',
};

/**
 * The window before, in words: `the 90 days before`. A month is compared with the month before, which may be longer or
 * shorter.
 */
export function beforeInWords({ state, window, before }: View): string {
  if (state.compare === 'year') return 'the same days a year before';
  if (state.compare === 'weekday') return 'the same weekdays before';
  const days = dayCount(window);
  const isCalendar = isPreset(state.range) && !state.range.endsWith('d');
  if (isCalendar || (before && dayCount(before) !== days)) return 'the period before';
  return days === 1 ? 'the day before' : `the ${days} days before`;
}

/** The window of a page as a legend names it: `Last 90 days`. */
export const windowName = ({ state: { range } }: View): string => nameOfRange(range);

export const nameOfRange = (range: Range): string =>
  typeof range !== 'string' ? shownWindow(range) : isPreset(range) ? presetNames[range] : lastUnits(range);

const units = { d: ['day', 'days'], w: ['week', 'weeks'], m: ['month', 'months'] } as const;

/** `12w` as people say it: `Last 12 weeks`. */
function lastUnits(range: string): string {
  const { count, unit } = unitsIn(range) ?? { count: 90, unit: 'd' as const };
  const [one, many] = units[unit];
  return count === 1 ? `Last ${one}` : `Last ${count} ${many}`;
}

/** The window before, as a legend names it: `Previous 90 days`. */
export function beforeName({ state: { range, compare }, window }: View): string {
  if (compare === 'year') return 'Previous year';
  if (compare === 'weekday') return 'Same weekdays before';
  return typeof range === 'string' && range.endsWith('d') ? `Previous ${dayCount(window)} days` : 'Previous period';
}
