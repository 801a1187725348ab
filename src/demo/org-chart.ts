import { dayNumber, dayOfNumber } from '../calendar.ts';
import type { AccessRole, PersonRecord } from '../catalogue/directory-records.ts';
import { drawName, type PersonName } from './names.ts';
import {
  type CastMember,
  type Department,
  list,
  type Office,
  type OrganisationProfile,
} from './organisation-profile.ts';
import type { SeededRandom } from './seeded-random.ts';

const managerRanks = ['top', 'director', 'group-manager', 'team-manager', 'people-partner'] as const;
type ManagerRank = (typeof managerRanks)[number];

export interface Drawing {
  readonly profile: OrganisationProfile;
  readonly random: SeededRandom;
}

/** A position in the organisation. Who holds it is drawn after all positions are known. */
export interface Seat {
  readonly standing: ManagerRank | 'member' | 'leaver' | 'outsider';
  accessRole: AccessRole;
  readonly department: Department;
  readonly manager: Seat | undefined;
  readonly teams: readonly string[];
  readonly managedTeams: readonly string[];
  /** Whether the holder writes code, and so has a login on the code host. */
  readonly codes: boolean;
  squads: readonly string[];
  name: PersonName;
  office: Office | undefined;
  emails: readonly string[];
  logins: Readonly<Record<string, string | readonly string[]>>;
}

const vacant = { squads: [], name: { written: '', given: '', family: '' }, office: undefined, emails: [], logins: {} };

const headcountWithDirectors = 40;
/** A director with more teams than this has managers of managers. */
const teamsPerGroup = 7;
const peoplePerUnit = 10;
const squadsPerParent = 3;

const squadNames =
  list(`Albatross, Alder, Avon, Azimuth, Basalt, Birch, Bittern, Clyde, Compass, Cormorant, Derwent, Dolphin,
  Eider, Elm, Flint, Fulmar, Gannet, Griffin, Hazel, Heron, Humber, Jasper, Juniper, Kelpie, Lapwing, Larch, Marlin, Medway,
  Narwhal, Onyx, Osprey, Petrel, Phoenix, Plover, Quartz, Rowan, Selkie, Severn, Sextant, Skua, Slate, Sphinx, Tamar, Tern,
  Thames, Topaz, Tweed, Willow, Yeti, Zenith`);

/** Names for teams and squads once an organisation has grown past the names it started with. */
const qualifiers = list(`Core, Platform, Data, Mobile, Integrations, Reliability, Experience, Tooling, Insights,
  Automation, Partners, Europe, Asia, Americas, Pacific, Africa`);

/** Up to `count` different names: the first ones as they are, then again with a qualifier each. */
const unitNames = (names: readonly string[], count: number): string[] =>
  [...names, ...qualifiers.flatMap((qualifier) => names.map((name) => `${name} ${qualifier}`))].slice(0, count);

/**
 * People at a scale of history: twenty times the history comes from three times the people, 5,000 at most. A scale below 1
 * has the same people, who do less.
 */
export function headcountAt(scale: number, headcountAtOne: number): number {
  if (!(scale > 0) || !Number.isFinite(scale)) throw new RangeError(`The scale must be above 0, not ${scale}`);
  // Fewer than 22 could not show a tree of managers, two teams and the people from outside.
  return Math.max(22, Math.round(headcountAtOne * Math.min(Math.max(1, scale) ** 0.41, 23)));
}

export function planTeams(departments: readonly Department[], headcount: number): Map<Department, string[]> {
  const count = Math.max(departments.length, Math.round(headcount / peoplePerUnit));
  const share = (index: number) => Math.floor((count + departments.length - 1 - index) / departments.length);
  return new Map(departments.map((department, index) => [department, unitNames(department.teams, share(index))]));
}

/** Managers always come before those who report to them. The first is the top. */
export function seatManagers({ random }: Drawing, teams: ReadonlyMap<Department, string[]>, headcount: number): Seat[] {
  const seats: Seat[] = [];
  const seat = (standing: ManagerRank, department: Department, manager: Seat | undefined, own: string[]): Seat => {
    // The first director owns the organisation too: one Owner alone could lock everybody out by leaving.
    const isFirst = !seats.some((other) => other.standing === standing);
    const owns = isFirst && (standing === 'top' || standing === 'director');
    const leads = standing === 'team-manager';
    seats.push({
      ...{ ...vacant, standing, accessRole: owns ? 'Owner' : 'Manager', department, manager },
      teams: leads ? own : [],
      managedTeams: owns ? [] : own,
      codes: standing === 'top' || (leads && random.chance(0.6)),
    });
    return seats.at(-1) as Seat;
  };
  const [first] = teams.keys();
  if (!first) throw new RangeError('An organisation needs a department');
  const top = seat('top', first, undefined, []);
  seat('people-partner', first, top, [...teams.values()].flat());
  for (const [department, own] of teams) {
    const director = headcount < headcountWithDirectors ? top : seat('director', department, top, own);
    for (let start = 0; start < own.length; start += teamsPerGroup) {
      const group = own.slice(start, start + teamsPerGroup);
      const above = own.length > teamsPerGroup ? seat('group-manager', department, director, group) : director;
      // One manager per team, except that the manager of the second team of a group also manages the third.
      const spans = [group.slice(0, 1), group.slice(1, 3), ...group.slice(3).map((team) => [team])];
      for (const span of spans) if (span.length > 0) seat('team-manager', department, above, span);
    }
  }
  return seats;
}

export function seatMembers({ profile, random }: Drawing, managers: readonly Seat[], count: number): Seat[] {
  const { shares, extraTeams } = profile;
  // Real teams are uneven: the largest has about three times the people of the smallest.
  const teams = managers
    .filter(({ standing }) => standing === 'team-manager')
    .flatMap((manager) => manager.teams.map((team) => ({ team, manager, weight: random.between(0.6, 1.8) })));
  const places = Array.from({ length: count }, (_, index) => index);
  const outsiders = new Set(random.sample(places, Math.max(2, Math.round(count * shares.outsiders))));
  const apart = new Set([...outsiders].slice(0, Math.ceil(outsiders.size / 2)));
  const employed = places.filter((place) => !outsiders.has(place));
  const leaving = random.share(employed, shares.leavers);
  const staying = employed.filter((place) => !leaving.has(place));
  const planning = random.share(staying, 0.12);
  const inGuild = new Set([...random.share(staying, 0.06), ...staying.slice(0, 2)]);
  const inTwoTeams = random.share(staying, 0.05);
  return places.map((place): Seat => {
    const { team, manager } = random.pickWeighted(teams, ({ weight }) => weight);
    const own = new Set([team]);
    if (inTwoTeams.has(place)) own.add(random.pick(teams).team);
    if (inGuild.has(place)) own.add(extraTeams.guild);
    return {
      standing: outsiders.has(place) ? 'outsider' : leaving.has(place) ? 'leaver' : 'member',
      teams: apart.has(place) ? [extraTeams.outside] : [...own],
      codes: !planning.has(place),
      ...{ ...vacant, accessRole: 'Engineer', department: manager.department, manager, managedTeams: [] },
    };
  });
}

/** Squads lie across the teams. Directors, or else the top, lead those at the top; members lead those below. */
export function drawSquads({ profile, random }: Drawing, seats: readonly Seat[]) {
  const { squads } = profile;
  const members = seats.filter(({ standing }) => standing === 'member');
  const crews = Math.max(2, Math.round(members.length / peoplePerUnit));
  const parents = squads.levels === 3 ? Math.ceil(crews / squadsPerParent) : 0;
  const names = unitNames(random.sample(squadNames, squadNames.length), crews + parents);
  const coders = members.filter(({ codes }) => codes);
  const leads = random.sample(coders, names.length);
  const directors = seats.filter(({ standing }) => standing === 'director');
  const heads = directors.length > 0 ? directors : seats.slice(0, 1);
  const top = squads.top.map((name, index) => ({ name, level: 1, parent: undefined, lead: repeated(heads, index) }));
  const below = names.map((name, index) => {
    const isUnderTop = parents === 0 || index < parents;
    const lead = repeated(leads, index);
    lead.accessRole = 'Squad Lead';
    lead.squads = [...lead.squads, name];
    const parent = repeated(isUnderTop ? squads.top : names.slice(0, parents), index);
    return { name, level: isUnderTop ? 2 : 3, parent, lead };
  });
  for (const seat of members) {
    if (seat.squads.length > 0 || !random.chance(0.85)) continue;
    seat.squads = random.sample(names.slice(parents), random.chance(0.05) ? 2 : 1);
  }
  return [...top, ...below];
}

const repeated = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

/** The day the demo directory was written down. A constant, so that the same seed gives the same people for ever. */
export const directoryDay = '2026-01-01';

/** Salaries of managers against that of the second engineer level, in the order of the management levels. */
const managementPay = [3.4, 2.6, 2.2, 1.75, 1.25];
/** How many people have each engineer level, from the most junior up. */
const levelWeights = [2, 5, 4, 2, 1];

export function drawNames({ profile, random }: Drawing, seats: readonly Seat[]): void {
  const members = seats.filter(({ standing, codes }) => standing === 'member' && codes);
  const castOf = new Map<Seat | undefined, CastMember>([[seats[0], profile.owner]]);
  for (const [index, member] of profile.cast.entries()) castOf.set(members[index], member);
  const taken = new Set([...castOf.values()].map(({ written }) => written));
  const homes = new Map<string | undefined, Office>();
  for (const seat of seats) {
    const drawn = random.pickWeighted(profile.offices, ({ weight }) => weight);
    const home = homes.get(seat.teams[0]) ?? drawn;
    homes.set(seat.teams[0], home);
    const cast = castOf.get(seat);
    const office = random.chance(0.7) && seat.teams.length > 0 ? home : drawn;
    seat.office = profile.offices.find(({ place }) => place === cast?.place) ?? office;
    seat.name = cast ?? drawName(random, random.pickKey(office.cultures), taken);
    taken.add(seat.name.written);
  }
  // Someone came from outside and was employed later: two entries in the directory, one person to be merged by hand.
  const employed = members.at(-1);
  const fromOutside = seats.find(({ standing }) => standing === 'outsider');
  if (employed && fromOutside) fromOutside.name = employed.name;
}

export function drawPerson(drawing: Drawing, seat: Seat): PersonRecord {
  const { random } = drawing;
  const { standing, manager, emails, logins, office, teams, squads, managedTeams } = seat;
  const [main_email] = emails;
  const [github_username] = [logins.github ?? []].flat();
  // Not every system that names a manager knows their current address.
  const manager_email = manager?.emails.at(random.chance(0.9) ? 0 : -1);
  const { role, level, pay } = drawJob(drawing, seat);
  const salary = Math.round((pay * (office?.pay ?? 1) * random.between(0.92, 1.12)) / 500) * 500;
  return {
    name: seat.name.written,
    ...(main_email !== undefined && { main_email, emails }),
    ...(Object.keys(logins).length > 0 && { logins }),
    ...(github_username !== undefined && { github_username }),
    role,
    ...(level !== undefined && { level }),
    location: office?.place ?? '',
    ...(manager_email !== undefined && { manager_email }),
    access_role: seat.accessRole,
    ...(salary > 0 && { salary }),
    // Only the person who manages salaries may see all of them: an Owner does not hold the permission.
    ...(salary > 0 && standing === 'people-partner' && { permissions: ['can-view-salaries'] }),
    onboarded: standing !== 'leaver' && standing !== 'outsider',
    created_date: drawJoiningDate(drawing, seat),
    ...(teams.length > 0 && { teams }),
    ...(squads.length > 0 && { squads }),
    ...(managedTeams.length > 0 && { managed_teams: managedTeams }),
  };
}

/** Pay is zero where the organisation shows no salaries. */
function drawJob({ profile, random }: Drawing, { standing, department, codes }: Seat) {
  const { managementLevels, managementTitles, engineerLevels, extraTeams, pay = 0 } = profile;
  if (standing === 'outsider') return { role: extraTeams.outsiderTitle, pay: 0 };
  const rank = (managerRanks as readonly string[]).indexOf(standing);
  if (rank >= 0) {
    const title = standing === 'director' ? department.director : managementTitles[Math.max(0, rank - 1)];
    return { role: title ?? '', level: managementLevels[rank], pay: pay * (managementPay[rank] ?? 0) };
  }
  const steps = Object.keys(engineerLevels);
  const level = random.pickWeighted(steps, (step) => levelWeights[steps.indexOf(step)] ?? 0);
  const role = `${engineerLevels[level]} ${random.pick(codes ? department.coding : department.planning)}`.trim();
  return { role, level, pay: pay * 1.36 ** (steps.indexOf(level) - 1) };
}

/** A first working day: a Monday from the founding up to the day the directory was written. */
function drawJoiningDate({ profile, random }: Drawing, { standing }: Seat): string {
  const { founded } = profile;
  if (standing === 'top') return founded;
  const first = dayNumber(founded);
  // Growing organisations hired most people lately; managers and leavers have been there for longer.
  const isRecent = standing === 'member' || standing === 'outsider';
  const shareOfAge = isRecent ? random.next() ** 2 : random.between(standing === 'leaver' ? 0.25 : 0.1, 1);
  const day = first + Math.floor((1 - shareOfAge) * (dayNumber(directoryDay) - first));
  // The first day of 1970 was a Thursday. Rounding down to a Monday stays inside, as the founding is one itself.
  return dayOfNumber(day - ((day + 3) % 7));
}
