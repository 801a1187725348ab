import type { ChartAnnotation, ChartGoal } from './chart-description.ts';
import { shownDay, type TimeBucket } from './time-buckets.ts';

type Filters = Readonly<Record<string, unknown>>;

/** The part of a goal that decides where its line is drawn. */
export interface MarkedGoal {
  readonly title: string;
  readonly metric: string;
  readonly aggregation: string | null;
  readonly filters: Filters;
  readonly value: number;
  readonly period: string;
  readonly from: string;
  readonly until: string | null;
}

/** The part of an annotation that decides where it is drawn. */
export interface MarkedAnnotation {
  readonly title: string;
  readonly kind: string;
  readonly at: string;
  readonly until: string | null;
  readonly filters: Filters;
  /** Who made it, for those who may know. */
  readonly author?: string;
}

/** A question whose answer is drawn over time. */
export interface MarkedQuestion {
  readonly metric: string;
  /** In capitals; null where the metric takes none. */
  readonly aggregation: string | null;
  /** Whether its values are counts or sums. */
  readonly addsUp: boolean;
  readonly filters: Filters;
  readonly groupBy: readonly string[];
  readonly level: string;
  /** The first and the last day. */
  readonly start: string;
  readonly end: string;
  /** Whether the reader sees everybody. Otherwise what they see is less than what goals of counts are about. */
  readonly seesEverybody: boolean;
}

/** Teams by which names in filters are found. */
export type KnownTeams = readonly { readonly id: string; readonly name: string }[];

/** Somebody may be in several of them, so that a record counts in each. */
const manyOfPerson = ['team_id', 'team_name', 'department', 'squad_name', 'squad_level'];

/**
 * The goals whose line belongs on a chart: those of its metric and aggregation whose filters the chart has or narrows. Of
 * counts and sums, parts are no measure of the whole: these have to be the same.
 */
export function goalsOnChart(goals: readonly MarkedGoal[], question: MarkedQuestion, teams: KnownTeams): ChartGoal[] {
  const { metric, aggregation, addsUp, level, start, end, groupBy, seesEverybody } = question;
  const asked = chosenValues(question.filters, teams);
  const belongs = (goal: MarkedGoal): boolean => {
    if (goal.metric !== metric || goal.aggregation !== aggregation) return false;
    if (goal.from > end || (goal.until !== null && goal.until < start)) return false;
    const wanted = chosenValues(goal.filters, teams);
    if (!narrows(asked, wanted)) return false;
    if (!addsUp) return true;
    const isSplit = groupBy.some((column) => manyOfPerson.includes(column));
    return narrows(wanted, asked) && goal.period === level && !isSplit && seesEverybody;
  };
  const byValue = new Map<number, string[]>();
  for (const { value, title } of goals.filter(belongs)) byValue.set(value, [...(byValue.get(value) ?? []), title]);
  return [...byValue].map(([value, titles]) => ({ value, title: titles.join(', ') })).sort((a, b) => a.value - b.value);
}

/** The annotations that belong on a chart: those within its days that its filters do not exclude. */
export function annotationsOnChart(
  annotations: readonly MarkedAnnotation[],
  { filters, start, end }: Pick<MarkedQuestion, 'filters' | 'start' | 'end'>,
  buckets: readonly Pick<TimeBucket, 'start' | 'end'>[],
  teams: KnownTeams,
): ChartAnnotation[] {
  return annotations
    .filter(({ at, until }) => at <= end && (until ?? at) >= start)
    .filter((one) => !isExcluded(one.filters, filters, teams))
    .sort((a, b) => compare(a.at, b.at) || compare(a.title, b.title))
    .flatMap(({ at, until, title, kind, author }) => {
      const category = buckets.findIndex((bucket) => at <= bucket.end);
      if (category === -1) return [];
      const days = until === null || until === at ? shownDay(at) : `${shownDay(at)} – ${shownDay(until)}`;
      return [{ category, title, days, kind, ...(author === undefined ? {} : { author }) }];
    });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Values by filter, in a form in which they can be compared. */
type ChosenValues = ReadonlyMap<string, readonly string[]>;

const notFilters = ['start_date', 'end_date'];
/** Matched without regard to case. */
const lowerCased = ['repositories', 'branches', 'workflow_names'];

function chosenValues(filters: Filters, teams: KnownTeams): ChosenValues {
  const chosen = new Map<string, string[]>();
  for (const [spelling, written] of Object.entries(filters)) {
    const name = spelling === 'team_ids' ? 'team' : spelling;
    const values = (Array.isArray(written) ? written : [written]).flatMap((value: unknown) => plainValue(value));
    if (notFilters.includes(name) || values.length === 0) continue;
    const compared =
      name === 'team'
        ? values.flatMap((value) => teamIds(value, teams))
        : lowerCased.includes(name)
          ? values.map((value) => value.toLowerCase())
          : values;
    chosen.set(name, [...(chosen.get(name) ?? []), ...compared]);
  }
  return chosen;
}

function plainValue(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [String(value)];
  const { repository_name: repository } = value as { readonly repository_name?: unknown };
  return typeof repository === 'string' ? [repository] : [];
}

/** A team by its id, else all of its name. */
function teamIds(value: string, teams: KnownTeams): string[] {
  if (teams.some(({ id }) => id === value)) return [value];
  const named = teams.filter(({ name }) => name.toLowerCase() === value.trim().toLowerCase());
  return named.length > 0 ? named.map(({ id }) => id) : [value];
}

/** A short name of a repository means every one of that name. */
const isWithin = (filter: string, value: string, values: readonly string[]): boolean =>
  values.includes(value) || (filter === 'repositories' && values.includes(value.slice(value.lastIndexOf('/') + 1)));

/** Whether filters select nothing but what others select: they have each of them, with some of its values. */
const narrows = (filters: ChosenValues, others: ChosenValues): boolean =>
  [...others].every(([name, values]) => filters.get(name)?.every((value) => isWithin(name, value, values)) ?? false);

/** Whether what is about some filters is no part of what others select. */
export const isExcluded = (filters: Filters, asked: Filters, teams: KnownTeams): boolean =>
  excludes(chosenValues(asked, teams), chosenValues(filters, teams));

/** Whether some filter that both have has no value in common. */
const excludes = (filters: ChosenValues, others: ChosenValues): boolean =>
  [...others].some(([name, values]) => {
    const asked = filters.get(name);
    return (
      asked !== undefined &&
      !asked.some((value) => isWithin(name, value, values)) &&
      !values.some((value) => isWithin(name, value, asked))
    );
  });
