import type { HistoryChoice } from '../ask/connect-draft.ts';
import { counted, grouped } from './format.ts';

export const connectFlowWords = {
  sign: 'Sign in',
  choose: (what: string) => `Choose ${what}`,
  sign2: 'Sign in with',
  readOnlyEnoughStored: 'Read-only is enough. Stored encrypted, never shown again.',
  whichPermissions: 'Which permissions?',
  advanced: 'Advanced',
  name: 'Name',
  whatYouCall: 'What you call this connection.',
  checkAgain: 'Check again',
  addToContinue: (missing: string) => `Add ${missing} to continue`,
  check: 'Check',
  readHistory: 'Read history from',
  firstDay: 'First day',
  startReading: (size: number, oneOf: string, what: string) => `Start reading ${counted(size, oneOf, what)}`,
  startReading2: 'Start reading',
  start: 'Start',
} as const;

export const connectPickerWords = {
  chosenYouCanChange: (size: number, total: number, all: boolean, items: number) =>
    `${grouped(size)} of ${grouped(total)} chosen. ${all ? 'New ones are added on their own.' : 'New ones aren’t added.'} You can change this any time.${total > items ? ` The first ${grouped(items)} are listed.` : ''}`,
  find: (things: string) => `Find ${things}`,
  show: 'Show',
  chosen: (size: number) => `Chosen ${grouped(size)}`,
  all: (items: number) => `All ${grouped(items)}`,
  allActive: (things: string) => `All active ${things}`,
  lastChange: 'Last change',
  noMatch: (things: string) => `No ${things} match.`,
  show2: (min: number) => `Show ${counted(min, 'more', 'more')}`,
  archived: 'Archived',
  fork: 'Fork',
} as const;

export const historyChoices: readonly (readonly [HistoryChoice, string])[] = [
  ['3', '3 months ago'],
  ['12', 'A year ago'],
  ['24', 'Two years ago'],
  ['all', 'The beginning'],
  ['day', 'A day…'],
];

/** What a saved connection reads, where it is picked from a list. */
export const savedChoiceWords = {
  everything: (things: string) => `All active ${things}. New ones are added on their own.`,
  chosen: (names: readonly string[], more: number) =>
    `${names.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}. New ones aren’t added.`,
  choose: (things: string) => `Choose ${things}`,
  chooseOne: 'Choose at least one. Until then the choice stays as it was.',
  looking: 'Looking…',
  noList: (label: string) => `${label} can’t be listed here. Name them below.`,
} as const;

export const connectStepsWords = {
  steps: 'Steps',
  done: '(done)',
} as const;
