import { groupColumnsOf } from '../../src/catalogue/group-columns.ts';
import type { Metric } from '../../src/catalogue/metric.ts';
import type { Row, Table } from '../../src/catalogue/table.ts';
import type { FactTable } from '../../src/catalogue/tables/all-tables.ts';
import { factTables } from '../../src/catalogue/tables/all-tables.ts';
import { bucketOf } from './calendar.ts';
import { isWanted } from './directory.ts';
import { holds } from './expression.ts';
import type { Evaluation } from './metric-groups.ts';
import type { Cell } from './order.ts';
import { isAboutPeople, placesOf } from './places.ts';
import { isVisible, personSeen } from './visibility.ts';
import { dayWithin } from './window.ts';
import type { Person } from './world.ts';

interface PeopleOfGroup {
  readonly bucket: string | undefined;
  readonly place: readonly Cell[];
  readonly rows: readonly Row[];
}

/** Those of a group of whom something holds, divided by everyone who could be in it. */
export function shareOf(
  evaluation: Evaluation,
  metric: Metric & { readonly kind: 'share' },
  group: PeopleOfGroup,
): number | null {
  const those = new Set(
    group.rows
      .filter((row) => holds(metric.people, row))
      .flatMap((row) => personSeen(evaluation.view, row)?.merged_user_id ?? []),
  );
  const population = populationOf(evaluation, metric, group);
  return population.length === 0 ? null : those.size / population.length;
}

/** Everyone onboarded, seen and wanted who stands where the group does, as far as that says anything about people. */
export function populationOf(
  evaluation: Evaluation,
  metric: Metric & { readonly kind: 'share' },
  { bucket, place }: PeopleOfGroup,
): Person[] {
  const { view, question } = evaluation;
  const known = groupColumnsOf(metric.table);
  const columns = question.groupBy.flatMap((name) => known.get(name) ?? []);
  const aboutPeople = columns.filter(isAboutPeople);
  const ofGroup = JSON.stringify(place.filter((_, i) => columns[i] && isAboutPeople(columns[i])));
  return view.world.people.filter((person) => {
    if (person.onboarded !== true || !isVisible(view, person)) return false;
    if (!isWanted(view.world, person, question.people)) return false;
    const places = placesOf(view, person, aboutPeople, question.people);
    if (!places.some((own) => JSON.stringify(own) === ofGroup)) return false;
    return metric.population === 'onboarded' || isActive(evaluation, person, bucket);
  });
}

/** Where doing anything leaves a row, and when that was. */
const activities: readonly (readonly [table: FactTable, date: string, onlyIf?: string])[] = [
  ['pull_requests', 'pr_created_at'],
  ['pull_request_commits', 'committed_at'],
  ['pull_request_reviews', 'reviewed_at'],
  ['pull_request_comments', 'commented_at'],
  ['issues', 'created_at'],
  ['issue_comments', 'created_at'],
  ['ai_copilot', 'date', 'is_active'],
  ['posthook_sessions', 'date'],
];

function isActive(
  { view, window, level }: Evaluation,
  { merged_user_id }: Person,
  bucket: string | undefined,
): boolean {
  return activities.some(([table, date, onlyIf]) =>
    view.world.facts[table].some((row) => {
      if (row.merged_user_id !== merged_user_id) return false;
      if (onlyIf !== undefined && row[onlyIf] !== true) return false;
      const { columns }: Table = factTables[table];
      const day = window && dayWithin(window, row[date], columns[date]?.type ?? 'date');
      return day !== undefined && (level === undefined || bucketOf(level, day) === bucket);
    }),
  );
}
