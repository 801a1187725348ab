import { describe, expect, test } from 'vitest';
import { TimeZone } from '../../src/calendar.ts';
import { type FeedingStream, jointExtent, tableExtent } from '../../src/data-extent/table-status.ts';
import { fedBy } from '../setup/feeding-stream.ts';

const at = (text: string): number => Date.parse(text) / 1_000;
const now = at('2026-03-10T12:00:00Z');
const utc = { zone: TimeZone.named('UTC'), now };
const extremes = { first: at('2025-01-02T03:04:05Z'), last: [at('2026-03-08T09:00:00Z'), null] };
const hour = 3_600;

const throughOf = (...streams: FeedingStream[]) => tableExtent({ extremes, streams }, utc).through;

describe('a table that no stream feeds', () => {
  test('A table that no stream feeds is complete up to the end of its newest day in the time zone of the organisation', () => {
    const throughIn = (zone: string) =>
      tableExtent({ extremes, streams: [] }, { zone: TimeZone.named(zone), now }).through;
    expect(throughIn('UTC')).toBe(at('2026-03-09T00:00:00Z'));
    expect(throughIn('America/New_York')).toBe(at('2026-03-09T04:00:00Z'));
  });

  test('A table that no stream feeds takes the newest day of any date field, whether a time or a day', () => {
    const last = [at('2026-03-01T09:00:00Z'), '2026-03-05'];
    expect(tableExtent({ extremes: { first: null, last }, streams: [] }, utc).through).toBe(at('2026-03-06T00:00:00Z'));
  });

  test('A table that no stream feeds is complete up to now at most', () => {
    const last = [at('2026-03-10T09:00:00Z')];
    expect(tableExtent({ extremes: { first: null, last }, streams: [] }, utc).through).toBe(now);
  });

  test('A table that no stream feeds has neither end nor beginning without rows', () => {
    const empty = { extremes: { first: null, last: [null, null] }, streams: [] };
    expect(tableExtent(empty, utc)).toEqual({ through: undefined, since: undefined, missing: [] });
  });
});

describe('a table that streams feed', () => {
  test('A table that streams feed is complete up to the earliest end of their last complete reads', () => {
    expect(throughOf(fedBy(), fedBy({ completeAt: now - 3 * hour }))).toBe(now - 3 * hour);
  });

  test('A table that streams feed leaves out, and names, a stream that is gone, forbidden or before its first complete read', () => {
    const others = [
      fedBy({ name: 'gone', completeAt: now - 900 * hour, leftOut: 'gone' }),
      fedBy({ name: 'forbidden', completeAt: now - 900 * hour, leftOut: 'forbidden' }),
      fedBy({ name: 'begun', completeAt: undefined }),
    ];
    const extent = tableExtent({ extremes, streams: [fedBy(), ...others] }, utc);
    expect(extent).toMatchObject({ through: now - hour, missing: ['gone', 'forbidden', 'begun'] });
  });

  test('A table that streams feed waits 24 hours for a stream that fails, and then no longer', () => {
    const failing = (hours: number) => fedBy({ completeAt: now - 90 * hour, failingSince: now - hours * hour });
    expect(throughOf(fedBy(), failing(23))).toBe(now - 90 * hour);
    expect(throughOf(fedBy(), failing(24))).toBe(now - hour);
  });

  test('A table that streams feed is complete up to the end of the newest day of daily reports, however long ago that was', () => {
    const daily = fedBy({ isDaily: true, newestRecordAt: at('2026-03-07T00:00:00Z') });
    expect(throughOf(fedBy(), daily)).toBe(at('2026-03-08T00:00:00Z'));
  });

  test('A table that streams feed stays complete up to the last read where every stream is left out, and is nowhere complete where none was read', () => {
    const left = (completeAt: number | undefined) => fedBy({ completeAt, leftOut: 'forbidden' });
    expect(throughOf(left(now - 50 * hour), left(now - 40 * hour))).toBe(now - 40 * hour);
    expect(throughOf(left(undefined))).toBeUndefined();
  });

  test('A table that streams feed begins with its oldest row, or where a first read has come to', () => {
    const since = (readBackTo: number | undefined) =>
      tableExtent({ extremes, streams: [fedBy({ readBackTo }), fedBy()] }, utc).since;
    expect(since(undefined)).toBe(extremes.first);
    expect(since(at('2025-11-01T00:00:00Z'))).toBe(at('2025-11-01T00:00:00Z'));
    expect(since(at('2024-11-01T00:00:00Z'))).toBe(extremes.first);
  });
});

test('Several tables end with the earliest and begin with the latest of them', () => {
  const joint = jointExtent([
    { through: 5, since: 1, missing: ['a'] },
    { through: undefined, since: undefined, missing: [] },
    { through: 4, since: 2, missing: ['a', 'b'] },
  ]);
  expect(joint).toEqual({ through: 4, since: 2, missing: ['a', 'b'] });
});
