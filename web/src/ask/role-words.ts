import type { AccessRole } from '../../../src/catalogue/directory-records.ts';

/**
 * What each role sees and does, in the words of the pages, from the role that may do most to the one that may do least.
 */
export const roleMeanings = {
  Owner: 'sees everything and changes people, teams, keys, connections and settings',
  Manager: 'sees the work of everyone',
  'Squad Lead': 'sees the work of the squads they lead and of the squads below them',
  Engineer: 'sees their own work, and names and teams of everyone',
} satisfies Readonly<Record<AccessRole, string>>;

/** What a role sees under the organisation's present settings. */
export function roleMeaning(role: string, { team_restrictions }: { readonly team_restrictions: boolean }): string {
  if (role === 'Manager' && team_restrictions) return 'sees the work of their teams and of those who report to them';
  return (roleMeanings as Readonly<Record<string, string>>)[role] ?? '';
}
