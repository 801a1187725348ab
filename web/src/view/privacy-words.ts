import { counted } from './format.ts';

interface Hidden {
  /** How many answers the server has left out: it does so only in anonymous surveys. */
  readonly answers: number;
  /** The smallest number of people that pages show. */
  readonly least: number;
  readonly isAnonymous: boolean;
}

/** Why something about a survey is hidden, and when it appears. */
export function privacyWords({ answers, least, isAnonymous }: Hidden): string {
  const rule =
    'Anonymous answers appear once the survey is closed, or 14 days after its last answer, and only by whole groups of people.';
  if (answers > 0) return `${counted(answers, 'answer is', 'answers are')} not shown. ${rule}`;
  const isSmall = `Groups of fewer than ${least} people are hidden`;
  return isAnonymous ? `${isSmall}. ${rule}` : `${isSmall}: answers appear from ${least} people on.`;
}
