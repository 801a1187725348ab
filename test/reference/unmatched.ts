import {
  filters as declarations,
  type FilterPredicate,
  isPeopleFilter,
  predicatesOf,
  type RowFilter,
} from '../../src/catalogue/filters.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import type { Row, Table } from '../../src/catalogue/table.ts';
import { addressesOf, isSame, reportsOf, squadsOf } from './directory.ts';
import { type QuestionBody, questionOf } from './question.ts';
import { isFound } from './row-filters.ts';
import { answersByRole, reportedAnswersOf } from './survey-privacy.ts';
import { contentsSeen, isVisible, type View } from './visibility.ts';
import { listed, type Person, type Squad, type World } from './world.ts';

/** Values of filters that nothing has which the viewer may see, as they were sent. Undefined where there are none. */
export function unmatchedIn(view: View, metric: string, body: QuestionBody): Record<string, unknown[]> | undefined {
  const { asked } = questionOf(view.world, metric, body);
  const tables = asked.map((one) => one.metric.table);
  const unmatched: Record<string, unknown[]> = {};
  for (const [sentAs, sent] of Object.entries(body.filters ?? {})) {
    const filter = sentAs === 'team_ids' ? 'team' : sentAs;
    const declaration = declarations[filter];
    if (!declaration || declaration.oneOf || filter === 'pull_requests_search_term' || sent === null) continue;
    const values: unknown[] = Array.isArray(sent) ? sent : [sent];
    const left = values.filter((value) => !isThere(view, tables, filter, plain(value)));
    const different = left.filter(
      (value, i) => left.findIndex((one) => plain(one) === plain(value) && typeof one === typeof value) === i,
    );
    if (different.length > 0) unmatched[sentAs] = different;
  }
  return Object.keys(unmatched).length > 0 ? unmatched : undefined;
}

const pullRequestId: FilterPredicate = {
  by: 'id',
  column: 'pr_id',
  numbered: { repository: 'repository', number: 'pr_number' },
};

const plain = (value: unknown): string | number =>
  typeof value === 'object' && value !== null && 'repository_name' in value
    ? String(value.repository_name)
    : (value as string | number);

function isThere(view: View, tables: readonly Table[], filter: string, value: string | number): boolean {
  if (isPeopleFilter(filter)) return isInDirectory(view, filter, value);
  if (
    filter === 'associated_pr_ids' &&
    view.world.facts.pull_requests.some(
      (pr) => isFound(view, pr, { predicate: pullRequestId, values: [value] }) && isVisible(view, pr),
    )
  )
    return true;
  return [...placesOf(filter as RowFilter, tables)].some(([table, predicate]) =>
    rowsOf(view, table).some((row) => isFound(view, row, { predicate, values: [value] })),
  );
}

/** The tables asked, and all others whose rows are no parts of another's. */
function placesOf(filter: RowFilter, asked: readonly Table[]): Map<Table, FilterPredicate> {
  const places = new Map<Table, FilterPredicate>();
  for (const metric of metrics.values()) {
    const predicate = predicatesOf(metric)[filter];
    const isLookedAt = asked.includes(metric.table) || metric.table.parent === undefined;
    if (predicate && isLookedAt) places.set(metric.table, predicate);
  }
  return places;
}

/** Whether or not its person counts. */
export function rowsOf(view: View, { name }: Table): Row[] {
  if (name === 'survey_responses') {
    const byRole = answersByRole(view.world).filter((row) => isVisible(view, row));
    return [...byRole, ...reportedAnswersOf(view, {}, 'whole')];
  }
  const rows = view.world.facts[name as keyof World['facts']];
  const isCarrier = name === 'deployments' || name === 'release_details';
  return rows.filter((row) => isVisible(view, row) || (isCarrier && contentsSeen(view, row).length > 0));
}

export function isInDirectory(view: View, filter: string, value: string | number): boolean {
  const { world, visible } = view;
  const text = String(value);
  const isOfManagers = filter === 'manager_ids' || filter === 'manager_email';
  const isSeen = (person: Person) => isVisible(view, person) || (isOfManagers && managesVisible(view, person));
  const isNamed = (name: string | null) => name !== null && isSame(name, text);
  const isAddress = world.people.some((person) => {
    const addresses = addressesOf(world, person.merged_user_id);
    if (isSeen(person)) return addresses.some(isNamed);
    // Everybody may list who is onboarded, each with one address.
    return person.onboarded === true && isNamed(person.main_email) && addresses.some(isNamed);
  });
  switch (filter) {
    case 'member':
    case 'manager_ids':
      return (
        isAddress ||
        world.people
          .filter((person) => isSeen(person) || person.onboarded === true)
          .some(({ merged_user_id, name }) => merged_user_id === value || isNamed(name))
      );
    case 'manager_email':
      return isAddress || world.people.filter(isSeen).some(({ manager_email }) => isNamed(manager_email));
    case 'team':
      return world.teams.some(({ team_id, team_name }) => team_id === value || isNamed(team_name));
    case 'departments':
      return world.teams.some(({ department }) => department === value);
    case 'squad_ids':
      return squadsKnown(view).some(({ squad_id, squad_name }) => squad_id === value || isNamed(squad_name));
    case 'squad_levels':
      return squadsKnown(view).some(({ squad_level }) => squad_level === value);
    case 'locations':
      return world.people.filter(isSeen).some(({ location }) => location === value);
    case 'levels':
      return world.people.filter(isSeen).some(({ level }) => level === value);
    case 'source_types':
      return world.people.filter(isSeen).some(({ sources }) => listed(sources).includes(text));
    default:
      throw new Error(`nothing is known of ${filter} for ${visible ? 'some' : 'all'}`);
  }
}

/** Whether somebody is visible who reports to this person, however far below. */
const managesVisible = (view: View, { merged_user_id }: Person): boolean => {
  const below = reportsOf(view.world, [merged_user_id ?? '']);
  return view.world.people.some((person) => below.has(person.merged_user_id ?? '') && isVisible(view, person));
};

/** Squads of people who are seen, or led by whoever looks, and every squad above one of them. */
function squadsKnown(view: View): Squad[] {
  const { world, visible, leads } = view;
  if (!visible) return [...world.squads];
  const known = new Set<Squad>();
  const take = (squad: Squad | undefined): void => {
    if (!squad || known.has(squad)) return;
    known.add(squad);
    if (squad.parent_squad_id !== null) take(world.squads.find(({ squad_id }) => squad_id === squad.parent_squad_id));
  };
  for (const person of world.people) if (isVisible(view, person)) squadsOf(world, person).forEach(take);
  for (const squad of world.squads) if (leads !== undefined && squad.lead_id === leads) take(squad);
  return [...known];
}
