import { counted } from './number-words.ts';

/** The word for a single counted thing. */
const ones: Readonly<Record<string, string>> = {
  changes: 'change',
  'days of use': 'day of use',
  deployments: 'deployment',
  issues: 'issue',
  people: 'person',
  'pull requests': 'pull request',
  reviews: 'review',
  runs: 'run',
  values: 'value',
};

/** `1 pull request`, `12 pull requests`. */
export const countOf = (n: number, of: string): string => counted(n, ones[of] ?? of, of);
