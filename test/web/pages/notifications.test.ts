import { expect, test } from 'vitest';
import type { Delivery, Received, Rule } from '../../../web/src/pages/settings/notifications/questions.ts';
import {
  alertWords,
  digestWords,
  notificationsSentence,
  originWords,
  receiverWords,
  resultWords,
} from '../../../web/src/pages/settings/notifications/words.ts';

const nameOf = (team: string) => (team === 't1' ? 'Checkout' : team);

test.each<[Rule, string]>([
  [{ goal_missed: { goal: 'faster', periods: 2 } }, 'The goal “faster” is missed 2 periods in a row'],
  [{ goal_missed: { goal: 'faster', periods: 1 } }, 'The goal “faster” is missed once'],
  [{ source_behind: { hours: 1 } }, 'A source isn’t read for 1 hour'],
  [
    { waiting: { for: 'review', hours: 48, filters: { team: ['t1'], is_bot: false } } },
    'Pull requests wait for a review for over 48 hours · Checkout · 1 more filter',
  ],
  [{ unusual: { metric: 'pull-requests-count', period: 'month' } }, 'Unusual by month: Pull requests'],
])('A rule is a sentence: %j', (rule, words) => {
  expect(alertWords({ rule }, nameOf)).toBe(words);
});

test('A digest is what it shows, and when it comes', () => {
  const titleOf = (board: string) => (board === 'b' ? 'Review' : board);
  const about = (board: string | null, every: string) => digestWords({ board, every, filters: {} }, titleOf, nameOf);
  expect(about(null, 'monday 08:00')).toBe('Overview, Mondays at 08:00');
  expect(about('b', 'day 17:30')).toBe('Board “Review”, every day at 17:30');
  expect(about('gone', 'month 1 08:00')).toBe('Board “gone”, each month on day 1 at 08:00');
  expect(originWords({ kind: 'digest', slug: 'monday' })).toBe('Digest “monday”');
});

test('A channel is shown by its host and last four characters, with what it is', () => {
  expect(receiverWords({ slack: 'hooks.slack.com/…x4Zq' })).toBe('Slack hooks.slack.com/…x4Zq');
  expect(receiverWords({ email: 'ada@acme.example' })).toBe('ada@acme.example');
});

const delivery = (more: Partial<Delivery>): Delivery => ({
  id: 'd',
  kind: 'alert',
  slug: 'a',
  receiver: { email: 'ada@acme.example' },
  title: 'A test',
  state: 'sent',
  tries: 1,
  status: '250',
  queued_at: '2026-11-16T08:00:00Z',
  tried_at: null,
  next_try_at: null,
  ...more,
});

test('A delivery says what came back where it was not sent', () => {
  expect(resultWords(delivery({}))).toBe('Sent');
  expect(resultWords(delivery({ state: 'failed', status: '404' }))).toBe('Failed: 404');
  expect(resultWords(delivery({ state: 'queued', tries: 0, status: null }))).toBe('On its way');
  expect(resultWords(delivery({ state: 'queued', tries: 2, status: '503' }))).toBe(
    'Tried 2 times: 503. It is tried again',
  );
});

test('The sentence counts what comes to the reader, what they have stopped, and what has failed', () => {
  const one = (is_stopped: boolean): Received => ({ kind: 'alert', slug: 'a', owner: null, addresses: [], is_stopped });
  expect(notificationsSentence([], [])).toBe('No digest or alert comes to you.');
  expect(notificationsSentence([one(false), one(true)], [delivery({ state: 'failed' })])).toBe(
    '1 digest or alert comes to you, 1 stopped. 1 delivery has failed.',
  );
});
