import { expect, test } from 'vitest';
import { privacyWords } from '../../../web/src/view/privacy-words.ts';

const rule =
  'Anonymous answers appear once the survey is closed, or 14 days after its last answer, and only by whole groups of people.';

test('What is hidden of an anonymous survey appears when it is closed, however many have answered', () => {
  const anonymous = { least: 5, isAnonymous: true };
  expect(privacyWords({ ...anonymous, answers: 7 })).toBe(`7 answers are not shown. ${rule}`);
  expect(privacyWords({ ...anonymous, answers: 1 })).toBe(`1 answer is not shown. ${rule}`);
  expect(privacyWords({ ...anonymous, answers: 0 })).toBe(`Groups of fewer than 5 people are hidden. ${rule}`);
});

test('An anonymous survey is spoken of as one where the setting has gone back to role', () => {
  const byRole = { least: 5, isAnonymous: false };
  expect(privacyWords({ ...byRole, answers: 7 })).toBe(`7 answers are not shown. ${rule}`);
  expect(privacyWords({ ...byRole, answers: 0 })).toBe(
    'Groups of fewer than 5 people are hidden: answers appear from 5 people on.',
  );
});
