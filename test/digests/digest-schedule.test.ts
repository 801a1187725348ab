import { describe, expect, test } from 'vitest';
import { TimeZone } from '../../src/calendar.ts';
import { lastDue, readSchedule, windowOfDigest } from '../../src/digests/digest-schedule.ts';

const at = (text: string): number => Date.parse(text) / 1_000;
const dueBefore = (every: string, now: string, zone: string): string =>
  new Date(lastDue(readSchedule(every), at(now), TimeZone.named(zone)) * 1_000).toISOString().slice(0, 16);

describe('when a digest is due', () => {
  test.each([
    ['monday 08:00', '2026-11-20T10:00:00Z', 'UTC', '2026-11-16T08:00'],
    ['monday 08:00', '2026-11-16T07:59:59Z', 'UTC', '2026-11-09T08:00'],
    ['monday 08:00', '2026-11-16T08:00:00Z', 'UTC', '2026-11-16T08:00'],
    ['sunday 23:30', '2026-11-16T01:00:00Z', 'UTC', '2026-11-15T23:30'],
    ['day 08:00', '2026-11-16T07:00:00Z', 'Europe/Berlin', '2026-11-16T07:00'],
    ['day 08:00', '2026-11-16T06:59:00Z', 'Europe/Berlin', '2026-11-15T07:00'],
    ['month 1 08:00', '2026-03-01T07:00:00Z', 'UTC', '2026-02-01T08:00'],
    ['month 28 00:00', '2026-02-28T00:00:00Z', 'UTC', '2026-02-28T00:00'],
    // On the other side of the world the day is another one.
    ['monday 08:00', '2026-11-15T19:30:00Z', 'Pacific/Auckland', '2026-11-15T19:00'],
  ])('%s at %s in %s was last due at %s', (every, now, zone, due) => expect(dueBefore(every, now, zone)).toBe(due));

  test('The hour on the clock stays the same when the clocks change', () => {
    expect(dueBefore('monday 08:00', '2026-03-27T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-23T07:00');
    expect(dueBefore('monday 08:00', '2026-03-30T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-30T06:00');
    expect(dueBefore('monday 08:00', '2026-10-26T12:00:00Z', 'Europe/Berlin')).toBe('2026-10-26T07:00');
  });

  test('A time that the clocks skip is due when they have passed it, and one that they show twice the first time', () => {
    // At 02:00 in Berlin it becomes 03:00 on 29 March, and at 03:00 it becomes 02:00 on 25 October.
    expect(dueBefore('day 02:30', '2026-03-29T05:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T01:00');
    expect(dueBefore('day 02:30', '2026-10-25T05:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T00:30');
  });

  test.each([
    '',
    'monday',
    'monday 8:00',
    'monday 24:00',
    'monday 08:60',
    'month 08:00',
    'month 29 08:00',
    'month 0 08:00',
    'year 08:00',
    'day 1 08:00',
    'monday  08:00',
    'day -1:00',
    3,
    null,
  ])('%j is refused', (every) => expect(() => readSchedule(every)).toThrow('every must be'));

  test('A digest is about the last whole day, week or month, and compares a day with the same day of the week before', () => {
    expect(windowOfDigest(readSchedule('thursday 08:00'), '2026-11-19')).toEqual({
      start: '2026-11-09',
      end: '2026-11-15',
      previousStart: '2026-11-02',
      previousEnd: '2026-11-08',
    });
    expect(windowOfDigest(readSchedule('day 08:00'), '2026-11-19')).toEqual({
      start: '2026-11-18',
      end: '2026-11-18',
      previousStart: '2026-11-11',
      previousEnd: '2026-11-11',
    });
    expect(windowOfDigest(readSchedule('month 1 08:00'), '2026-03-01')).toEqual({
      start: '2026-02-01',
      end: '2026-02-28',
      previousStart: '2026-01-01',
      previousEnd: '2026-01-31',
    });
  });
});
