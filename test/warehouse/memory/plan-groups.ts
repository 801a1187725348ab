import type { ScopedTable } from '../../../src/access/scope.ts';
import type { Row } from '../../../src/catalogue/table.ts';
import type { Activity, BucketBy, Measure, Plan, Span } from '../../../src/query/plan.ts';
import { bucketOf } from '../../reference/calendar.ts';
import { isWanted } from '../../reference/directory.ts';
import { aggregateOf, holds } from '../../reference/expression.ts';
import type { Cell } from '../../reference/order.ts';
import { isAboutPeople, placesOf } from '../../reference/places.ts';
import { isFound } from '../../reference/row-filters.ts';
import { answersLeftOut, isReported, reportedAnswersOf } from '../../reference/survey-privacy.ts';
import { isVisible, personSeen, rowsSeen, type View, viewOf } from '../../reference/visibility.ts';
import type { World } from '../../reference/world.ts';

/** One group of one bucket, with the value of every measure of a plan. */
export interface PlanGroup {
  readonly bucket: string | null;
  readonly place: readonly Cell[];
  readonly values: ReadonlyMap<string, Cell>;
}

interface BucketedRow {
  readonly row: Row;
  readonly bucket: string | null;
}

export const viewOfScope = (world: World, { visibility, areAnswersAnonymous }: ScopedTable): View =>
  viewOf(areAnswersAnonymous ? { ...world, minRespondents: 1 } : world, visibility);

/** The rows that a plan is about, and how many answers to surveys it leaves out. */
export function rowsOfPlan(
  world: World,
  plan: Plan,
): { readonly rows: readonly BucketedRow[]; readonly suppressed: number } {
  const view = viewOfScope(world, plan.from);
  const people = plan.people;
  const asWanted = (row: Row): BucketedRow[] => {
    if (plan.span && !isWithin(plan.span, row)) return [];
    if (!plan.rows.every((choice) => isFound(view, row, choice))) return [];
    return [{ row, bucket: bucketIn(plan.span, plan.bucket, row) }];
  };
  const isOfWanted = (row: Row): boolean => isWanted(world, personSeen(view, row), people);
  const seen = rowsSeen(view, plan.from.table);
  if (plan.from.table.name !== 'survey_responses')
    return { rows: seen.filter(isOfWanted).flatMap(asWanted), suppressed: 0 };
  const byRole = seen.filter((row) => !isReported(row) && isOfWanted(row));
  const shown = [...byRole, ...reportedAnswersOf(view, people, 'whole')];
  return { rows: shown.flatMap(asWanted), suppressed: answersLeftOut(view, people).flatMap(asWanted).length };
}

/** Every group that there are rows of. A plan that neither groups nor buckets always has one. */
export function groupsOfPlan(world: World, plan: Plan): PlanGroup[] {
  const view = viewOfScope(world, plan.from);
  const people = plan.people;
  const groups = new Map<string, { readonly bucket: string | null; readonly place: Cell[]; readonly rows: Row[] }>();
  const groupAt = (bucket: string | null, place: Cell[]) => {
    const key = JSON.stringify([bucket, place]);
    const group = groups.get(key) ?? { bucket, place, rows: [] };
    groups.set(key, group);
    return group;
  };
  if (plan.groupBy.length === 0 && !plan.bucket) groupAt(null, []);
  for (const { row, bucket } of rowsOfPlan(world, plan).rows) {
    for (const place of placesOf(view, row, plan.groupBy, people)) groupAt(bucket, place).rows.push(row);
  }
  return [...groups.values()].map((group) => ({
    bucket: group.bucket,
    place: group.place,
    values: new Map(plan.measures.map((measure) => [measure.as, measured(view, plan, measure, group)])),
  }));
}

interface GroupRows {
  readonly bucket: string | null;
  readonly place: readonly Cell[];
  readonly rows: readonly Row[];
}

function measured(view: View, plan: Plan, measure: Measure, group: GroupRows): Cell {
  if (measure.type !== 'share' && measure.type !== 'population') {
    return aggregateOf(measure.value, withDaysInSeconds(plan.span, group.rows));
  }
  const population = populationOf(view, plan, measure.activities, group);
  if (measure.type === 'population') return population;
  const those = group.rows.filter((row) => holds(measure.people, row));
  const people = new Set(those.flatMap((row) => personSeen(view, row)?.merged_user_id ?? []));
  return population === 0 ? null : people.size / population;
}

/** A day that is aggregated counts as its first second. */
function withDaysInSeconds(span: Span | undefined, rows: readonly Row[]): readonly Row[] {
  if (span?.type !== 'date') return rows;
  return rows.map((row) => ({ ...row, [span.column]: Date.parse(String(row[span.column])) / 1_000 }));
}

/** Everyone onboarded, seen and wanted who stands where the group does, as far as that says anything about people. */
function populationOf(
  view: View,
  plan: Plan,
  activities: readonly Activity[] | undefined,
  { bucket, place }: GroupRows,
): number {
  const people = plan.people;
  const columns = plan.groupBy.filter(isAboutPeople);
  const ofGroup = JSON.stringify(place.filter((_, i) => plan.groupBy[i] && isAboutPeople(plan.groupBy[i])));
  return view.world.people.filter((person) => {
    if (person.onboarded !== true || !isVisible(view, person)) return false;
    if (!isWanted(view.world, person, people)) return false;
    if (!placesOf(view, person, columns, people).some((own) => JSON.stringify(own) === ofGroup)) return false;
    return !activities || activities.some((activity) => isActive(view.world, activity, person.merged_user_id, bucket));
  }).length;
}

const isActive = (
  world: World,
  { from, span, bucket: by, onlyIf }: Activity,
  id: string | null,
  bucket: string | null,
) =>
  world.facts[from.table.name as keyof World['facts']].some(
    (row) =>
      row.merged_user_id === id &&
      (onlyIf === undefined || row[onlyIf] === true) &&
      isWithin(span, row) &&
      (!by || bucketIn(span, by, row) === bucket),
  );

function isWithin(span: Span, row: Row): boolean {
  const value = row[span.column] ?? null;
  if (value === null) return false;
  return span.type === 'date'
    ? span.from <= String(value) && String(value) <= span.to
    : span.from <= Number(value) && Number(value) < span.until;
}

/** The clock of the last piece that has begun says which day it is. */
function bucketIn(span: Span | undefined, bucket: BucketBy | undefined, row: Row): string | null {
  if (!span || !bucket) return null;
  const value = row[span.column] ?? null;
  if (span.type === 'date') return bucketOf(bucket.level, String(value));
  const offset = bucket.clock.findLast(({ from }) => from <= Number(value))?.offset ?? 0;
  return bucketOf(bucket.level, new Date((Number(value) + offset) * 1_000).toISOString().slice(0, 10));
}
