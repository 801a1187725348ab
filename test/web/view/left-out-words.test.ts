import { expect, test } from 'vitest';
import { leftOutReasons } from '../../../src/catalogue/left-out-reasons.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { leftOutWords } from '../../../web/src/view/left-out-words.ts';

test('What was left out is said in words, the window not being a reason', () => {
  const words = leftOutWords('lead-time-for-changes-p50', [
    { reason: 'outside the window', count: 900 },
    { reason: 'no deployment signal', count: 30 },
    { reason: 'bot', count: 1 },
  ]);
  expect(words).toEqual([
    '30 pull requests without a deployment signal: no source has reported a deployment yet',
    '1 pull request of bots, which have no value here',
  ]);
  expect(leftOutWords('adoption-rate', [{ reason: 'no activity in the window', count: 2 }])).toEqual([
    '2 people who did nothing in this window',
  ]);
  expect(leftOutWords('adoption-rate', [{ reason: 'not onboarded', count: 3 }])).toEqual(['3 people not in metrics']);
});

test('Every reason of pull requests makes a sentence', () => {
  for (const { reason } of leftOutReasons(pullRequests)) {
    const [words] = leftOutWords('cycle-time', [{ reason, count: 2 }]);
    expect(words).toMatch(/^2 pull requests (of|still|without|merged|that|whose|made|closed)/);
  }
});
