/** How a number came about, and what is not in it. */
export const explanationWords = {
  theExplanation: 'The explanation',
  rowsRead: (rows: string, dateField: string | undefined, used: string | undefined, changed: string, zone: string) =>
    `${rows} rows read${dateField === undefined ? '' : `, by ${dateField}`}${
      used === undefined ? '' : `, ${used} of them with a value`
    }. The tables last changed on ${changed} (${zone}).`,
  statement: 'SQL statement',
  nothingLeftOut: 'Everything in this range is counted.',
  notCounted: 'What’s not counted',
  looking: 'Looking…',
  counted: (used: string, leftOut: readonly string[]) =>
    `${used} counted. ${leftOut.length === 0 ? 'Nothing left out' : `Not counted: ${leftOut.join(', ')}`}.`,
  ignoredFilters: (parts: readonly string[]) => `With these filters: ${parts.join(', ')}.`,
  ignores: (called: string, filters: readonly string[]) => `${called} aren’t narrowed by ${filters.join(' and ')}`,
  printedRows: (shown: string, all: string) => `The first ${shown} of ${all} rows.`,
  firstRows: (shown: string, all: string) =>
    `Showing the first ${shown} of ${all} rows. Choose a shorter range or a filter.`,
} as const;

/** Taking an answer elsewhere. */
export const exportWords = {
  export: 'Export',
  exportOf: (name: string) => `Export ${name}`,
  more: (name: string) => `More: ${name}`,
  copied: (what: string) => `${what} copied`,
  link: 'Link',
  addToBoard: 'Add to board',
  copyPng: 'Copy as PNG',
  copyLink: 'Copy link',
  copyCurl: 'Copy as curl',
  noFile: 'Couldn’t make the file. Try again.',
  noCopying: 'This browser doesn’t let pages copy here.',
} as const;

/** What connections could not see. */
export const notSeenWords = {
  where: 'Where',
  missing: 'What’s missing',
  since: 'History begins on',
  toDo: 'What to do',
  nothingToDo: 'Nothing can be done here.',
  more: (count: string) => `${count} more`,
} as const;

/** An answer as a chart, as a table or as one number. */
export const answerTableWords = {
  groupBefore: (group: string, before: string) => `${group}, ${before.toLowerCase()}`,
  theAnswer: 'The answer',
  chart: 'Chart',
  table: 'Table',
  none: 'None',
  before: 'Before',
  change: 'Change',
  n: 'n',
  nMeaning: 'Records that have the value',
  rows: 'rows',
  title: (metric: string, statistic: string | undefined, level: string | undefined) =>
    `${metric}${statistic === undefined ? '' : `, ${statistic}`}${level === undefined ? '' : ` per ${level}`}`,
  splitBy: (columns: readonly string[]) => (columns.length === 0 ? '' : ` · by ${columns.join(' and ')}`),
  statistic: (metric: string, statistic: string | undefined) =>
    statistic === undefined ? metric : `${metric}, ${statistic}`,
  nothingMatches: (named: readonly string[]) => `Nothing matches ${named.join(', ')}.`,
  firstOf: (shown: string, all: string) => `The first ${shown} of ${all}. `,
  notDrawn: (groups: string, isOne: boolean) => `${groups} ${isOne ? 'isn’t' : 'aren’t'} drawn. The table has them.`,
  showRows: ': show the records',
  value: 'value',
  values: 'values',
  surveysAreFor: 'Survey results are for Owners and Managers.',
  periodBefore: 'The period before',
} as const;
