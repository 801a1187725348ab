import { counted, grouped } from '../../view/format.ts';

export const conditionsWords = {
  addCondition: 'Add a condition',
  removeCondition: (name: string) => `Remove condition: ${name}`,
  remove: 'Remove',
  any: 'Any',
  wordsInPullRequest: 'Words in the pull request',
  wordsThatAllOccur: 'Words that all occur',
  search: 'Search',
  is: (one: string) => `${one} is`,
  one: (values: number) => `one of ${values}`,
} as const;

export const moreFieldsWords = {
  moreOptions: 'More options',
  counted: 'Counted by',
  smallestValue: 'Minimum value',
  peopleListedByName: 'People are listed by name, not by a number.',
  sorted: 'Sorted by',
  timeThenGroups: 'Time, then groups',
  smallestFirst: (name: string) => `${name}, smallest first`,
  largestFirst: (name: string) => `${name}, largest first`,
  rowsUpTo200: 'Rows, up to 200',
} as const;

export const exploreWords = {
  explore: 'Explore',
  askOneQuestionChange: 'Ask one question. Change any part of it.',
} as const;

export const resultWords = {
  answer: 'The answer',
  chart: 'Chart',
  table: 'Table',
  records: 'Records',
} as const;

export const rowsBehindAnswerWords = {
  listRows: 'The list of rows',
  firstNarrowRange: (meant: number, total: number, one: string, many: string) =>
    `The first ${grouped(meant)} of ${counted(total, one, many)}: narrow the range or the filters to see the others.`,
  behindThisAnswer: (many: string) => `${many} behind this answer`,
  requestForTheseRows: 'The request for these rows',
} as const;

export const sentenceWords = {
  whatToAsk: 'What to ask',
  show: 'Show the',
  per: 'per',
  asItNow: 'as it is now',
  split: 'split by',
  where: 'where',
  listColumns: 'The list of columns',
  overWholeRange: 'over the whole range',
  nothing: 'nothing',
  splitByNothing: 'Split by: nothing',
  splitName: (columnLabel: string) => `Split by: ${columnLabel}`,
  removeThisSplit: 'Remove this split',
  splitByAnotherColumn: 'Split by another column',
  oftenUsed: 'Often used',
  allColumns: 'All columns',
  nothingElse: 'Nothing',
} as const;
