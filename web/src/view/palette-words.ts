export const paletteListWords = {
  goToPageMetric: 'Go to a page, metric, team, repository or person',
  pages: 'Pages',
  settingsHeading: 'Settings',
  actions: 'Actions',
  switchTheme: 'Switch theme',
  sign: 'sign out',
  signName: 'Sign out',
  log: 'log out',
  metrics: 'Metrics',
  searchPagesMetricsTeams: 'Search pages, metrics, teams, repositories and people',
  noMatches: 'No matches',
} as const;
