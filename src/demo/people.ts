import { dayNumber, dayOfNumber } from '../calendar.ts';
import type { PersonRecord } from '../catalogue/directory-records.ts';
import { drawName } from './names/names.ts';
import { type Drawing, managerRanks, type Seat } from './org-chart.ts';
import type { CastMember, Office } from './organisation-profile.ts';

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
    // Only the person who keeps the salaries may see all of them: an Owner does not hold the permission.
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
