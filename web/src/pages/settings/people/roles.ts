import { accessRoles, type ListedPerson } from '../../../ask/people-answers.ts';

/** People who see or may do more than an Engineer, by role and then by name. */
export function withMoreThanOwnWork(people: readonly ListedPerson[]): readonly ListedPerson[] {
  return accessRoles
    .filter((role) => role !== 'Engineer')
    .flatMap((role) => people.filter(({ access_role }) => access_role === role));
}
