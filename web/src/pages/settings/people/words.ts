import type { ListedPerson } from '../../../ask/people-answers.ts';
import { accessRoles } from '../../../ask/people-answers.ts';
import { counted } from '../../../view/format.ts';

export const peopleWords = {
  rolesAndPermissions: 'Roles and permissions',
  rolesAndPermissionsOwnersOnly: 'Roles and permissions are',
  changeRole: 'Change a role',
  whose: 'Whose',
  peopleWithMore: 'People with more than their own work',
  listPeople: 'The list of people',
  peopleWhoNotEngineers: 'People who are not Engineers, by role',
  name: 'Name',
  role: 'Role',
  teams: 'Teams',
  address: 'Address',
  noneCannotSign: 'none: cannot sign in',
  whatEachRoleMeans: 'What each role means',
  canViewSalaries: 'Can view salaries',
  permissionBesideRoleSalaries:
    'an extra permission: salaries of people whose work they see, if the organisation shows salaries',
} as const;

/** `2 Owners, 14 Managers, 1 Squad Lead. 203 others are Engineers.` */
export function rolesSentence(people: readonly ListedPerson[]): string {
  const countOf = (role: string) => people.filter(({ access_role }) => access_role === role).length;
  const more = accessRoles
    .filter((role) => role !== 'Engineer' && countOf(role) > 0)
    .map((role) => counted(countOf(role), role, `${role}s`));
  const others = countOf('Engineer');
  return `${more.join(', ')}. ${others === 1 ? '1 other is an Engineer' : `${others} others are Engineers`}.`;
}
