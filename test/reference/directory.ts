import type { Row } from '../../src/catalogue/table.ts';
import { listed, type Person, type Squad, type Team, type World } from './world.ts';

/** The person that a row belongs to, if that is somebody who counts. */
export function onboardedPerson(world: World, row: Row): Person | undefined {
  const person = personOf(world, row.merged_user_id);
  return person?.onboarded === true ? person : undefined;
}

export const personOf = (world: World, id: unknown): Person | undefined =>
  id === null ? undefined : world.people.find(({ merged_user_id }) => merged_user_id === id);

export function teamsOf(world: World, person: Person): Team[] {
  const ids = world.teamMembers.filter((member) => member.merged_user_id === person.merged_user_id);
  return world.teams.filter(({ team_id }) => ids.some((member) => member.team_id === team_id));
}

export function squadsOf(world: World, person: Person): Squad[] {
  const ids = world.squadMembers.filter((member) => member.merged_user_id === person.merged_user_id);
  return world.squads.filter(({ squad_id }) => ids.some((member) => member.squad_id === squad_id));
}

/** Everyone who reports to one of these people, at any depth. */
export function reportsOf(world: World, managers: readonly string[]): Set<string> {
  const reports = new Set<string>();
  const ask = (manager: string): void => {
    for (const { merged_user_id, manager_id } of world.people) {
      if (manager_id !== manager || merged_user_id === null || reports.has(merged_user_id)) continue;
      reports.add(merged_user_id);
      ask(merged_user_id);
    }
  };
  for (const manager of managers) ask(manager);
  return reports;
}

/** These squads and all below them. */
export function withSquadsBelow(world: World, squads: readonly string[]): Set<string> {
  const all = new Set<string>();
  const take = (id: string): void => {
    if (all.has(id)) return;
    all.add(id);
    for (const { squad_id, parent_squad_id } of world.squads) if (parent_squad_id === id) take(squad_id ?? '');
  };
  for (const squad of squads) take(squad);
  return all;
}

/** What a people filter says of somebody. */
export interface PeopleWanted {
  readonly member?: readonly string[];
  readonly team?: readonly string[];
  readonly departments?: readonly string[];
  readonly squad_ids?: readonly string[];
  readonly squad_levels?: readonly number[];
  readonly manager_ids?: readonly string[];
  readonly manager_email?: readonly string[];
  readonly locations?: readonly string[];
  readonly levels?: readonly string[];
  readonly source_types?: readonly string[];
}

/** The teams of somebody that team and department filters leave: both are about one and the same team. */
export const matchingTeams = (world: World, person: Person, { team, departments }: PeopleWanted): Team[] =>
  teamsOf(world, person).filter(
    ({ team_id, department }) => isAmong(team, team_id) && isAmong(departments, department),
  );

export function matchingSquads(world: World, person: Person, { squad_ids, squad_levels }: PeopleWanted): Squad[] {
  const wanted = squad_ids && [...withSquadsBelow(world, squad_ids)];
  return squadsOf(world, person).filter(
    ({ squad_id, squad_level }) => isAmong(wanted, squad_id) && isAmong(squad_levels, squad_level),
  );
}

/** Whether every people filter finds somebody. Nobody at all is found only when there are no filters. */
export function isWanted(world: World, person: Person | undefined, wanted: PeopleWanted): boolean {
  const isFiltered = Object.values(wanted).some((values) => values !== undefined);
  if (!isFiltered) return true;
  if (!person) return false;
  const id = person.merged_user_id ?? '';
  const ofTeams = wanted.team || wanted.departments;
  const ofSquads = wanted.squad_ids || wanted.squad_levels;
  return (
    isAmong(wanted.member, id) &&
    (!ofTeams || matchingTeams(world, person, wanted).length > 0) &&
    (!ofSquads || matchingSquads(world, person, wanted).length > 0) &&
    (!wanted.manager_ids || reportsOf(world, wanted.manager_ids).has(id)) &&
    (!wanted.manager_email || reportsByEmail(world, wanted.manager_email).has(id)) &&
    isAmong(wanted.locations, person.location) &&
    isAmong(wanted.levels, person.level) &&
    (!wanted.source_types || listed(person.sources).some((source) => isAmong(wanted.source_types, source)))
  );
}

/** A manager is known by their address, or by the one that was given as the manager's of somebody. */
function reportsByEmail(world: World, emails: readonly string[]): Set<string> {
  const isMeant = (email: string | null) => email !== null && emails.map(folded).includes(folded(email));
  const managers = world.people.filter(({ main_email }) => isMeant(main_email)).map(idOf);
  const first = world.people.filter(({ manager_email }) => isMeant(manager_email)).map(idOf);
  return new Set([...reportsOf(world, managers), ...first, ...reportsOf(world, first)]);
}

const idOf = ({ merged_user_id }: Person): string => merged_user_id ?? '';
const folded = (text: string): string => text.trim().toLowerCase();

function isAmong<T>(values: readonly T[] | undefined, value: T | null): boolean {
  return values === undefined || (value !== null && values.includes(value));
}
