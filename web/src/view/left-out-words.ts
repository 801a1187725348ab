import { aboutMetric, isMetric } from '../ask/metric-facts.ts';
import { recordLists } from '../ask/record-lists.ts';
import { counted } from './format.ts';

/**
 * The reason why a number leaves records out, as the end of a sentence that begins with how many: `12 pull requests
 * still open`.
 */
const words: Readonly<Record<string, string>> = {
  bot: 'of bots, which have no value here',
  'not onboarded': 'of people not in metrics',
  open: 'still open',
  'no deployment signal': 'without a deployment signal: no source has reported a deployment yet',
  'not deployed yet': 'merged but not deployed yet',
  'not on the way to production': 'merged to a branch that does not lead to production',
  'repository is switched off': 'of repositories that are switched off',
  promotion: 'that only carry others on',
  'not reviewed': 'that no one reviewed',
  'no comment': 'that no one commented on',
  'no commit known': 'whose commits are not known',
  'no merge queue': 'that went through no merge queue',
  'not made with AI': 'made without AI',
  'by the author': 'by the author, which are no reviews',
  'not production': 'elsewhere than to production',
  failed: 'that failed',
  remediation: 'that put another one right',
  'did not fail': 'that did not fail',
  'no estimate': 'without an estimate',
  'too few respondents': 'hidden to protect anonymity',
  'no value': 'without a value',
  'no date': 'without a date',
  'no activity in the window': 'who did nothing in this window',
};

/** Rows outside the window do not count as left out: the reader chose the window. */
const isOfWindow = ({ reason }: LeftOut): boolean => reason !== 'outside the window';

interface LeftOut {
  readonly reason: string;
  readonly count: number;
}

/** The records that a number leaves out and why, in plain words, the most first. */
export function leftOutWords(metric: string, leftOut: readonly LeftOut[]): string[] {
  const { table, kind } = isMetric(metric) ? aboutMetric(metric) : { table: '', kind: '' };
  const lists: Readonly<Record<string, { readonly one: string; readonly many: string }>> = recordLists;
  // A share counts people, whatever the rows of its table are.
  const isOfPeople = kind === 'share' || table === 'user_metrics';
  const list = (isOfPeople ? lists.user_metrics : lists[table]) ?? { one: 'record', many: 'records' };
  const wordsFor = (reason: string) =>
    isOfPeople && reason === 'not onboarded' ? 'not in metrics' : (words[reason] ?? reason);
  return leftOut
    .filter(isOfWindow)
    .map(({ reason, count }) => `${counted(count, list.one, list.many)} ${wordsFor(reason)}`);
}
