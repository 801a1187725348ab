import { counted } from './format.ts';

export const statesWords = {
  dates: 'the dates',
  no: (what: string, ofWhom: string, noData: string | null | undefined, dayCount: number) =>
    `No ${what}${ofWhom} ${noData ? 'yet' : `in ${counted(dayCount, 'day', 'days')}`}`,
  show: (window: string) => `Show ${window}`,
  looked: 'Looked at',
  fromWithFiltersAbove: (window: string) => `from ${window}, with the filters above.`,
  nearest: (value: string) => `The nearest are from ${value}.`,
  nothingThereAtAny: 'There’s nothing at any other time either.',
  youDontHaveAccess: 'You don’t have access to this',
  yourRole: (what: string, needs: string, role: string, owners: number) =>
    `${what} ${needs} Your role is ${role}. ${owners === 0 ? 'An Owner can change it.' : 'These Owners can change it: '}`,
  hiddenToProtectAnonymity: 'Hidden to protect anonymity',
  couldntLoad: (inSentence: string) => `Couldn’t load ${inSentence}`,
  tryAgain: 'Try again',
  request: (id: string) => `Request ${id}`,
} as const;
