import { describe, expect, test } from 'vitest';
import { afterPage, nextStep, recentSeconds, type StreamState } from '../../src/jobs/stored-streams.ts';
import type { Page } from '../../src/sources/source.ts';

const timed = { rereadSeconds: 100 };
const whole = {};
const page = (given: Partial<Page>): Page => ({ records: [], count: 0, at: 1_000, ...given });

/** Reads page after page, as a sync does, and says where each one was read. */
function walk(state: StreamState, stream: { rereadSeconds?: number }, areChangesDue: boolean, ...pages: Page[]) {
  const positions: unknown[] = [];
  let after = state;
  for (const one of pages) {
    const step = nextStep(after, stream, areChangesDue && positions.length === 0);
    if (!step) break;
    positions.push([step.walk, step.position]);
    after = afterPage(after, step, one);
  }
  return { positions, after };
}

describe('a stream that is read for the first time', () => {
  test('A stream that is read for the first time is read from the newest to the end, and for changes since its first page from then on', () => {
    const first = walk(
      {},
      timed,
      false,
      page({ next: 2, mark: 'etag' }),
      page({ next: 3, at: 2_000 }),
      page({ at: 3_000 }),
    );
    expect(first.positions).toEqual([
      ['history', {}],
      ['history', { next: 2 }],
      ['history', { next: 3 }],
    ]);
    expect(first.after).toEqual({ hasHistory: true, readUpTo: 1_000, mark: 'etag' });
    expect(nextStep(first.after, timed, false)).toBeUndefined();
    expect(nextStep(first.after, timed, true)?.position).toEqual({ downTo: 900, mark: 'etag' });
  });

  test('A stream that is read for the first time is recent down to thirty days before its beginning, as far as its pages say how far they reach', () => {
    const recent = (reachedDownTo?: number) => {
      const at = recentSeconds * 2;
      const { after } = walk(
        {},
        timed,
        false,
        page({ at, next: 2, ...(reachedDownTo === undefined ? {} : { reachedDownTo }) }),
      );
      return nextStep(after, timed, false)?.isRecent;
    };
    expect(nextStep({}, timed, false)?.isRecent).toBe(true);
    expect([recent(recentSeconds + 1), recent(recentSeconds), recent()]).toEqual([true, false, false]);
  });
});

describe('changes', () => {
  const known: StreamState = { hasHistory: true, readUpTo: 5_000, mark: 'old' };

  test('Changes are read down to where the last read began, and a bit further for what comes late', () => {
    const { positions, after } = walk(
      known,
      timed,
      true,
      page({ at: 7_000, next: 2, reachedDownTo: 6_000, mark: 'new' }),
      page({ at: 8_000, next: 3, reachedDownTo: 4_900 }),
      page({}),
    );
    expect(positions).toEqual([
      ['changes', { downTo: 4_900, mark: 'old' }],
      ['changes', { downTo: 4_900, next: 2 }],
    ]);
    // What changed while the second page was read is for the next time.
    expect(after).toEqual({ hasHistory: true, readUpTo: 7_000, mark: 'new' });
  });

  test('Changes that were not read to their end are read on, and are recognised by the old mark until then', () => {
    const { after } = walk(known, timed, true, page({ at: 7_000, next: 2, reachedDownTo: 6_000, mark: 'new' }));
    expect(after).toMatchObject({ readUpTo: 5_000, mark: 'old' });
    expect(nextStep(after, timed, false)).toMatchObject({ walk: 'changes', position: { next: 2, downTo: 4_900 } });
  });

  test('Changes are none where the first page is unchanged', () => {
    const { positions, after } = walk(known, timed, true, page({ at: 7_000, isUnchanged: true }), page({}));
    expect(positions).toHaveLength(1);
    expect(after).toEqual({ hasHistory: true, readUpTo: 7_000, mark: 'old' });
  });

  test('Changes go before history that is still being read, which then goes on', () => {
    const state: StreamState = { readUpTo: 5_000, history: { startedAt: 5_000, next: 9 } };
    const { positions, after } = walk(state, timed, true, page({ at: 7_000 }), page({}));
    expect(positions).toEqual([
      ['changes', { downTo: 4_900 }],
      ['history', { next: 9 }],
    ]);
    expect(after).toEqual({ hasHistory: true, readUpTo: 7_000 });
  });

  test('Changes are everything where a stream is read as a whole', () => {
    const { positions, after } = walk({}, whole, true, page({ next: 2, mark: 'm' }), page({}));
    expect(positions).toEqual([
      ['changes', {}],
      ['changes', { next: 2 }],
    ]);
    expect(nextStep(after, whole, false)).toBeUndefined();
    expect(nextStep(after, whole, true)?.position).toEqual({ mark: 'm' });
  });
});
