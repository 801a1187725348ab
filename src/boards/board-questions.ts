import { addDays, addMonths, startOfBucket } from '../calendar.ts';
import type { BoardDays, BoardFilters, BoardPanel, BoardRange } from './board.ts';

export const defaultRange: BoardRange = '90d';

const form = /^([1-9]\d{0,3})([dwm])$/;

/** The limit of a window is ten years. */
const maxUnits = { d: 3_650, w: 520, m: 120 } as const;

/** How many of which, or nothing where the text is no range. */
export function unitsIn(range: string): { readonly count: number; readonly unit: 'd' | 'w' | 'm' } | undefined {
  const [, digits, unit] = form.exec(range) ?? [];
  if (digits === undefined || (unit !== 'd' && unit !== 'w' && unit !== 'm')) return undefined;
  const count = Number(digits);
  return count > maxUnits[unit] ? undefined : { count, unit };
}

/** The days of a range. Weeks and months are the last whole ones up to the last day that has all of its data. */
export function boardDays(range: BoardRange, lastWholeDay: string): BoardDays {
  if (typeof range !== 'string') return range;
  const { count, unit } = unitsIn(range) ?? { count: 90, unit: 'd' as const };
  if (unit === 'd') return { start_date: addDays(lastWholeDay, 1 - count), end_date: lastWholeDay };
  // The bucket that the day after is in has not ended yet.
  const after = startOfBucket(unit === 'w' ? 'week' : 'month', addDays(lastWholeDay, 1));
  const start = unit === 'w' ? addDays(after, -7 * count) : addMonths(after, -count);
  return { start_date: start, end_date: addDays(after, -1) };
}

interface PanelSurroundings {
  readonly days: BoardDays;
  /** The filters of the board, and those that a reader has chosen, laid over those of the panel. */
  readonly filters: BoardFilters;
  /** Whether the panel's metric takes a filter of that name. */
  readonly takes: (filter: string) => boolean;
}

/** Other names of filters, by the name that stands for all of them. */
const alike: readonly (readonly string[])[] = [['team', 'team_ids']];

const sameFilter = (one: string, other: string): boolean =>
  one === other || alike.some((names) => names.includes(one) && names.includes(other));

/** A filter without values chooses everything, as it does in a question: there is nothing to lay over a panel. */
const choosesSome = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0);

/** The body with which the metric of a panel is asked: what `POST /metrics/{metric}` takes. */
export function panelQuestion({ request = {}, compare }: BoardPanel, { days, filters, takes }: PanelSurroundings) {
  const over = Object.entries(filters).filter(([name, value]) => choosesSome(value) && takes(name));
  const own = Object.entries(request.filters ?? {}).filter(
    ([name]) => !over.some(([other]) => sameFilter(name, other)),
  );
  return {
    ...request,
    filters: { ...days, ...Object.fromEntries([...own, ...over]) },
    ...(compare ? { include_previous_period: true } : {}),
  };
}
