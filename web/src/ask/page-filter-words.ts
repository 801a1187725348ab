export const pageFiltersWords = {
  allTeams: 'All teams',
  allRepositories: 'All repositories',
  allDepartments: 'All departments',
  allSquads: 'All squads',
} as const;
