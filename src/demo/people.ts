import type { PersonRecord } from '../catalogue/directory-records.ts';
import type { Blueprint, Rung } from './blueprint.ts';
import { type Identity, mainLogin } from './identities.ts';
import { drawJoiningDate } from './joining-dates.ts';
import type { Persona } from './personas.ts';
import type { Seat } from './seats.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SquadPlan } from './squad-plan.ts';

/** A person of the demo, with the seat they were made for. */
export interface SeatedPerson {
  readonly seat: Seat;
  readonly record: PersonRecord;
}

export function seatPeople(
  blueprint: Blueprint,
  personas: ReadonlyMap<Seat, Persona>,
  identities: ReadonlyMap<Seat, Identity>,
  { squads, squadsOf }: SquadPlan,
  random: SeededRandom,
): SeatedPerson[] {
  const leads = new Set(squads.map(({ lead }) => lead));
  return [...personas].map(([seat, { name, office }]) => {
    const identity = identities.get(seat) ?? { emails: [], logins: {} };
    const [mainEmail] = identity.emails;
    const githubUsername = mainLogin(identity, 'github');
    const managerEmails = seat.manager ? (identities.get(seat.manager)?.emails ?? []) : [];
    const squadNames = squadsOf.get(seat) ?? [];
    const { title, rung } = drawJob(blueprint, seat, random);
    const record: PersonRecord = {
      name: name.written,
      ...(mainEmail !== undefined && { main_email: mainEmail, emails: identity.emails }),
      ...(Object.keys(identity.logins).length > 0 && { logins: identity.logins }),
      ...(githubUsername !== undefined && { github_username: githubUsername }),
      role: title,
      ...(rung && { level: rung.level }),
      location: office.place,
      ...(managerEmails.length > 0 && { manager_email: drawAddress(managerEmails, random) }),
      access_role: seat.accessRole === 'Engineer' && leads.has(seat) ? 'Squad Lead' : seat.accessRole,
      ...(blueprint.settings.salary_visibility && salaryFields(seat, rung, office.pay, random)),
      onboarded: seat.standing !== 'leaver' && seat.standing !== 'outsider',
      created_date: drawJoiningDate(blueprint.founded, seat.standing, random),
      ...(seat.teams.length > 0 && { teams: seat.teams }),
      ...(squadNames.length > 0 && { squads: squadNames }),
      ...(seat.managedTeams.length > 0 && { managed_teams: seat.managedTeams }),
    };
    return { seat, record };
  });
}

/** Not every system that names a manager has heard of their current address. */
function drawAddress(emails: readonly string[], random: SeededRandom): string {
  const [main] = emails;
  return main !== undefined && random.chance(0.9) ? main : random.pick(emails);
}

function drawJob(
  { owner, management, engineerRungs, outsiderTitle }: Blueprint,
  { standing, department, codes }: Seat,
  random: SeededRandom,
): { readonly title: string; readonly rung: Rung | undefined } {
  switch (standing) {
    case 'top':
      return { title: owner.title, rung: management.top };
    case 'director':
      return { title: department.director, rung: management.director };
    case 'group-manager':
      return { title: management.groupManager.title, rung: management.groupManager };
    case 'team-manager':
      return { title: management.teamManager.title, rung: management.teamManager };
    case 'people-partner':
      return { title: management.peoplePartner.title, rung: management.peoplePartner };
    case 'outsider':
      return { title: outsiderTitle, rung: undefined };
    case 'member':
    case 'leaver': {
      const rung = random.pickWeighted(engineerRungs, ({ weight }) => weight);
      const title = random.pick(codes ? department.coding : department.planning);
      return { title: rung.prefix === '' ? title : `${rung.prefix} ${title}`, rung };
    }
  }
}

/** Only whoever keeps the salaries may look at all of them: not even the owner holds the permission by being one. */
function salaryFields(
  { standing }: Seat,
  rung: Rung | undefined,
  officePay: number,
  random: SeededRandom,
): Pick<PersonRecord, 'salary' | 'permissions'> {
  const salary = rung && Math.round((rung.pay * officePay * random.between(0.92, 1.12)) / 500) * 500;
  return {
    ...(salary !== undefined && { salary }),
    ...(standing === 'people-partner' && { permissions: ['can-view-salaries'] }),
  };
}
