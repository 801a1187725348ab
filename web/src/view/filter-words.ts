export const filterSheetWords = {
  filters: 'Filters',
  close: 'Close',
  compare: 'Compare with',
  clearFilters: 'Clear filters',
  showPage: 'Show page',
} as const;

export const filterChoicesWords = {
  addressPageHasNo: 'The address of the page has no room for more. Choose a team instead.',
} as const;
