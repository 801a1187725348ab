import { expect, test, vi } from 'vitest';
import { asOwnChange, changesFigures, mayBeOwnChange } from '../../../web/src/ask/own-change.ts';

test('What changes figures is told from what only looks', () => {
  const changing = ['/users/onboarded-users-by-attributes', '/app/people', '/app/people/p1', '/app/groups/g1'];
  expect(changing.filter(changesFigures)).toEqual(changing);
  const others = ['/app/people/preview', '/app/sources/s1/check', '/app/people/p1/sign-in-link', '/app/keys'];
  expect([...others, '/metrics/cycle-time/explain', '/app/peoples'].filter(changesFigures)).toEqual([]);
});

test('News are the own ones while a change is under way and shortly after', async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  try {
    await asOwnChange('/app/people/preview', async () => expect(mayBeOwnChange()).toBe(false));
    expect(mayBeOwnChange()).toBe(false);
    await asOwnChange('/app/people', async () => expect(mayBeOwnChange()).toBe(true));
    expect(mayBeOwnChange()).toBe(true);
    vi.setSystemTime(1_010_000);
    expect(mayBeOwnChange()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
