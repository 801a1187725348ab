import type { Goal } from '../../src/goals/goal.ts';
import { addDays, bucketOf, dayAt, instantShown } from '../reference/calendar.ts';
import { isWanted } from '../reference/directory.ts';
import { countOf, type KnownHistory } from '../reference/judged-results.ts';
import { groupsOf } from '../reference/metric-groups.ts';
import { questionOf } from '../reference/question.ts';
import { personSeen, viewOf } from '../reference/visibility.ts';
import type { Seeing, World } from '../reference/world.ts';

/** A row of a history as the interface gives it. */
export interface ModelPeriod {
  readonly start: string;
  readonly end: string;
  readonly value: number | null;
  readonly n: number | null;
  readonly state: string;
}

export interface ModelHistory {
  readonly state: string;
  readonly periods: readonly ModelPeriod[];
}

/** What a goal comes to, worked out in the plain way: every period by itself, from the rows of the world. */
export function goalInTheModel(
  world: World,
  seeing: Seeing,
  goal: Goal,
  known: Partial<KnownHistory>,
  count: number,
): ModelHistory {
  const { timeZone: zone } = world;
  const now = world.now.getTime() / 1_000;
  const all = periodsBefore(goal.period, dayAt(zone, now), goal.from, count);
  if (!seesEverybody(world, seeing, goal)) {
    const periods = all.slice(-count).map((one) => ({ ...one, value: null, n: null, state: 'limited' }));
    return { state: 'limited', periods };
  }
  const people = selectedBy(world, 'organisation', goal);
  const valueIn = valuesByPeriod(world, seeing, goal, all);
  const startOf = (day: string): number => instantShown(zone, `${day}T00:00:00`);
  const periods = all.map(({ start, end }): ModelPeriod => {
    const { value, n, isSum } = valueIn(start);
    const [begins, ends] = [startOf(start), startOf(addDays(end, 1))];
    const isThere = known.through !== undefined && known.through >= ends;
    if (!isThere && ends >= now - 3 * 86_400) return { start, end, value, n, state: 'incomplete' };
    if (people < 5) return { start, end, value, n, state: 'too_few' };
    const isBefore = known.since === undefined || ends <= known.since;
    const isAfter = known.through === undefined || begins >= known.through;
    if (value === null || (n === 0 && (isBefore || isAfter))) return { start, end, value, n, state: 'no_data' };
    if (n < 5 && !isSum) return { start, end, value, n, state: 'too_few' };
    const isGood = value === goal.value || value < goal.value === (goal.should_be === 'below');
    return { start, end, value, n, state: isGood ? 'met' : 'missed' };
  });
  const state = people < 5 ? 'too_few' : stateInTheModel(goal, periods);
  return { state, periods: periods.slice(-count) };
}

/** Enough periods for the history, for the line, and for the three before the last. */
function periodsBefore(level: Goal['period'], today: string, from: string, count: number) {
  const periods: { readonly start: string; readonly end: string }[] = [];
  let end = addDays(bucketOf(level, today), -1);
  for (let start = bucketOf(level, end); periods.length < Math.max(count, 4) || start >= from; ) {
    periods.unshift({ start, end });
    end = addDays(start, -1);
    start = bucketOf(level, end);
  }
  return periods;
}

/** The people in metrics whom the filters of a goal select, as far as somebody sees them. */
function selectedBy(world: World, seeing: Seeing, goal: Goal): number {
  const { people } = questionOf(world, 'users-count', { filters: peopleFilters(goal) });
  const view = viewOf(world, seeing);
  return world.people.filter((person) => {
    const seen = personSeen(view, { merged_user_id: person.merged_user_id });
    return seen !== undefined && isWanted(world, seen, people);
  }).length;
}

const ofRows = ['repositories', 'sources', 'pr_states', 'pr_categories', 'run_conclusions', 'workflow_names'];
const peopleFilters = ({ filters }: Goal) =>
  Object.fromEntries(
    Object.entries(filters).filter(
      ([name, values]) => !ofRows.includes(name) && values !== null && !(Array.isArray(values) && values.length === 0),
    ),
  );

function seesEverybody(world: World, seeing: Seeing, goal: Goal): boolean {
  if (seeing === 'organisation') return true;
  // Who does not see the whole organisation sees nothing of accounts that nobody knows.
  if (Object.keys(peopleFilters(goal)).length === 0) return false;
  return selectedBy(world, seeing, goal) === selectedBy(world, 'organisation', goal);
}

function valuesByPeriod(world: World, seeing: Seeing, goal: Goal, all: readonly { start: string; end: string }[]) {
  const { metric: name, aggregation, filters, period } = goal;
  const window = { start_date: all[0]?.start, end_date: all.at(-1)?.end };
  const body = { filters: { ...filters, ...window }, date_level: period, ...(aggregation ? { aggregation } : {}) };
  const question = questionOf(world, name, body);
  const [asked] = question.asked;
  if (!asked) throw new Error('one metric is asked');
  const groups = groupsOf({ view: viewOf(world, seeing), question, window: question.window, level: period }, asked);
  const last = asked.values.length - 1;
  return (start: string) => {
    const group = groups.find(({ bucket }) => bucket === start);
    const value = group ? group.values[last] : (asked.values[last]?.ofNothing ?? null);
    const isSum = asked.metric.kind === 'count' || asked.aggregation === 'sum';
    return { value: typeof value === 'number' ? value : null, n: countOf(asked, last, group), isSum };
  };
}

/** The state of a goal by its periods. */
export function stateInTheModel(goal: Goal, periods: readonly ModelPeriod[]): string {
  const isSure = ({ state }: ModelPeriod): boolean => state === 'met' || state === 'missed';
  const deciding = [1, 2, 3, 4].map((back) => periods.at(-back)).find((one) => one !== undefined && isSure(one));
  if (!deciding) return 'no_data';
  if (deciding.state === 'met' || goal.until === null) return deciding.state;
  if (goal.until <= (periods.at(-1)?.end ?? '')) return 'missed';
  const points = periods
    .filter((one) => one.start >= goal.from && isSure(one))
    .map(({ end, value }) => ({ x: daysAfter(goal.from, end), y: Number(value) }));
  if (points.length < 3) return 'too_early';
  // The two sums that have to be 0 where the squares are least.
  const sum = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((all, one) => all + of(one), 0);
  const [n, x, y, xx, xy] = [
    points.length,
    sum((one) => one.x),
    sum((one) => one.y),
    sum((one) => one.x ** 2),
    sum((one) => one.x * one.y),
  ];
  const slope = (n * xy - x * y) / (n * xx - x * x);
  const start = (y - slope * x) / n;
  const sign = goal.should_be === 'below' ? 1 : -1;
  const distance = Math.abs((points[0]?.y ?? 0) - goal.value);
  // A flat line leads nowhere, whatever its last digit says.
  const isFlat = points.every((one) => one.y === points[0]?.y);
  if (distance === 0 || (!isFlat && sign * slope > 0)) return 'off_track';
  const missedBy = sign * (start + slope * daysAfter(goal.from, goal.until) - goal.value);
  if (missedBy <= distance * 1e-9) return 'on_track';
  return missedBy <= distance / 5 + distance * 1e-9 ? 'at_risk' : 'off_track';
}

const daysAfter = (day: string, other: string): number => (Date.parse(other) - Date.parse(day)) / 86_400_000;
