import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approvedAt, type ReviewDecision } from '../../../src/ingest/derive/approval.ts';
import { times } from '../../setup/how-long.ts';
import { seed } from '../../setup/seed.ts';

const author = { actor: 'ada', isBot: false };
const decisions = fc.array(
  fc.record({
    by: fc.record({ actor: fc.constantFrom('ada', 'bo', 'cy', null), isBot: fc.constantFrom(false, false, true) }),
    state: fc.constantFrom('approved', 'approved', 'changes_requested', 'commented', 'dismissed', null),
    at: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null, freq: 8 }),
  }),
  { maxLength: 8 },
);

/** Word for word: an approval that was not taken back, and no reviewer whose newest decision asks for changes. */
function plainly(reviews: readonly ReviewDecision[]): number | null {
  const byOthers = reviews.filter(({ by }) => !by.isBot && by.actor !== 'ada');
  const reviewers = [...new Set(byOthers.map(({ by }) => by.actor))];
  const approvals: number[] = [];
  for (const reviewer of reviewers) {
    const own = byOthers.filter(({ by, state }) => by.actor === reviewer && state !== 'commented' && state !== null);
    const newest = Math.max(...own.map(({ at }) => at ?? 0));
    const last = own.filter(({ at }) => (at ?? 0) === newest).map(({ state }) => state);
    if (last.includes('changes_requested')) return null;
    if (last.includes('approved') && !last.includes('dismissed') && newest > 0) approvals.push(newest);
  }
  return approvals.length === 0 ? null : Math.max(...approvals);
}

test('A pull request is approved since its last approval, unless a reviewer’s newest decision asks for changes', () => {
  let approved = 0;
  let held = 0;
  fc.assert(
    fc.property(decisions, (reviews) => {
      const expected = plainly(reviews);
      expect(approvedAt(author, reviews)).toBe(expected);
      expect(approvedAt(author, reviews.toReversed())).toBe(expected);
      if (expected !== null) approved += 1;
      else if (reviews.some(({ by, state }) => state === 'approved' && !by.isBot && by.actor === 'bo')) held += 1;
    }),
    { seed, numRuns: times(2_000, 50_000) },
  );
  expect(approved).toBeGreaterThan(300);
  expect(held).toBeGreaterThan(100);
});

const bo = { actor: 'bo', isBot: false };

test('A comment after a request for changes leaves the request standing, and an approval or a dismissal ends it', () => {
  const asked: ReviewDecision = { by: bo, state: 'changes_requested', at: 2 };
  const approval: ReviewDecision = { by: { actor: 'cy', isBot: false }, state: 'approved', at: 1 };
  expect(approvedAt(author, [approval, asked, { by: bo, state: 'commented', at: 3 }])).toBeNull();
  expect(approvedAt(author, [approval, asked, { by: bo, state: 'approved', at: 3 }])).toBe(3);
  expect(approvedAt(author, [approval, asked, { by: bo, state: 'dismissed', at: 3 }])).toBe(1);
});

test('An approval that its reviewer took back counts no longer, and leaves those of others', () => {
  const taken: ReviewDecision[] = [
    { by: bo, state: 'approved', at: 2 },
    { by: bo, state: 'dismissed', at: 3 },
  ];
  expect(approvedAt(author, taken)).toBeNull();
  expect(approvedAt(author, [...taken, { by: { actor: 'cy', isBot: false }, state: 'approved', at: 1 }])).toBe(1);
  expect(approvedAt(author, [...taken, { by: bo, state: 'approved', at: 4 }])).toBe(4);
});
