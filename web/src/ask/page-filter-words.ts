export const pageFiltersWords = {
  unknown: 'Unknown',
  everyone: 'Everyone',
  allTeams: 'All teams',
  allRepositories: 'All repositories',
  allDepartments: 'All departments',
  allSquads: 'All squads',
} as const;
