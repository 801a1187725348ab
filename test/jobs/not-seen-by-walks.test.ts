import { describe, expect, test } from 'vitest';
import { NotSeenByWalks } from '../../src/jobs/stored-streams.ts';
import { joinNotSeen, type NotSeen } from '../../src/sources/not-seen.ts';

const right: NotSeen = { why: 'right', what: 'Approvals are not shown', toDo: 'Give the token read_api.' };
const cut: NotSeen = { why: 'cut', what: 'Commits behind the first 250 are not listed' };
const kept: NotSeen = { why: 'retention', what: 'The provider keeps thirty days', since: 100 };

const first = { walk: 'changes', position: {} } as const;
const later = { walk: 'changes', position: { next: 'two' } } as const;
const whole = { isWalked: true, isWhole: true };
const changes = { isWalked: true, isWhole: false };
const under = (way: typeof whole) => ({ ...way, isWalked: false });

describe('What the pages of a stream could not see', () => {
  test('A missing right is forgotten by the first read of changes that does not find it, what was cut never', () => {
    const walks = new NotSeenByWalks();
    const known = walks.afterPage([], first, { notSeen: [right, cut] }, changes);
    expect(known).toEqual([right, cut]);
    expect(walks.afterPage(known, first, {}, under(changes))).toEqual([right, cut]);
    expect(walks.afterPage(known, later, {}, changes)).toEqual([cut]);
  });

  test('A page of an earlier point of the read counts at its end', () => {
    const walks = new NotSeenByWalks();
    const known = walks.afterPage([right], first, { notSeen: [right] }, under(changes));
    expect(walks.afterPage(known, later, {}, changes)).toEqual([right]);
  });

  test('A stream that is read as a whole says what its last read found', () => {
    const walks = new NotSeenByWalks();
    expect(walks.afterPage([right, cut], first, { notSeen: [cut] }, whole)).toEqual([cut]);
    expect(walks.afterPage([right, cut], first, {}, whole)).toEqual([]);
  });

  test('A read without news, and one that another process began, forget nothing', () => {
    const walks = new NotSeenByWalks();
    expect(walks.afterPage([right], first, { isUnchanged: true }, changes)).toEqual([right]);
    expect(new NotSeenByWalks().afterPage([right], later, {}, whole)).toEqual([right]);
  });

  test('History that is read forgets nothing: changes were read before it', () => {
    const walks = new NotSeenByWalks();
    expect(walks.afterPage([right], { walk: 'history', position: {} }, { notSeen: [cut] }, changes)).toEqual([
      right,
      cut,
    ]);
  });

  test('Of the same said twice the earliest beginning of history stays, and a list has an end', () => {
    expect(joinNotSeen([kept], [{ ...kept, since: 200 }])).toEqual([kept]);
    expect(joinNotSeen([{ ...kept, since: 200 }], [kept])).toEqual([kept]);
    const many = Array.from({ length: 50 }, (_, i): NotSeen => ({ why: 'cut', what: `List ${i}` }));
    expect(joinNotSeen(many)).toHaveLength(20);
  });
});
