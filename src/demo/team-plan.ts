import type { TeamRecord } from '../catalogue/directory-records.ts';
import type { Blueprint, Department } from './blueprint.ts';
import { unitNames } from './unit-names.ts';

export interface DepartmentPlan {
  readonly department: Department;
  readonly teams: readonly string[];
}

const peoplePerTeam = 10;

/** The ordinary teams, spread evenly over the departments. */
export function planTeams(blueprint: Blueprint, headcount: number): readonly DepartmentPlan[] {
  const { departments } = blueprint;
  const teams = Math.max(departments.length, Math.round(headcount / peoplePerTeam));
  return departments.map((department, index) => {
    const own = Math.floor(teams / departments.length) + (index < teams % departments.length ? 1 : 0);
    return { department, teams: unitNames(department.teams, own) };
  });
}

export function teamRecords(blueprint: Blueprint, plan: readonly DepartmentPlan[]): TeamRecord[] {
  return [
    ...plan.flatMap(({ department, teams }) => teams.map((team) => ({ team_name: team, department: department.name }))),
    { team_name: blueprint.guild, department: null },
    { team_name: blueprint.outsideTeam, department: blueprint.departments[0].name },
  ];
}
