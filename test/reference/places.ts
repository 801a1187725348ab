import type { GroupColumn } from '../../src/catalogue/group-columns.ts';
import type { Row } from '../../src/catalogue/table.ts';
import { matchingSquads, matchingTeams, type PeopleWanted, personOf, teamsOf } from './directory.ts';
import { type Cell, compareCells, compareTexts } from './order.ts';
import { isReported } from './survey-privacy.ts';
import { contentsSeen, personSeen, type View } from './visibility.ts';
import type { Person, World } from './world.ts';

/**
 * The groups that a row stands in: one, unless it is grouped by something that its person has several of. Then one for
 * each different combination, and one of nulls for whoever has none.
 */
export function placesOf(view: View, row: Row, columns: readonly GroupColumn[], wanted: PeopleWanted): Cell[][] {
  const { world } = view;
  const person = personSeen(view, row);
  const teams = person ? matchingTeams(world, person, wanted) : [];
  const squads = person ? matchingSquads(world, person, wanted) : [];
  const ofTeams = combinations(teams, columns, 'team');
  const ofSquads = combinations(squads, columns, 'squad');
  return ofTeams.flatMap((team) =>
    ofSquads.map((squad) => columns.map((column) => cellOf(view, { row, person, team, squad }, column))),
  );
}

interface Standing {
  readonly row: Row;
  readonly person: Person | undefined;
  readonly team: Row;
  readonly squad: Row;
}

function cellOf(view: View, { row, person, team, squad }: Standing, { name, from }: GroupColumn): Cell {
  switch (from) {
    case 'row':
      return row[name] ?? null;
    case 'person': {
      if (isReported(row)) return row.report_team_names ?? null;
      return person ? cellOfPerson(view.world, person, name) : null;
    }
    case 'team':
      return team[name] ?? null;
    case 'squad':
      return squad[name] ?? null;
    case 'contents':
      return contentsCell(view, row);
  }
}

/** Different ones of what the grouped columns say of some memberships. */
function combinations(memberships: readonly Row[], columns: readonly GroupColumn[], from: 'team' | 'squad'): Row[] {
  const names = columns.filter((column) => column.from === from).map(({ name }) => name);
  const different = new Map<string, Row>();
  for (const membership of memberships) {
    const some = Object.fromEntries(names.map((name) => [name, membership[name] ?? null]));
    different.set(JSON.stringify(some), some);
  }
  return different.size > 0 ? [...different.values()] : [{}];
}

function cellOfPerson(world: World, person: Person, name: string): Cell {
  switch (name) {
    case 'team_names':
      return sortedList(teamsOf(world, person).map(({ team_name }) => team_name));
    case 'departments':
      return sortedList(teamsOf(world, person).map(({ department }) => department));
    case 'manager_name':
      return personOf(world, person.manager_id)?.name ?? null;
    case 'last_active_at':
      return (
        world.lastActivity.find(({ merged_user_id }) => merged_user_id === person.merged_user_id)?.last_active_at ??
        null
      );
    default:
      return (person as Row)[name] ?? null;
  }
}

const sortedList = (texts: readonly (string | null)[]): string =>
  JSON.stringify([...new Set(texts.filter((text) => text !== null))].toSorted(compareTexts));

function contentsCell(view: View, row: Row): string | null {
  const contents = contentsSeen(view, row).toSorted(
    (a, b) =>
      compareCells(a.pr_merged_at ?? null, b.pr_merged_at ?? null) || compareCells(a.pr_id ?? null, b.pr_id ?? null),
  );
  if (contents.length === 0) return null;
  return JSON.stringify(
    contents.map((pr) => ({
      id: pr.pr_id,
      title: pr.pr_title,
      author: personOf(view.world, pr.merged_user_id)?.name ?? pr.person_name ?? pr.person_login,
      url: pr.pr_url,
      number: pr.pr_number,
      summary: pr.pr_summary,
      additions: pr.additions,
      deletions: pr.deletions,
    })),
  );
}

export const isAboutPeople = ({ from }: GroupColumn): boolean =>
  from === 'person' || from === 'team' || from === 'squad';
