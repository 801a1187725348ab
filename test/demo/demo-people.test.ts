import { describe, expect, test } from 'vitest';
import type { PersonRecord } from '../../src/catalogue/directory-records.ts';
import { type DemoOrganisation, demoOrganisations } from '../../src/demo/demo-organisations.ts';
import { directoryDay } from '../../src/demo/org-chart.ts';
import { times } from '../setup/how-long.ts';

const seeds = ['plumb', 'a', 'b', 'c', 'd', 'e', 'f', 'g'].slice(0, times(3, 8));
const organisations = [
  ...seeds.flatMap((seed) => demoOrganisations({ seed, scale: 1 })),
  ...demoOrganisations({ seed: 'plumb', scale: 100 }),
  ...demoOrganisations({ seed: 'plumb', scale: 0.01 }),
];
const humans = ({ people }: DemoOrganisation) => people.filter(({ is_bot }) => !is_bot);

function byEmail(people: readonly PersonRecord[]): ReadonlyMap<string, PersonRecord> {
  return new Map(
    people.flatMap((person) => (person.emails ?? []).map((email) => [email.toLowerCase(), person] as const)),
  );
}

/** From a person up to the top, themselves first. Throws where the way does not end. */
function lineOf(person: PersonRecord, known: ReadonlyMap<string, PersonRecord>): readonly PersonRecord[] {
  const line = [person];
  for (let at = person; at.manager_email != null; ) {
    const manager = known.get(at.manager_email.toLowerCase());
    if (!manager) throw new Error(`Nobody has the address ${at.manager_email}`);
    if (line.includes(manager)) throw new Error(`${manager.name} manages themselves`);
    line.push(manager);
    at = manager;
  }
  return line;
}

describe('the managers of a demo organisation', () => {
  test('The managers of a demo organisation form one tree whose top is the owner', () => {
    for (const organisation of organisations) {
      const known = byEmail(organisation.people);
      for (const person of humans(organisation)) expect(lineOf(person, known).at(-1)).toBe(organisation.owner);
      expect(humans(organisation).filter(({ manager_email }) => manager_email == null)).toEqual([organisation.owner]);
    }
  });

  test('The managers of a demo organisation stand on several levels, more of them in larger organisations', () => {
    for (const organisation of organisations) {
      const known = byEmail(organisation.people);
      const depth = Math.max(...humans(organisation).map((person) => lineOf(person, known).length));
      expect(depth).toBeGreaterThanOrEqual(
        organisation.people.length > 1000 ? 5 : organisation.people.length > 50 ? 4 : 3,
      );
    }
  });

  test('The managers of a demo organisation are onboarded and not from outside', () => {
    for (const { people } of organisations) {
      const known = byEmail(people);
      for (const { manager_email } of people) {
        if (manager_email != null) expect(known.get(manager_email.toLowerCase())?.onboarded).toBe(true);
      }
    }
  });

  test('The managers of a demo organisation are sometimes named by an address that is not their main one', () => {
    const odd = organisations.flatMap(({ people }) => {
      const known = byEmail(people);
      return people.filter(({ manager_email }) => {
        const manager = known.get(manager_email?.toLowerCase() ?? '');
        return manager && manager.main_email !== manager_email;
      });
    });
    expect(odd.length).toBeGreaterThan(0);
  });
});

describe('the people of a demo organisation', () => {
  test('The people of a demo organisation contain its owner, onboarded and with an address', () => {
    for (const { people, owner } of organisations) {
      expect(people.filter((person) => person === owner)).toHaveLength(1);
      expect(owner).toMatchObject({ access_role: 'Owner', onboarded: true });
      expect(owner.main_email).toMatch(/^[a-z.-]+@[a-z-]+\.example$/);
    }
  });

  test('The people of a demo organisation have every access role, and two Owners where there are directors', () => {
    for (const { people } of organisations) {
      const roles = people.map(({ access_role }) => access_role);
      for (const role of ['Owner', 'Manager', 'Squad Lead', 'Engineer']) expect(roles).toContain(role);
      expect(roles.filter((role) => role === 'Owner')).toHaveLength(people.length > 50 ? 2 : 1);
    }
  });

  test('The people of a demo organisation have managers with teams assigned, all of them known teams, and nobody else has any', () => {
    for (const { people, teams } of organisations) {
      const known = new Set(teams.map(({ team_name }) => team_name));
      for (const { access_role, managed_teams } of people) {
        expect((managed_teams?.length ?? 0) > 0).toBe(access_role === 'Manager');
        for (const team of managed_teams ?? []) expect(known.has(team)).toBe(true);
      }
    }
  });

  test('The people of a demo organisation include people in two teams', () => {
    for (const { people } of organisations) expect(people.some(({ teams }) => (teams?.length ?? 0) > 1)).toBe(true);
  });

  test('The people of a demo organisation include leavers in ordinary teams and people from outside, neither onboarded', () => {
    for (const organisation of organisations) {
      const outsideTeam = organisation.teams.at(-1)?.team_name ?? '';
      const gone = humans(organisation).filter(({ onboarded }) => !onboarded);
      expect(gone.some(({ teams }) => teams?.includes(outsideTeam))).toBe(true);
      expect(gone.some(({ teams, level }) => !teams?.includes(outsideTeam) && level !== undefined)).toBe(true);
      expect(gone.length).toBeLessThan(humans(organisation).length / 3);
    }
  });

  test('The people of a demo organisation have a job title and a place of work, and a level unless they are from outside', () => {
    for (const organisation of organisations) {
      for (const { role, location, level, onboarded } of humans(organisation)) {
        expect(role).toBeTruthy();
        expect(location).toBeTruthy();
        if (onboarded) expect(level).toBeTruthy();
      }
      expect(new Set(humans(organisation).map(({ level }) => level)).size).toBeGreaterThan(3);
      expect(new Set(humans(organisation).map(({ location }) => location)).size).toBeGreaterThan(1);
    }
  });

  test('The people of a demo organisation have salaries where the organisation shows them, and one person who may look at all', () => {
    for (const organisation of organisations) {
      const shows = organisation.settings.salary_visibility;
      const permitted = organisation.people.filter(({ permissions }) => permissions?.includes('can-view-salaries'));
      expect(permitted).toHaveLength(shows ? 1 : 0);
      for (const { salary, onboarded } of humans(organisation)) {
        if (shows && onboarded) expect(salary).toBeGreaterThan(10_000);
        if (!shows) expect(salary).toBeUndefined();
      }
    }
  });

  test('The people of a demo organisation joined over years, on Mondays, and never after the day the directory was written', () => {
    for (const organisation of organisations) {
      const dates = humans(organisation).map(({ created_date }) => created_date ?? '');
      for (const date of dates) {
        expect(new Date(date).getUTCDay()).toBe(1);
        expect(date <= directoryDay).toBe(true);
        expect(date >= (organisation.owner.created_date ?? '')).toBe(true);
      }
      expect(new Set(dates.map((date) => date.slice(0, 4))).size).toBeGreaterThan(3);
    }
  });

  test('The people of a demo organisation include bots, marked as such, never onboarded and without a manager', () => {
    for (const { people, repositories } of organisations) {
      const bots = people.filter(({ is_bot }) => is_bot);
      for (const bot of bots) expect(bot).toMatchObject({ onboarded: false, created_date: expect.any(String) });
      for (const { manager_email, teams } of bots) expect([manager_email, teams]).toEqual([undefined, undefined]);
      const owner = repositories[0]?.repository?.split('/')[0];
      const logins = bots.flatMap(({ logins }) => Object.values(logins ?? {}));
      expect(logins).toContain(`${owner}-ci`);
    }
    const logins = organisations.flatMap(({ people }) => people.map(({ github_username }) => github_username));
    expect(logins).toContain('dependabot[bot]');
    expect(logins).toContain('renovate[bot]');
  });
});
