import { accessRoles, type ListedPerson } from '../../../ask/people-answers.ts';
import { counted } from '../../../view/format.ts';

/** People who see or may do more than an Engineer, by role and then by name. */
export function withMoreThanOwnWork(people: readonly ListedPerson[]): readonly ListedPerson[] {
  return accessRoles
    .filter((role) => role !== 'Engineer')
    .flatMap((role) => people.filter(({ access_role }) => access_role === role));
}

/** `2 Owners, 14 Managers, 1 Squad Lead. 203 others are Engineers.` */
export function rolesSentence(people: readonly ListedPerson[]): string {
  const countOf = (role: string) => people.filter(({ access_role }) => access_role === role).length;
  const more = accessRoles
    .filter((role) => role !== 'Engineer' && countOf(role) > 0)
    .map((role) => counted(countOf(role), role, `${role}s`));
  const others = countOf('Engineer');
  return `${more.join(', ')}. ${others === 1 ? '1 other is an Engineer' : `${others} others are Engineers`}.`;
}
