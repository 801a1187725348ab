import { describe, expect, test } from 'vitest';
import { TimeZone } from '../../src/calendar.ts';
import {
  decidingWeekdays,
  stalenessOfStreams,
  type TablePart,
  tableStatus,
} from '../../src/data-extent/table-status.ts';
import { fedBy } from '../setup/feeding-stream.ts';

const at = (text: string): number => Date.parse(text) / 1_000;
// A Tuesday.
const now = at('2026-03-10T12:00:00Z');
const clock = (zone = 'UTC', moment = now) => ({ zone: TimeZone.named(zone), now: moment });
const hour = 3_600;

describe('a table that streams feed', () => {
  test('A table that streams feed is stale once its data is older than twice the time between two reads', () => {
    const read = (ago: number) => stalenessOfStreams([fedBy({ completeAt: now - ago })], clock());
    expect(read(2 * hour)).toBeUndefined();
    expect(read(2 * hour + 1)).toEqual({ since: now - 2 * hour - 1, source: 'GitHub' });
  });

  test('A table that streams feed is stale by the stream that is furthest behind', () => {
    const streams = [
      fedBy(),
      fedBy({ source: 'Old', completeAt: now - 5 * hour }),
      fedBy({ source: 'Older', completeAt: now - 6 * hour }),
    ];
    expect(stalenessOfStreams(streams, clock())?.source).toBe('Older');
  });

  test('A table that streams feed is not held back by a stream that counts no longer, unless none does', () => {
    const refused = fedBy({ completeAt: now - 90 * hour, leftOut: 'forbidden' });
    expect(stalenessOfStreams([fedBy(), refused], clock())).toBeUndefined();
    expect(stalenessOfStreams([refused], clock())?.since).toBe(now - 90 * hour);
  });

  test('A table that streams feed is not stale before its first complete read', () => {
    expect(stalenessOfStreams([fedBy({ completeAt: undefined })], clock())).toBeUndefined();
  });

  test('A table that streams feed of reports of whole days is stale once the newest day is more than three days ago, where the organisation is', () => {
    const reported = (day: string, zone?: string, moment?: number) =>
      stalenessOfStreams([fedBy({ isDaily: true, newestRecordAt: at(`${day}T00:00:00Z`) })], clock(zone, moment));
    expect(reported('2026-03-07')).toBeUndefined();
    expect(reported('2026-03-06')?.since).toBe(at('2026-03-07T00:00:00Z'));
    // In Auckland the eleventh has begun, in Honolulu the tenth has not yet.
    expect(reported('2026-03-07', 'Pacific/Auckland')?.since).toBe(at('2026-03-07T11:00:00Z'));
    expect(reported('2026-03-06', 'Pacific/Honolulu', at('2026-03-10T09:59:59Z'))).toBeUndefined();
  });
});

describe('a table that no stream feeds', () => {
  const weekdays = (newest: string | number, zone?: string, moment?: number) =>
    decidingWeekdays({ extremes: { first: null, last: [newest, null] }, streams: [] }, clock(zone, moment));

  test('A table that no stream feeds is looked at once two weekdays are over without rows; weekends and today say nothing', () => {
    // From Thursday on: Friday and Monday are over.
    expect(weekdays('2026-03-05')?.[0]).toBe('2026-03-05');
    // From Friday on: only Monday is over.
    expect(weekdays('2026-03-06')).toBeUndefined();
    expect(weekdays('2026-03-06', 'UTC', at('2026-03-11T00:00:00Z'))?.[0]).toBe('2026-03-06');
    expect(weekdays('2026-03-10')).toBeUndefined();
    expect(decidingWeekdays({ extremes: { first: null, last: [null] }, streams: [] }, clock())).toBeUndefined();
  });

  test('A table that no stream feeds has to have rows of each of the ten weekdays before', () => {
    expect(weekdays('2026-03-01')).toEqual([
      ...['2026-02-27', '2026-02-26', '2026-02-25', '2026-02-24', '2026-02-23'],
      ...['2026-02-20', '2026-02-19', '2026-02-18', '2026-02-17', '2026-02-16'],
    ]);
  });

  test('A table that no stream feeds is judged by the days of the organisation, also where clocks change', () => {
    // New York put its clocks forward on the eighth. There the sixth lasted until five in the morning of the seventh, UTC.
    const zone = 'America/New_York';
    const lateOnFriday = at('2026-03-07T04:59:59Z');
    expect(weekdays(lateOnFriday, zone, at('2026-03-11T03:59:59Z'))).toBeUndefined();
    expect(weekdays(lateOnFriday, zone, at('2026-03-11T04:00:00Z'))?.[0]).toBe('2026-03-06');
  });
});

describe('the status of a table', () => {
  const part = (over: Partial<TablePart> = {}): TablePart => ({
    table: 'deployments',
    isInferred: false,
    extremes: { first: at('2025-01-01T00:00:00Z'), last: [at('2026-03-05T09:00:00Z')] },
    streams: [],
    ...over,
  });
  const statusOf = (parts: readonly TablePart[], isQuiet = false) =>
    tableStatus('deployments', parts, () => isQuiet, clock());

  test('The status of a table says how often it is read, and whether it holds reports of whole days', () => {
    expect(statusOf([part()])).toMatchObject({ isDaily: false, scheduleSeconds: undefined, stale: undefined });
    const daily = fedBy({ isDaily: true, newestRecordAt: now });
    expect(statusOf([part({ streams: [daily] })])).toMatchObject({ isDaily: true, scheduleSeconds: hour });
    expect(statusOf([part({ streams: [daily, fedBy()] })])).toMatchObject({ isDaily: false });
  });

  test('The status of a table is stale where rows that came every weekday stopped, up to the end of the newest day', () => {
    expect(statusOf([part()], true).stale).toEqual({ since: at('2026-03-06T00:00:00Z'), source: undefined });
    expect(statusOf([part({ extremes: { first: null, last: [null] } })], true).stale).toBeUndefined();
  });

  test('The status of a table of what is inferred follows what it is inferred from', () => {
    const late = part({ table: 'pull_requests', streams: [fedBy({ completeAt: now - 4 * hour })] });
    const status = statusOf([part({ isInferred: true }), late], true);
    expect(status).toMatchObject({ through: now - 4 * hour, stale: { since: now - 4 * hour, source: 'GitHub' } });
  });
});
