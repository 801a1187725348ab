import { v5 } from 'uuid';
import type { PersonRecord, RepositoryRecord, SquadRecord, TeamRecord } from '../catalogue/directory-records.ts';
import { botRecords, TakenIdentities } from './identities.ts';
import { drawSquads, headcountAt, planTeams, seatManagers, seatMembers } from './org-chart.ts';
import type { OrganisationProfile } from './organisation-profile.ts';
import { drawPeople } from './people.ts';
import { harrowAndTide } from './profiles/harrow-and-tide.ts';
import { lanternfallStudios } from './profiles/lanternfall-studios.ts';
import { northwindPay } from './profiles/northwind-pay.ts';
import { openMeridian } from './profiles/open-meridian.ts';
import { pebblewise } from './profiles/pebblewise.ts';
import { publicRegisters } from './profiles/public-registers.ts';
import { drawRepositories } from './repositories.ts';
import { SeededRandom } from './seeded-random.ts';

export interface DemoOrganisation extends Pick<OrganisationProfile, 'slug' | 'name' | 'timeZone' | 'settings'> {
  readonly id: string;
  readonly profile: OrganisationProfile;
  /** Also one of the people. */
  readonly owner: PersonRecord;
  readonly people: readonly PersonRecord[];
  readonly teams: readonly TeamRecord[];
  readonly squads: readonly SquadRecord[];
  readonly repositories: readonly RepositoryRecord[];
}

export interface DemoOptions {
  readonly seed: string;
  /** How much history the organisations have; the headcount follows it slowly. */
  readonly scale: number;
}

/**
 * Six, because a benchmark needs five other organisations. For the same reason none of them opts out of it: with one
 * gone, the five that stay would have only four others each. The first is the one a newcomer is shown.
 */
const profiles = [northwindPay, lanternfallStudios, publicRegisters, pebblewise, harrowAndTide, openMeridian];
const organisationNamespace = '5d1f0c1e-6a53-4c55-9d35-8f5b3a0e7c21';

/** Six invented organisations and their people. The same options give the same organisations, on any day. */
export function demoOrganisations({ seed, scale }: DemoOptions): DemoOrganisation[] {
  return profiles.map((profile) => {
    const { slug, name, timeZone, settings, extraTeams, departments } = profile;
    const random = new SeededRandom(`${seed}/${slug}`);
    const headcount = headcountAt(scale, profile.headcount);
    const teamsOf = planTeams(departments, headcount);
    const managers = seatManagers(teamsOf, headcount, random);
    const seats = [...managers, ...seatMembers(profile, managers, headcount - managers.length, random)];
    const squadPlan = drawSquads(profile, seats, random);
    const taken = new TakenIdentities();
    const bots = botRecords(profile, taken);
    const people = drawPeople(profile, seats, taken, random);
    const [owner] = people.values();
    if (!owner) throw new RangeError(`${name} has nobody`);
    const ordinaryTeams = [...teamsOf].flatMap(([department, names]) =>
      names.map((team_name) => ({ team_name, department: department.name })),
    );
    const guild = { team_name: extraTeams.guild, department: null };
    const outside = { team_name: extraTeams.outside, department: departments[0]?.name ?? null };
    const squads = squadPlan.map(({ name: squad_name, level: squad_level, parent, lead }) => {
      const lead_email = people.get(lead)?.main_email ?? '';
      return { squad_name, squad_level, ...(parent !== undefined && { parent_squad: parent }), lead_email };
    });
    return {
      ...{ id: v5(`${seed}/${slug}`, organisationNamespace), slug, name, timeZone, settings, profile, owner, squads },
      people: [...people.values(), ...bots],
      teams: [...ordinaryTeams, guild, outside],
      repositories: drawRepositories(profile, [...teamsOf.values()].flat(), random),
    };
  });
}
