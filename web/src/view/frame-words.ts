export const frameWords = {
  skipToPage: 'Skip to the page',
  pages: 'Pages',
  pinnedBoards: 'Pinned boards',
  you: 'You:',
  expand: 'Expand',
  collapse: 'Collapse',
  switchTheme: 'Switch theme',
  sign: 'Sign out',
  pagesShort: 'Main pages',
  more: 'More',
} as const;

export const filterBarWords = {
  rangeAndFilters: 'Range and filters',
  clear: (one: string, label: string) => `Clear ${one}: ${label}`,
  clearTitle: 'Clear',
  filter: 'Filter',
  addFilter: 'Add a filter',
} as const;

export const shareButtonWords = {
  copyLink: 'Copy a link to this view',
  linkCopied: 'Link copied',
  copyAddressAbove: 'Copy the address above',
  share: 'Share',
} as const;

export const paletteOpenerWords = {
  search: 'Search',
  shortcuts: 'Shortcuts',
  loading: 'Loading…',
} as const;

export const subpagesWords = {
  partsThisPage: 'Parts of this page',
} as const;

export const printPartsWords = {
  compared: (window: string, before: string) => `${window}, compared with ${before}`,
} as const;

/** The parts of the navigation that have a heading. */
export const navigationHeadings: Readonly<Record<string, string>> = {
  measure: 'Measure',
  understand: 'Understand',
};
