import { v5 } from 'uuid';
import type { PersonRecord, RepositoryRecord, SquadRecord, TeamRecord } from '../catalogue/directory-records.ts';
import type { Blueprint, Settings } from './blueprint.ts';
import { blueprints } from './blueprints/blueprints.ts';
import { botRecords } from './bots.ts';
import { headcountAt } from './headcount.ts';
import { drawIdentities } from './identities.ts';
import { type SeatedPerson, seatPeople } from './people.ts';
import { drawPersonas } from './personas.ts';
import { repositoryRecords } from './repositories.ts';
import { planSeats } from './seats.ts';
import { SeededRandom } from './seeded-random.ts';
import { planSquads, type SquadPlan } from './squad-plan.ts';
import { TakenIdentities } from './taken-identities.ts';
import { planTeams, teamRecords } from './team-plan.ts';

export interface DemoOrganisation {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly timeZone: string;
  readonly settings: Settings;
  /** Also one of the people. */
  readonly owner: PersonRecord;
  readonly people: readonly PersonRecord[];
  readonly teams: readonly TeamRecord[];
  readonly squads: readonly SquadRecord[];
  readonly repositories: readonly RepositoryRecord[];
}

export interface DemoOptions {
  readonly seed: string;
  /** How much history the organisations are to have; the head count follows it slowly. */
  readonly scale: number;
}

const organisationNamespace = '5d1f0c1e-6a53-4c55-9d35-8f5b3a0e7c21';

/** Six invented organisations and their people. The same options give the same organisations, on any day. */
export function demoOrganisations({ seed, scale }: DemoOptions): DemoOrganisation[] {
  return blueprints.map((blueprint) => demoOrganisation(blueprint, seed, scale));
}

function demoOrganisation(blueprint: Blueprint, seed: string, scale: number): DemoOrganisation {
  const { slug, name, timeZone, settings } = blueprint;
  // A stream of its own for each organisation and each concern: editing one leaves all others as they were.
  const stream = `${seed}/${slug}`;
  const random = new SeededRandom(stream);
  const headcount = headcountAt(scale, blueprint.headcount);
  const teamPlan = planTeams(blueprint, headcount);
  const seats = planSeats(blueprint, teamPlan, headcount, random.fork('seats'));
  const squadPlan = planSquads(blueprint, seats, random.fork('squads'));
  const personas = drawPersonas(blueprint, seats, random.fork('personas'));
  const taken = new TakenIdentities();
  const bots = botRecords(blueprint, taken);
  const leads = new Set(squadPlan.squads.map(({ lead }) => lead));
  const identities = drawIdentities(blueprint, personas, leads, taken, random.fork('identities'));
  const seated = seatPeople(blueprint, personas, identities, squadPlan, random.fork('people'));
  const owner = seated.find(({ seat }) => seat.standing === 'top');
  if (!owner) throw new Error(`${name} has nobody at its top`);
  return {
    id: v5(stream, organisationNamespace),
    slug,
    name,
    timeZone,
    settings,
    owner: owner.record,
    people: [...seated.map(({ record }) => record), ...bots],
    teams: teamRecords(blueprint, teamPlan),
    squads: squadRecords(squadPlan, seated),
    repositories: repositoryRecords(blueprint, teamPlan, random.fork('repositories')),
  };
}

function squadRecords({ squads }: SquadPlan, seated: readonly SeatedPerson[]): SquadRecord[] {
  const emailOf = new Map(seated.map(({ seat, record }) => [seat, record.main_email]));
  return squads.map(({ name, level, parent, lead }) => {
    const leadEmail = emailOf.get(lead);
    return {
      squad_name: name,
      squad_level: level,
      ...(parent !== undefined && { parent_squad: parent }),
      ...(leadEmail != null && { lead_email: leadEmail }),
    };
  });
}
