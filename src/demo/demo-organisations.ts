import { v5 } from 'uuid';
import { botRecords, drawIdentities, TakenIdentities } from './identities.ts';
import { drawSquads, headcountAt, planTeams, seatManagers, seatMembers } from './org-chart.ts';
import { drawNames, drawPerson } from './people.ts';
import { harrowAndTide } from './profiles/harrow-and-tide.ts';
import { lanternfallStudios } from './profiles/lanternfall-studios.ts';
import { northwindPay } from './profiles/northwind-pay.ts';
import { openMeridian } from './profiles/open-meridian.ts';
import { pebblewise } from './profiles/pebblewise.ts';
import { publicRegisters } from './profiles/public-registers.ts';
import { drawRepositories } from './repositories.ts';
import { SeededRandom } from './seeded-random.ts';

/** A demo organisation: its settings, its records by table, and its owner, who is also one of the people. */
export type DemoOrganisation = ReturnType<typeof demoOrganisations>[number];

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
export function demoOrganisations({ seed, scale }: DemoOptions) {
  return profiles.map((profile) => {
    const { slug, name, timeZone, settings, extraTeams, departments } = profile;
    const drawing = { profile, random: new SeededRandom(`${seed}/${slug}`) };
    const headcount = headcountAt(scale, profile.headcount);
    const teamsOf = planTeams(departments, headcount);
    const managers = seatManagers(drawing, teamsOf, headcount);
    const seats = [...managers, ...seatMembers(drawing, managers, headcount - managers.length)];
    const squadPlan = drawSquads(drawing, seats);
    drawNames(drawing, seats);
    const taken = new TakenIdentities();
    const bots = botRecords(profile, taken);
    drawIdentities(drawing, seats, taken);
    const people = seats.map((seat) => drawPerson(drawing, seat));
    const [owner] = people;
    if (!owner) throw new RangeError(`${name} has nobody`);
    const ordinaryTeams = [...teamsOf].flatMap(([department, names]) =>
      names.map((team_name) => ({ team_name, department: department.name })),
    );
    const guild = { team_name: extraTeams.guild, department: null };
    const outside = { team_name: extraTeams.outside, department: departments[0]?.name ?? null };
    const squads = squadPlan.map(({ name: squad_name, level: squad_level, parent, lead }) => {
      const lead_email = lead.emails[0] ?? '';
      return { squad_name, squad_level, ...(parent !== undefined && { parent_squad: parent }), lead_email };
    });
    return {
      ...{ id: v5(`${seed}/${slug}`, organisationNamespace), slug, name, timeZone, settings, profile, owner, squads },
      people: [...people, ...bots],
      teams: [...ordinaryTeams, guild, outside],
      repositories: drawRepositories(drawing, [...teamsOf.values()].flat()),
    };
  });
}
