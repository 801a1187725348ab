import { pageFiltersWords } from './page-filter-words.ts';
import type { ViewFilters } from './view-state.ts';

/** A filter that every page has: its name in requests, and what people call its values. */
interface PageFilter {
  readonly request: 'team' | 'repositories' | 'member' | 'departments' | 'squad_ids';
  readonly one: string;
  readonly many: string;
  /** The button while it lets everything through. */
  readonly all: string;
}

/** In the order in which pages show them. */
export const pageFilters: Readonly<Record<keyof ViewFilters, PageFilter>> = {
  team: { request: 'team', one: 'team', many: 'teams', all: pageFiltersWords.allTeams },
  repository: {
    request: 'repositories',
    one: 'repository',
    many: 'repositories',
    all: pageFiltersWords.allRepositories,
  },
  person: { request: 'member', one: 'person', many: 'people', all: pageFiltersWords.everyone },
  department: { request: 'departments', one: 'department', many: 'departments', all: pageFiltersWords.allDepartments },
  squad: { request: 'squad_ids', one: 'squad', many: 'squads', all: pageFiltersWords.allSquads },
};

export const pageFilterNames = Object.keys(pageFilters) as (keyof ViewFilters)[];

/** The filter of pages behind a filter of requests, where there is one. */
export const pageFilterOf = (request: string): keyof ViewFilters | undefined =>
  pageFilterNames.find((name) => pageFilters[name].request === request);
