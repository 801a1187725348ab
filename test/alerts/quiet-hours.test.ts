import { describe, expect, test } from 'vitest';
import { isQuiet } from '../../src/alerts/quiet-hours.ts';
import { TimeZone } from '../../src/calendar.ts';

const at = (text: string): number => Date.parse(text) / 1_000;
const nights = { from: 18 * 60, until: 8 * 60, weekends: false };

describe('quiet hours', () => {
  test.each([
    ['2026-11-19T17:59:59Z', false],
    ['2026-11-19T18:00:00Z', true],
    ['2026-11-20T00:00:00Z', true],
    ['2026-11-20T07:59:59Z', true],
    ['2026-11-20T08:00:00Z', false],
    // A Saturday.
    ['2026-11-21T12:00:00Z', false],
  ])('Nights are quiet at %s: %s', (now, quiet) => expect(isQuiet(nights, at(now), TimeZone.named('UTC'))).toBe(quiet));

  test('Hours within a day are quiet between their two ends', () => {
    const noon = { from: 12 * 60, until: 13 * 60, weekends: false };
    const quietAt = (time: string) => isQuiet(noon, at(`2026-11-19T${time}:00Z`), TimeZone.named('UTC'));
    expect(['11:59', '12:00', '12:59', '13:00'].map(quietAt)).toEqual([false, true, true, false]);
  });

  test('Weekends are those of the organisation, also without quiet hours', () => {
    const zone = TimeZone.named('America/Los_Angeles');
    const weekends = { weekends: true };
    // Friday evening there, Saturday in UTC; and Sunday evening there, Monday in UTC.
    expect(isQuiet(weekends, at('2026-11-21T07:59:00Z'), zone)).toBe(false);
    expect(isQuiet(weekends, at('2026-11-21T08:00:00Z'), zone)).toBe(true);
    expect(isQuiet(weekends, at('2026-11-23T07:59:00Z'), zone)).toBe(true);
    expect(isQuiet(weekends, at('2026-11-23T08:00:00Z'), zone)).toBe(false);
  });

  test('Hours are those on the clock, also when clocks change', () => {
    const zone = TimeZone.named('Europe/Berlin');
    expect(isQuiet(nights, at('2026-03-28T17:00:00Z'), zone)).toBe(true);
    expect(isQuiet(nights, at('2026-03-28T16:59:00Z'), zone)).toBe(false);
    expect(isQuiet(nights, at('2026-03-30T05:59:00Z'), zone)).toBe(true);
    expect(isQuiet(nights, at('2026-03-30T06:00:00Z'), zone)).toBe(false);
    expect(isQuiet(undefined, at('2026-03-30T00:00:00Z'), zone)).toBe(false);
  });
});
