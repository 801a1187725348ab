import type { AccessRole } from '../catalogue/directory-records.ts';
import type { Blueprint, Department } from './blueprint.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { DepartmentPlan } from './team-plan.ts';

export type Standing =
  | 'top'
  | 'people-partner'
  | 'director'
  | 'group-manager'
  | 'team-manager'
  | 'member'
  | 'leaver'
  | 'outsider';

/** A place in the organisation before anybody sits in it. */
export interface Seat {
  readonly standing: Standing;
  readonly accessRole: AccessRole;
  readonly department: Department;
  readonly manager: Seat | undefined;
  readonly teams: readonly string[];
  readonly managedTeams: readonly string[];
  /** Whether whoever sits here writes code, and so has a login where code is kept. */
  readonly codes: boolean;
}

/** Below this everybody knows everybody, and the teams report to the top. */
const headcountWithDirectors = 40;
/** A director with more teams than this has managers of managers. */
const teamsPerGroup = 7;

/** The seats of an organisation, managers always before those who report to them. The first is the top. */
export function planSeats(
  blueprint: Blueprint,
  plan: readonly DepartmentPlan[],
  headcount: number,
  random: SeededRandom,
): readonly Seat[] {
  const management = planManagement(blueprint, plan, headcount, random);
  return [...management, ...planMembers(blueprint, management, headcount - management.length, random)];
}

function planManagement(
  blueprint: Blueprint,
  plan: readonly DepartmentPlan[],
  headcount: number,
  random: SeededRandom,
): readonly Seat[] {
  const department = blueprint.departments[0];
  const top: Seat = {
    standing: 'top',
    accessRole: 'Owner',
    department,
    manager: undefined,
    teams: [],
    managedTeams: [],
    codes: true,
  };
  const peoplePartner: Seat = {
    standing: 'people-partner',
    accessRole: 'Manager',
    department,
    manager: top,
    teams: [],
    managedTeams: plan.flatMap(({ teams }) => teams),
    codes: false,
  };
  const seats = [top, peoplePartner];
  for (const { department, teams } of plan) {
    const director = headcount < headcountWithDirectors ? top : seatDirector(department, teams, top, seats);
    for (const group of groupsOf(teams)) {
      const above = teams.length <= teamsPerGroup ? director : seatGroupManager(department, group, director, seats);
      for (const span of spansOf(group)) {
        seats.push({
          standing: 'team-manager',
          accessRole: 'Manager',
          department,
          manager: above,
          teams: span,
          managedTeams: span,
          codes: random.chance(0.6),
        });
      }
    }
  }
  return seats;
}

function seatDirector(department: Department, teams: readonly string[], top: Seat, seats: Seat[]): Seat {
  // The first director owns the organisation too: one Owner alone could lock everybody out by leaving.
  const owns = !seats.some(({ standing }) => standing === 'director');
  const director: Seat = {
    standing: 'director',
    accessRole: owns ? 'Owner' : 'Manager',
    department,
    manager: top,
    teams: [],
    managedTeams: owns ? [] : teams,
    codes: false,
  };
  seats.push(director);
  return director;
}

function seatGroupManager(department: Department, group: readonly string[], director: Seat, seats: Seat[]): Seat {
  const manager: Seat = {
    standing: 'group-manager',
    accessRole: 'Manager',
    department,
    manager: director,
    teams: [],
    managedTeams: group,
    codes: false,
  };
  seats.push(manager);
  return manager;
}

function groupsOf(teams: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (let start = 0; start < teams.length; start += teamsPerGroup) {
    groups.push(teams.slice(start, start + teamsPerGroup));
  }
  return groups;
}

/** One manager per team, except that whoever manages the second team of a group manages the third as well. */
function spansOf(group: readonly string[]): readonly (readonly string[])[] {
  const [first = [], second = [], ...rest] = group.map((team) => [team]);
  const [third = [], ...others] = rest;
  return [first, [...second, ...third], ...others].filter((span) => span.length > 0);
}

function planMembers(
  blueprint: Blueprint,
  management: readonly Seat[],
  count: number,
  random: SeededRandom,
): readonly Seat[] {
  const { habits } = blueprint;
  const managers = management.filter(({ standing }) => standing === 'team-manager');
  // Real teams are uneven: the largest has about three times the people of the smallest.
  const teams = managers.flatMap((manager) =>
    manager.teams.map((team) => ({ team, manager, pull: random.between(0.6, 1.8) })),
  );
  const places = Array.from({ length: count }, (_, index) => index);
  const outsiders = random.sample(places, Math.max(2, Math.round(count * habits.outsiders)));
  const outside = new Set(outsiders);
  const apart = new Set(outsiders.slice(0, Math.ceil(outsiders.length / 2)));
  const leaving = random.share(
    places.filter((place) => !outside.has(place)),
    habits.leavers,
  );
  const staying = places.filter((place) => !outside.has(place) && !leaving.has(place));
  const planning = random.share(staying, 0.12);
  const inGuild = new Set([...random.share(staying, 0.06), ...staying.slice(0, 2)]);
  const inTwoTeams = random.share(staying, 0.05);

  return places.map((place): Seat => {
    const { team, manager } = random.pickWeighted(teams, ({ pull }) => pull);
    const { department } = manager;
    const common = { accessRole: 'Engineer', department, manager, managedTeams: [] } as const;
    if (outside.has(place)) {
      return { ...common, standing: 'outsider', teams: [apart.has(place) ? blueprint.outsideTeam : team], codes: true };
    }
    if (leaving.has(place)) return { ...common, standing: 'leaver', teams: [team], codes: true };
    const second = inTwoTeams.has(place) ? [random.pick(teams).team] : [];
    const guild = inGuild.has(place) ? [blueprint.guild] : [];
    return {
      ...common,
      standing: 'member',
      teams: [...new Set([team, ...second, ...guild])],
      codes: !planning.has(place),
    };
  });
}
