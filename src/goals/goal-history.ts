import type { Principal } from '../access/principal.ts';
import { type RequestTicket, ticketOf } from '../admission/ticket.ts';
import { TimeZone } from '../calendar.ts';
import type { Metrics } from '../query/answer-metric.ts';
import type { DocumentAnswer, RowsAnswer } from '../query/collect-answer.ts';
import type { UnmatchedFilters } from '../query/empty-answer.ts';
import type { Extent } from '../query/question-port.ts';
import { readFilters } from '../query/reading/read-filters.ts';
import type { Window } from '../query/request-window.ts';
import { Refusal } from '../refusal.ts';
import { addsUpIn, type Goal, metricOf } from './goal.ts';
import {
  countPeriodsSince,
  type GoalLevel,
  type GoalPeriod,
  minGoalValues,
  stateOfPeriod,
  wholePeriods,
} from './goal-periods.ts';
import { type GoalState, latestJudged, stateOfGoal } from './goal-state.ts';

export const maxGoalPeriods = 104;
export const defaultGoalPeriods = 26;

/** How many periods somebody asks for. */
export function goalPeriodsIn(count: unknown): number {
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= maxGoalPeriods) return count;
  throw new Refusal('bad-input', `periods must be a whole number from 1 to ${maxGoalPeriods}.`);
}

/** So many periods fit into the longest window that a question may have. */
const maxPeriodsAsked: Readonly<Record<GoalLevel, number>> = { week: 520, month: 120, quarter: 40 };
/** Twenty years of weeks. */
const maxPeriodsOfLine = 1_040;

interface HistoryParts {
  readonly metrics: Pick<Metrics, 'single'>;
  readonly now: () => Date;
}

export interface GoalHistoryOptions {
  readonly periods?: number | undefined;
  readonly ticket?: RequestTicket | undefined;
}

/** A goal as one reader may see it. */
export interface GoalHistory {
  readonly state: GoalState;
  /** The period that speaks for the goal, where there is one and the reader may see it. */
  readonly latest: GoalPeriod | undefined;
  /** The whole periods, earliest first. */
  readonly periods: readonly GoalPeriod[];
  readonly extent: Extent | undefined;
  /** Values of the goal's filters that match nothing. */
  readonly unmatched: UnmatchedFilters | undefined;
}

/** Asks for the whole periods of a goal in the rights of a reader, and says what they come to. */
export async function historyOfGoal(
  parts: HistoryParts,
  principal: Principal,
  goal: Goal,
  { periods: count = defaultGoalPeriods, ticket = ticketOf(principal) }: GoalHistoryOptions = {},
): Promise<GoalHistory> {
  const zone = TimeZone.named(principal.timeZone);
  const now = parts.now();
  const since = Math.min(countPeriodsSince(goal.from, goal.period, zone, now), maxPeriodsOfLine);
  const all = wholePeriods(goal.period, Math.max(count, since, minPeriodsAsked), zone, now);
  const { isWhole, people } = await peopleSelected(parts, principal, goal, ticket);
  if (!isWhole) {
    const periods = all.slice(-count).map(limitedPeriod);
    return { state: 'limited', latest: undefined, periods, extent: undefined, unmatched: undefined };
  }
  const { values, extent, unmatched } = await valuesOfPeriods(parts, principal, goal, all, ticket);
  const rules = {
    target: goal,
    addsUp: addsUpIn(goal),
    hasTooFewPeople: people < minGoalValues,
    extent: extent ?? { since: undefined, through: undefined },
    now,
  };
  const periods = all.map((period, at): GoalPeriod => {
    const { value = null, n = 0 } = values[at] ?? {};
    const { firstDay, lastDay } = period;
    return { firstDay, lastDay, value, n, state: stateOfPeriod(period, { value, n }, rules) };
  });
  const state = rules.hasTooFewPeople ? 'too_few' : stateOfGoal(goal, periods);
  return { state, latest: latestJudged(periods), periods: periods.slice(-count), extent, unmatched };
}

/** The last period, and those before it that may speak for the goal. */
const minPeriodsAsked = 4;

const limitedPeriod = ({ firstDay, lastDay }: Window): GoalPeriod => ({
  firstDay,
  lastDay,
  value: null,
  n: null,
  state: 'limited',
});

interface PeopleSelected {
  /** Whether the reader sees everybody whom the filters select. */
  readonly isWhole: boolean;
  /** How many people in metrics the filters select. */
  readonly people: number;
}

/**
 * How many people a goal is about, and whether the reader sees all of them. Without a filter of people that is everybody,
 * and with them what nobody known did, which only those see who see the whole organisation.
 */
async function peopleSelected(
  { metrics }: HistoryParts,
  principal: Principal,
  goal: Goal,
  ticket: RequestTicket,
): Promise<PeopleSelected> {
  const seesAll = principal.visibility === 'organisation';
  const { people: ofPeople } = readFilters(goal.filters, [metricOf(goal)]);
  if (!seesAll && Object.keys(ofPeople).length === 0) return { isWhole: false, people: 0 };
  const countSeenBy = async (reader: Principal): Promise<number> => {
    const { answer } = await metrics.single(reader, 'users-count', { filters: ofPeople }, { ticket });
    const [row] = (answer as RowsAnswer).rows;
    return Number(row?.[0] ?? 0);
  };
  // Nobody is shown this number: it only decides whether the reader's own may be shown.
  const people = await countSeenBy({ ...principal, visibility: 'organisation' });
  return { isWhole: seesAll || (await countSeenBy(principal)) === people, people };
}

interface ChartDocument {
  readonly series: readonly {
    readonly data: readonly (number | null)[];
    readonly n?: readonly (number | null)[];
  }[];
}

interface PeriodValues {
  readonly values: readonly { readonly value: number | null; readonly n: number }[];
  readonly extent: Extent | undefined;
  readonly unmatched: UnmatchedFilters | undefined;
}

/** The value and n of each period. A chart has every bucket of its window, so positions are those of the periods. */
export async function valuesOfPeriods(
  { metrics }: Pick<HistoryParts, 'metrics'>,
  principal: Principal,
  { metric, aggregation, filters, period }: Pick<Goal, 'metric' | 'aggregation' | 'filters' | 'period'>,
  all: readonly Window[],
  ticket: RequestTicket,
): Promise<PeriodValues> {
  const values: { value: number | null; n: number }[] = [];
  let served: Awaited<ReturnType<Metrics['single']>> | undefined;
  for (let at = 0; at < all.length; at += maxPeriodsAsked[period]) {
    const asked = all.slice(at, at + maxPeriodsAsked[period]);
    const body = {
      filters: { ...filters, start_date: asked[0]?.firstDay, end_date: asked.at(-1)?.lastDay },
      date_level: period,
      time_series_data: true,
      ...(aggregation === null ? {} : { aggregation }),
    };
    served = await metrics.single(principal, metric, body, { showsN: 'values', ticket });
    // Of a metric with several values, the last one leads.
    const leading = ((served.answer as DocumentAnswer).document as ChartDocument).series.at(-1);
    values.push(...asked.map((_, i) => ({ value: leading?.data[i] ?? null, n: leading?.n?.[i] ?? 0 })));
  }
  return { values, extent: served?.extent, unmatched: served?.unmatched };
}
