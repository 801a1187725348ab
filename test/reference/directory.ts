import type { Row } from '../../src/catalogue/table.ts';
import { listed, type Person, type Squad, type Team, type World } from './world.ts';

/** The person that a row belongs to, if that is somebody who counts. What a bot did is of whoever was onboarded by name. */
export function onboardedPerson(world: World, row: Row): Person | undefined {
  const person = personOf(world, row.merged_user_id);
  if (person?.onboarded !== true) return undefined;
  return row.is_bot === true && person.onboarded_by_name !== true ? undefined : person;
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

/** What values mean, one by one: an identifier; else a name or an address, in any case, and whoever has it. */
const meantBy = (
  values: readonly string[],
  ids: readonly (string | null)[],
  namesOf: (id: string | null) => unknown[],
) =>
  values.flatMap((value) => {
    if (ids.includes(value)) return [value];
    const isNamed = (id: string | null) => namesOf(id).some((name) => typeof name === 'string' && isSame(name, value));
    return ids.filter(isNamed).map(String);
  });

export const isSame = (name: string, value: string): boolean => plainText(name) === plainText(value);

export const addressesOf = (world: World, id: string | null): (string | null)[] =>
  world.personEmails.filter(({ merged_user_id }) => merged_user_id === id).map(({ email }) => email);

const peopleMeant = (world: World, values: readonly string[]): string[] =>
  meantBy(values, world.people.map(idOf), (id) => [personOf(world, id)?.name, ...addressesOf(world, id)]);

/** The teams of somebody that team and department filters leave: both are about one and the same team. */
export function matchingTeams(world: World, person: Person, { team, departments }: PeopleWanted): Team[] {
  const ids = world.teams.map(({ team_id }) => team_id);
  const wanted = team && meantBy(team, ids, (id) => [world.teams.find((one) => one.team_id === id)?.team_name]);
  return teamsOf(world, person).filter(
    ({ team_id, department }) => isAmong(wanted, team_id) && isAmong(departments, department),
  );
}

export function matchingSquads(world: World, person: Person, { squad_ids, squad_levels }: PeopleWanted): Squad[] {
  const ids = world.squads.map(({ squad_id }) => squad_id);
  const meant =
    squad_ids && meantBy(squad_ids, ids, (id) => [world.squads.find((one) => one.squad_id === id)?.squad_name]);
  const wanted = meant && [...withSquadsBelow(world, meant)];
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
    (!wanted.member || peopleMeant(world, wanted.member).includes(id)) &&
    (!ofTeams || matchingTeams(world, person, wanted).length > 0) &&
    (!ofSquads || matchingSquads(world, person, wanted).length > 0) &&
    (!wanted.manager_ids || reportsOf(world, peopleMeant(world, wanted.manager_ids)).has(id)) &&
    (!wanted.manager_email || reportsByEmail(world, wanted.manager_email).has(id)) &&
    isAmong(wanted.locations, person.location) &&
    isAmong(wanted.levels, person.level) &&
    (!wanted.source_types || listed(person.sources).some((source) => isAmong(wanted.source_types, source)))
  );
}

/** A manager is known by any of their addresses, or by the one that was given as the manager's of somebody. */
function reportsByEmail(world: World, emails: readonly string[]): Set<string> {
  const isMeant = (email: string | null) => email !== null && emails.map(plainText).includes(plainText(email));
  const managers = world.personEmails.filter(({ email }) => isMeant(email)).map((one) => one.merged_user_id ?? '');
  const first = world.people.filter(({ manager_email }) => isMeant(manager_email)).map(idOf);
  return new Set([...reportsOf(world, managers), ...first, ...reportsOf(world, first)]);
}

const idOf = ({ merged_user_id }: Person): string => merged_user_id ?? '';
/** Letters that differ in case, in how an accent is written or in where a word ends are the same. */
const plainText = (text: string): string =>
  [...text.trim().normalize('NFD')].map(plainLetter).join('').normalize('NFC');
const plainLetter = (letter: string): string =>
  letter === 'ς' ? 'σ' : letter.toUpperCase().toLowerCase().normalize('NFD').replaceAll('ς', 'σ');

function isAmong<T>(values: readonly T[] | undefined, value: T | null): boolean {
  return values === undefined || (value !== null && values.includes(value));
}
