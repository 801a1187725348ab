import type { RuleFilters } from './alert-document.ts';

/** The filters that pages have in their addresses, by their names there. */
const pageFilterNames: Readonly<Record<string, string>> = {
  team: 'team',
  team_ids: 'team',
  repositories: 'repo',
  member: 'person',
  departments: 'dept',
  squad_ids: 'squad',
};

/** The filters of a question as the address of a page has them. Those that no page has are left out. */
export function pageFiltersOf(filters: RuleFilters): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, written] of Object.entries(filters)) {
    const key = pageFilterNames[name];
    const values = [written].flat().filter((value) => typeof value === 'string');
    // The address separates values by commas, and writes those within a value otherwise.
    if (key !== undefined && values.length > 0)
      search.set(key, values.map((value) => value.replaceAll('~', '~t').replaceAll(',', '~c')).join(','));
  }
  return search;
}
