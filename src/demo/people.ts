import { dayNumber, dayOfNumber } from '../calendar.ts';
import type { PersonRecord } from '../catalogue/directory-records.ts';
import { drawIdentities, type TakenIdentities } from './identities.ts';
import { drawName, type Name } from './names/names.ts';
import { managerRanks, type Seat } from './org-chart.ts';
import type { CastMember, Office, OrganisationProfile } from './organisation-profile.ts';
import type { SeededRandom } from './seeded-random.ts';

/** The day the demo directory was written down. A constant, so that the same seed gives the same people for ever. */
export const directoryDay = '2026-01-01';

/** Salaries of managers against that of the second engineer level, in the order of the management levels. */
const managementPay = [3.4, 2.6, 2.2, 1.75, 1.25];
/** How many people have each engineer level, from the most junior up. */
const levelWeights = [2, 5, 4, 2, 1];

/** Who holds a seat, and where. */
interface Persona {
  readonly name: Name;
  readonly office: Office;
}

export function drawPeople(
  profile: OrganisationProfile,
  seats: readonly Seat[],
  taken: TakenIdentities,
  random: SeededRandom,
): ReadonlyMap<Seat, PersonRecord> {
  const personas = drawPersonas(profile, seats, random);
  const names = new Map([...personas].map(([seat, { name }]) => [seat, name]));
  const identities = drawIdentities(profile, names, taken, random);
  const people = new Map<Seat, PersonRecord>();
  for (const [seat, { name, office }] of personas) {
    const { emails = [], logins = {} } = identities.get(seat) ?? {};
    const [mainEmail] = emails;
    const [githubUsername] = [logins.github ?? []].flat();
    const managerEmails = (seat.manager && identities.get(seat.manager)?.emails) ?? [];
    // Not every system that names a manager knows their current address.
    const managerEmail = random.chance(0.9) ? managerEmails[0] : managerEmails.at(-1);
    const { title, level, pay } = drawJob(profile, seat, random);
    const salary = Math.round((pay * (office.pay ?? 1) * random.between(0.92, 1.12)) / 500) * 500;
    people.set(seat, {
      name: name.written,
      ...(mainEmail !== undefined && { main_email: mainEmail, emails }),
      ...(Object.keys(logins).length > 0 && { logins }),
      ...(githubUsername !== undefined && { github_username: githubUsername }),
      ...(title !== undefined && { role: title }),
      ...(level !== undefined && { level }),
      location: office.place,
      ...(managerEmail !== undefined && { manager_email: managerEmail }),
      access_role: seat.accessRole,
      ...(salary > 0 && { salary }),
      // Only whoever keeps the salaries may see all of them: an Owner does not hold the permission.
      ...(salary > 0 && seat.standing === 'people-partner' && { permissions: ['can-view-salaries'] }),
      onboarded: seat.standing !== 'leaver' && seat.standing !== 'outsider',
      created_date: drawJoiningDate(profile.founded, seat, random),
      ...(seat.teams.length > 0 && { teams: seat.teams }),
      ...(seat.squads.length > 0 && { squads: seat.squads }),
      ...(seat.managedTeams.length > 0 && { managed_teams: seat.managedTeams }),
    });
  }
  return people;
}

function drawPersonas(profile: OrganisationProfile, seats: readonly Seat[], random: SeededRandom): Map<Seat, Persona> {
  const members = seats.filter(({ standing, codes }) => standing === 'member' && codes);
  const castOf = new Map<Seat | undefined, CastMember>([[seats[0], profile.owner]]);
  for (const [index, member] of profile.cast.entries()) castOf.set(members[index], member);
  const taken = new Set([...castOf.values()].map(({ written }) => written));
  const homes = new Map<string | undefined, Office>();
  const personas = new Map<Seat, Persona>();
  for (const seat of seats) {
    const drawn = random.pickWeighted(profile.offices, ({ weight }) => weight);
    const cast = castOf.get(seat);
    if (cast) {
      personas.set(seat, { name: cast, office: profile.offices.find(({ place }) => place === cast.place) ?? drawn });
      continue;
    }
    // Most of a team works in one place.
    const [team] = seat.teams;
    const home = homes.get(team) ?? drawn;
    if (team !== undefined) homes.set(team, home);
    const office = random.chance(0.7) ? home : drawn;
    const name = drawName(random, random.pickKey(office.cultures), taken);
    taken.add(name.written);
    personas.set(seat, { name, office });
  }
  // Someone came from outside and was employed later: two entries in the directory, one person to be merged by hand.
  const employed = members.at(-1);
  const cameFromOutside = seats.find(({ standing }) => standing === 'outsider');
  const persona = employed && personas.get(employed);
  if (persona && cameFromOutside) personas.set(cameFromOutside, persona);
  return personas;
}

/** Pay is zero where the organisation shows no salaries. */
function drawJob(profile: OrganisationProfile, { standing, department, codes }: Seat, random: SeededRandom) {
  const { managementLevels, managementTitles, engineerLevels, extraTeams, pay = 0 } = profile;
  if (standing === 'outsider') return { title: extraTeams.outsiderTitle, pay: 0 };
  const rank = (managerRanks as readonly string[]).indexOf(standing);
  if (rank >= 0) {
    const title = standing === 'director' ? department.director : managementTitles[Math.max(0, rank - 1)];
    return { title, level: managementLevels[rank], pay: pay * (managementPay[rank] ?? 0) };
  }
  const steps = Object.keys(engineerLevels);
  const level = random.pickWeighted(steps, (step) => levelWeights[steps.indexOf(step)] ?? 0);
  const title = `${engineerLevels[level]} ${random.pick(codes ? department.coding : department.planning)}`.trim();
  return { title, level, pay: pay * 1.36 ** (steps.indexOf(level) - 1) };
}

/** A first working day: a Monday from the founding up to the day the directory was written. */
function drawJoiningDate(founded: string, { standing }: Seat, random: SeededRandom): string {
  if (standing === 'top') return founded;
  const first = dayNumber(founded);
  // Growing organisations hired most people lately; managers and leavers have been there for longer.
  const isRecent = standing === 'member' || standing === 'outsider';
  const shareOfAge = isRecent ? random.next() ** 2 : random.between(standing === 'leaver' ? 0.25 : 0.1, 1);
  const day = first + Math.floor((1 - shareOfAge) * (dayNumber(directoryDay) - first));
  // The first day of 1970 was a Thursday. Rounding down to a Monday stays inside, as the founding is one itself.
  return dayOfNumber(day - ((day + 3) % 7));
}
