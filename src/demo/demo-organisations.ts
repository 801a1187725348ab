import { v5 } from 'uuid';
import { deploymentSources } from '../catalogue/directory-records.ts';
import {
  harrowAndTide,
  lanternfallStudios,
  northwindPay,
  openMeridian,
  pebblewise,
  publicRegisters,
} from './demo-profiles.ts';
import { botRecords, drawIdentities, TakenIdentities } from './identities.ts';
import {
  type Drawing,
  drawNames,
  drawPerson,
  drawSquads,
  headcountAt,
  planTeams,
  seatManagers,
  seatMembers,
} from './org-chart.ts';
import type { DemoHost } from './organisation-profile.ts';
import { list } from './organisation-profile.ts';
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

const idOf = (seed: string, slug: string): string => v5(`${seed}/${slug}`, organisationNamespace);

/** The ids of the six, without drawing what is in them: a start that finds them there need not wait for that. */
export const demoOrganisationIds = ({ seed }: Pick<DemoOptions, 'seed'>): string[] =>
  profiles.map(({ slug }) => idOf(seed, slug));

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
      ...{ id: idOf(seed, slug), slug, name, timeZone, settings, profile, owner, squads },
      people: [...people, ...bots],
      teams: [...ordinaryTeams, guild, outside],
      repositories: drawRepositories(drawing, [...teamsOf.values()].flat()),
    };
  });
}

const parts = ['api', 'web', 'jobs', 'infra'];

/** How the repositories of teams deploy, in turn: source + workflows. Without a source the first available is used. */
const deployments: Readonly<Record<DemoHost, string>> = {
  github: `workflow_run+Deploy to production, github_release, workflow_run+Deploy to production+Hotfix, merge_to_default, `,
  gitlab: 'workflow_run+deploy:production, merge_to_default, ',
  bitbucket: 'bitbucket_deployment, merge_to_default, bitbucket_deployment, ',
};

/** The repositories everybody knows, and one or two of each team, named after it. */
function drawRepositories({ profile, random }: Drawing, teams: readonly string[]) {
  const { slug, repositories, codeHosts } = profile;
  const ways = list(deployments[codeHosts[0]]).map((way) => way.split('+'));
  const ofTeams = teams.flatMap((team) =>
    random.sample(parts, random.integer(1, 2)).map((part) => `${kebab(team)}-${part}`),
  );
  return [
    ...repositories,
    ...ofTeams.map((name, index) => {
      const branches = random.chance(0.06) ? 'develop > main' : random.chance(0.8) ? 'main' : 'master';
      const way = ways[(index + Math.floor(index / ways.length)) % ways.length] ?? [];
      return [name, branches, ...(random.chance(0.05) ? ['inactive'] : way)] as const;
    }),
  ].map(([name, branches, source, ...workflows]) => {
    const [branch, production] = branches.split(' > ');
    const deployment_source = deploymentSources.find((known) => known === source);
    return {
      repository: `${slug}/${name}`,
      default_branch: branch ?? 'main',
      ...(production !== undefined && { production_branch: production }),
      ...(deployment_source !== undefined && { deployment_source }),
      ...(workflows.length > 0 && { deploy_workflows: workflows }),
      is_active: source !== 'inactive',
    };
  });
}

export const kebab = (team: string): string => team.toLowerCase().replace(/[^a-z0-9]+/g, '-');
