import { describe, expect, test } from 'vitest';
import { deploymentSources } from '../../src/catalogue/directory-records.ts';
import { demoOrganisations } from '../../src/demo/demo-organisations.ts';
import { times } from '../setup/how-long.ts';

const seeds = ['plumb', 'a', 'b', 'c', 'd', 'e', 'f', 'g'].slice(0, times(3, 8));
const organisations = [
  ...seeds.flatMap((seed) => demoOrganisations({ seed, scale: 1 })),
  ...demoOrganisations({ seed: 'plumb', scale: 2000 }),
];

const isUnique = (names: readonly (string | null | undefined)[]) =>
  new Set(names.map((name) => name?.toLowerCase())).size === names.length;

describe('the teams of a demo organisation', () => {
  test('The teams of a demo organisation have names of their own and several departments', () => {
    for (const { teams } of organisations) {
      expect(isUnique(teams.map(({ team_name }) => team_name))).toBe(true);
      expect(new Set(teams.map(({ department }) => department)).size).toBeGreaterThanOrEqual(3);
    }
  });

  test('The teams of a demo organisation include one without a department, which is said and not left out', () => {
    for (const { teams } of organisations)
      expect(teams.filter(({ department }) => department === null)).toHaveLength(1);
  });

  test('The teams of a demo organisation have onboarded members, except one that has only others', () => {
    for (const { teams, people } of organisations) {
      const membersOf = (team: string) => people.filter((person) => person.teams?.includes(team));
      const without = teams.filter(({ team_name }) => !membersOf(team_name ?? '').some(({ onboarded }) => onboarded));
      expect(without).toHaveLength(1);
      expect(membersOf(without[0]?.team_name ?? '').length).toBeGreaterThan(0);
    }
  });

  test('The teams of a demo organisation are all that people are in', () => {
    for (const { teams, people } of organisations) {
      const known = new Set(teams.map(({ team_name }) => team_name));
      for (const person of people) for (const team of person.teams ?? []) expect(known.has(team)).toBe(true);
    }
  });
});

describe('the squads of a demo organisation', () => {
  test('The squads of a demo organisation form a hierarchy of two or three levels, each below a squad one level up', () => {
    for (const { squads } of organisations) {
      expect(isUnique(squads.map(({ squad_name }) => squad_name))).toBe(true);
      const levels = new Map(squads.map(({ squad_name, squad_level }) => [squad_name, squad_level ?? 0]));
      for (const { squad_level, parent_squad } of squads) {
        const above = parent_squad == null ? 0 : levels.get(parent_squad);
        expect(above).toBe((squad_level ?? 0) - 1);
      }
      const deepest = Math.max(...levels.values());
      expect([2, 3]).toContain(deepest);
    }
    expect(
      new Set(organisations.map(({ squads }) => Math.max(...squads.map((squad) => squad.squad_level ?? 0)))).size,
    ).toBe(2);
  });

  test('The squads of a demo organisation are led by an onboarded person; below the top by a Squad Lead, who is in the squad', () => {
    for (const { squads, people } of organisations) {
      const leads = new Set<string>();
      for (const { squad_name, squad_level, lead_email } of squads) {
        const lead = people.find(({ main_email }) => main_email != null && main_email === lead_email);
        expect(lead?.onboarded).toBe(true);
        if (squad_level === 1) continue;
        expect(lead?.access_role).toBe('Squad Lead');
        expect(lead?.squads).toContain(squad_name);
        leads.add(lead_email ?? '');
      }
      const called = people.filter(({ access_role }) => access_role === 'Squad Lead');
      expect(new Set(called.map(({ main_email }) => main_email))).toEqual(leads);
    }
  });

  test('The squads of a demo organisation have members in every squad at the bottom, and are all that people are in', () => {
    for (const { squads, people } of organisations) {
      const joined = new Set(people.flatMap((person) => person.squads ?? []));
      const known = new Set(squads.map(({ squad_name }) => squad_name ?? ''));
      const parents = new Set(squads.map(({ parent_squad }) => parent_squad));
      for (const squad of joined) expect(known.has(squad)).toBe(true);
      for (const squad of known) if (!parents.has(squad)) expect(joined.has(squad), squad).toBe(true);
    }
  });
});

describe('the repositories of a demo organisation', () => {
  test('The repositories of a demo organisation have full names of their own and a default branch', () => {
    for (const { repositories } of organisations) {
      expect(isUnique(repositories.map(({ repository }) => repository))).toBe(true);
      for (const { repository, default_branch } of repositories) {
        expect(repository).toMatch(/^[a-z-]+\/[a-z0-9-]+$/);
        expect(default_branch).toBeTruthy();
      }
    }
  });

  test('The repositories of a demo organisation include one that is promoted from branch to branch, one that is inactive and one left to the default', () => {
    for (const { repositories } of organisations) {
      const promoted = repositories.filter(
        ({ default_branch, production_branch }) => default_branch === 'develop' && production_branch != null,
      );
      expect(promoted.length).toBeGreaterThan(0);
      expect(promoted.length).toBeLessThan(repositories.length / 2);
      expect(repositories.some(({ is_active }) => is_active === false)).toBe(true);
      expect(repositories.some(({ is_active, deployment_source }) => is_active && !deployment_source)).toBe(true);
    }
  });

  test('The repositories of a demo organisation deploy in every way there is, and name their workflows where workflows deploy', () => {
    const repositories = organisations.slice(0, 6).flatMap((organisation) => organisation.repositories);
    const used = new Set(repositories.flatMap(({ deployment_source }) => deployment_source ?? []));
    expect(used).toEqual(new Set(deploymentSources));
    for (const { deployment_source, deploy_workflows } of repositories) {
      expect((deploy_workflows?.length ?? 0) > 0).toBe(deployment_source === 'workflow_run');
    }
  });
});
