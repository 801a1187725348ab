import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closedSpan, isoText, secondsOfDay, TimeZone } from '../src/calendar.ts';
import { times } from './setup/how-long.ts';

const at = (iso: string) => Date.parse(iso) / 1_000;

describe('a day', () => {
  test.each([
    ['UTC', '2024-02-29T23:59:59Z', '2024-02-29'],
    ['UTC', '2024-03-01T00:00:00Z', '2024-03-01'],
    ['Asia/Kolkata', '2024-01-31T18:29:59Z', '2024-01-31'],
    ['Asia/Kolkata', '2024-01-31T18:30:00Z', '2024-02-01'],
    ['Asia/Kathmandu', '2024-01-31T18:14:59Z', '2024-01-31'],
    ['Asia/Kathmandu', '2024-01-31T18:15:00Z', '2024-02-01'],
    // 13 hours ahead in summer, 12 in winter.
    ['Pacific/Auckland', '2024-01-31T10:59:59Z', '2024-01-31'],
    ['Pacific/Auckland', '2024-01-31T11:00:00Z', '2024-02-01'],
    ['Pacific/Auckland', '2024-06-30T11:59:59Z', '2024-06-30'],
    ['Pacific/Auckland', '2024-06-30T12:00:00Z', '2024-07-01'],
    ['America/New_York', '2024-03-10T04:59:59Z', '2024-03-09'],
    ['America/New_York', '2024-03-11T03:59:59Z', '2024-03-10'],
    ['America/New_York', '2024-03-11T04:00:00Z', '2024-03-11'],
    // Samoa left out a whole day when it crossed the date line.
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
    ['America/New_York', '1970-01-01T00:00:00Z', '1969-12-31'],
    ['Pacific/Kiritimati', '9999-12-31T23:59:59Z', '9999-12-31'],
  ])('A day in %s, %s is %s', (zone, moment, day) => {
    expect(TimeZone.named(zone).dayAt(at(moment))).toBe(day);
  });
});

describe('a moment as text', () => {
  test.each([
    ['2024-02-29T23:59:59Z', 0],
    // Parts of a second are cut off, before 1970 as well.
    ['2024-02-29T23:59:59Z', 0.999],
    ['1969-12-31T23:59:59Z', 0.5],
    ['0001-01-01T00:00:00Z', 0],
    ['+010000-01-01T00:00:00Z', 0],
  ])('%s and %f seconds are to the second', (moment, part) => {
    expect(isoText(at(moment) + part)).toBe(moment);
  });

  test('A day begins at midnight in UTC', () => {
    expect(isoText(secondsOfDay('2024-02-29'))).toBe('2024-02-29T00:00:00Z');
  });
});

describe('an hour', () => {
  test.each([
    ['America/New_York', '2024-03-10T06:59:59Z', 1],
    ['America/New_York', '2024-03-10T07:00:00Z', 3],
    // The hour from one to two comes twice.
    ['America/New_York', '2024-11-03T05:30:00Z', 1],
    ['America/New_York', '2024-11-03T06:30:00Z', 1],
    ['America/New_York', '2024-11-03T07:00:00Z', 2],
    ['Asia/Kolkata', '2024-01-31T18:30:00Z', 0],
    // Clocks that move by half an hour.
    ['Australia/Lord_Howe', '2024-04-06T14:59:59Z', 1],
    ['Australia/Lord_Howe', '2024-04-06T15:00:00Z', 1],
    ['Australia/Lord_Howe', '2024-04-06T15:30:00Z', 2],
    // Clocks that moved at one minute past midnight: 00:00:59 was followed by 23:01:00 of the day before.
    ['America/St_Johns', '2010-11-07T02:30:59Z', 0],
    ['America/St_Johns', '2010-11-07T02:31:00Z', 23],
    // 44 minutes and 30 seconds behind, until 1972-01-07.
    ['Africa/Monrovia', '1972-01-07T00:44:29Z', 23],
    ['Africa/Monrovia', '1972-01-07T00:44:30Z', 0],
  ])('An hour in %s, %s is in hour %d', (zone, moment, hour) => {
    expect(TimeZone.named(zone).hourAt(at(moment))).toBe(hour);
  });
});

test.each([
  // Clocks that went from midnight to one o'clock: the day began an hour late.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
  ['America/Sao_Paulo', '2018-11-05', '2018-11-05T02:00:00Z'],
  ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00Z'],
  ['America/New_York', '2024-03-10', '2024-03-10T05:00:00Z'],
])('In %s, the day %s begins at %s', (zone, day, moment) => {
  expect(isoText(TimeZone.named(zone).startOf(day))).toBe(moment);
});

describe('a quarter', () => {
  test.each([
    ['UTC', '2024-01-01T00:00:00Z', 2024 * 4],
    ['UTC', '2024-03-31T23:59:59Z', 2024 * 4],
    ['UTC', '2024-04-01T00:00:00Z', 2024 * 4 + 1],
    ['UTC', '2024-12-31T23:59:59Z', 2024 * 4 + 3],
    ['Pacific/Auckland', '2024-12-31T23:59:59Z', 2025 * 4],
    ['America/New_York', '2025-01-01T00:00:00Z', 2024 * 4 + 3],
  ])('A quarter in %s, %s is number %d', (zone, moment, quarter) => {
    expect(TimeZone.named(zone).quarterAt(at(moment))).toBe(quarter);
  });

  test('A quarter comes right after the last one of the year before', () => {
    const clocks = TimeZone.named('UTC');
    expect(clocks.quarterAt(at('2025-01-01T00:00:00Z')) - clocks.quarterAt(at('2024-12-31T00:00:00Z'))).toBe(1);
  });
});

const zones = Intl.supportedValuesOf('timeZone');

test('Every zone agrees with Intl at any second, whatever was asked before', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: at('2060-01-01T00:00:00Z') }), (zone, seconds) => {
      const shown = new Date(seconds * 1_000)
        .toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
        .split(' ');
      const clocks = TimeZone.named(zone);
      expect([clocks.dayAt(seconds), clocks.hourAt(seconds)]).toEqual([shown[0], Number(shown[1]?.slice(0, 2))]);
    }),
    { numRuns: times(500, 40_000) },
  );
});

test('The seconds around each change of the clocks of four years agree with Intl', () => {
  for (const zone of ['America/New_York', 'America/St_Johns', 'Pacific/Auckland', 'Africa/Casablanca', 'Asia/Gaza']) {
    const clocks = TimeZone.named(zone);
    const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    const hourShown = (seconds: number) => Number(shown.format(seconds * 1_000).slice(11, 13));
    const distance = (seconds: number) => (hourShown(seconds) - Math.floor(seconds / 3_600) + 24 * 1_000_000) % 24;
    let changes = 0;
    let after = distance(at('2008-01-01T00:00:00Z'));
    for (let hour = at('2008-01-01T00:00:00Z'); hour < at('2012-01-01T00:00:00Z'); hour += 3_600) {
      const before = after;
      after = distance(hour + 3_600);
      if (before === after) continue;
      changes += 1;
      for (let minute = hour; minute <= hour + 3_600; minute += 60) {
        for (const seconds of [minute - 1, minute]) expect(clocks.hourAt(seconds)).toBe(hourShown(seconds));
      }
    }
    expect(changes).toBeGreaterThan(6);
  }
});

test('An unknown zone is refused at once', () => {
  expect(() => TimeZone.named('Mars/Olympus')).toThrow(RangeError);
});

test('A zone remembers only so many days, however many it is asked about', () => {
  const clocks = TimeZone.named('Pacific/Auckland');
  for (let day = 0; day < 31_000; day += 1) clocks.dayAt(day * 86_400);
  expect(clocks.remembered).toBeLessThan(30_000);
  expect(clocks.dayAt(at('2024-01-31T11:00:00Z'))).toBe('2024-02-01');
});

test.each([
  [10, 25, 15],
  [10, 10, 0],
  [25, 10, 0],
  [0, 5, 5],
  [null, 10, null],
  [10, null, null],
  [null, null, null],
])('A span from %s to %s is %s', (from, to, span) => {
  expect(closedSpan(from, to)).toBe(span);
});
