import { describe, expect, test } from 'vitest';
import { dayNumber } from '../../src/calendar.ts';
import { harrowAndTide, northwindPay } from '../../src/demo/demo-profiles.ts';
import { publicHolidays, WorkingCalendar } from '../../src/demo/history/working-calendar.ts';
import { secondsOf, shareOf, someHistories } from './some-history.ts';

const histories = someHistories();
const hour = 3_600;

/** Parts of a moment as the clocks of a zone show it. */
function localParts(timeZone: string): (timestamp: string | null | undefined) => { weekday: string; hour: number } {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: 'numeric', hourCycle: 'h23' });
  return (timestamp) => {
    const parts = format.formatToParts(secondsOf(timestamp) * 1_000);
    const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
    return { weekday: part('weekday'), hour: Number(part('hour')) };
  };
}

describe('the activity of a history', () => {
  test('The activity of a history has few pull requests on weekends, but for volunteers', () => {
    for (const { organisation, records } of histories) {
      const partsOf = localParts(organisation.timeZone);
      const weekend = shareOf(records.pull_requests, ({ pr_created_at }) =>
        ['Sat', 'Sun'].includes(partsOf(pr_created_at).weekday),
      );
      if (organisation.slug === 'open-meridian') expect(weekend).toBeGreaterThan(0.1);
      else expect(weekend, organisation.slug).toBeLessThan(0.09);
    }
  });

  test('The activity of a history follows the working hours of the organisation’s own time zone', () => {
    for (const { organisation, records } of histories) {
      if (organisation.slug === 'open-meridian') continue;
      const partsOf = localParts(organisation.timeZone);
      const atWork = (at: string | null | undefined) => partsOf(at).hour >= 8 && partsOf(at).hour < 19;
      expect(shareOf(records.pull_requests, ({ pr_created_at }) => atWork(pr_created_at))).toBeGreaterThan(0.88);
      expect(shareOf(records.pull_request_reviews, ({ reviewed_at }) => atWork(reviewed_at))).toBeGreaterThan(0.88);
    }
  });

  test('The activity of a history grows over the two years', () => {
    const middle = secondsOf('2025-01-01T00:00:00Z');
    for (const { organisation, records } of histories) {
      const late = shareOf(records.pull_requests, ({ pr_created_at }) => secondsOf(pr_created_at) >= middle);
      expect(late, organisation.slug).toBeGreaterThan(0.51);
      expect(late, organisation.slug).toBeLessThan(0.68);
    }
  });

  test('The activity of a history pauses on public holidays and slows down when people are away', () => {
    const monthly = (slug: string, month: string) =>
      histories
        .filter(({ organisation }) => organisation.slug === slug)
        .flatMap(({ records }) => records.pull_requests)
        .filter(({ pr_created_at }) => pr_created_at?.slice(5, 7) === month).length;
    expect(monthly('public-registers', '07')).toBeLessThan(monthly('public-registers', '05') * 0.8);
    expect(monthly('harrow-and-tide', '01')).toBeLessThan(monthly('harrow-and-tide', '03') * 0.9);
    expect(monthly('lanternfall-studios', '10')).toBeGreaterThan(monthly('lanternfall-studios', '03') * 1.2);
    const christmas = histories
      .flatMap(({ records }) => records.pull_requests)
      .filter(({ pr_created_at }) => pr_created_at?.slice(5, 10) === '12-25');
    expect(christmas.length).toBeLessThan(5);
  });
});

describe('public holidays', () => {
  test('Public holidays move with Easter and with the weekdays', () => {
    const british = publicHolidays('GB', 2025);
    for (const day of ['2025-04-18', '2025-04-21', '2025-05-05', '2025-05-26', '2025-08-25']) {
      expect(british).toContain(day);
    }
    expect(publicHolidays('GB', 2024)).toContain('2024-03-29');
    expect(publicHolidays('CA', 2025)).toContain('2025-05-19');
    expect(publicHolidays('NZ', 2025)).toContain('2025-10-27');
    expect(publicHolidays('NZ', 2025)).toContain('2025-06-20');
    expect(publicHolidays('IN', 2025)).toContain('2025-10-20');
  });
});

describe('the working calendar', () => {
  const [first, end] = [dayNumber('2025-01-01'), dayNumber('2026-01-01')];
  const auckland = new WorkingCalendar(harrowAndTide, first, end);
  const london = new WorkingCalendar(northwindPay, first, end);

  test('The working calendar begins its days at midnight of the zone, in summer and in winter', () => {
    const winter = dayNumber('2025-07-01');
    const summer = dayNumber('2025-01-15');
    expect(auckland.startOf(winter)).toBe(secondsOf('2025-06-30T12:00:00Z'));
    expect(auckland.startOf(summer)).toBe(secondsOf('2025-01-14T11:00:00Z'));
    expect(auckland.dayOf(secondsOf('2025-06-30T11:59:59Z'))).toBe(winter - 1);
    expect(auckland.dayOf(secondsOf('2025-06-30T12:00:00Z'))).toBe(winter);
    expect(london.startOf(dayNumber('2025-03-31'))).toBe(secondsOf('2025-03-30T23:00:00Z'));
  });

  test('The working calendar lets working time pass from Friday evening to Monday morning', () => {
    // 17:30 on a Friday, half an hour before the end of the day; Monday begins at nine.
    const friday = secondsOf('2025-01-10T17:30:00Z');
    expect(london.later(friday, 0.5 * hour, 0)).toBe(secondsOf('2025-01-10T18:00:00Z'));
    expect(london.later(friday, 1.5 * hour, 0)).toBe(secondsOf('2025-01-13T10:00:00Z'));
    expect(london.later(secondsOf('2025-01-11T12:00:00Z'), hour, 0)).toBe(secondsOf('2025-01-13T10:00:00Z'));
    expect(london.later(secondsOf('2025-01-13T12:00:00Z'), hour, 0)).toBe(secondsOf('2025-01-13T13:45:00Z'));
    // Good Friday and Easter Monday are no working days.
    expect(london.later(secondsOf('2025-04-17T16:30:00Z'), hour, 0)).toBe(secondsOf('2025-04-22T08:30:00Z'));
  });

  test('The working calendar goes back as far as it goes forth', () => {
    for (let step = 0; step < 400; step += 1) {
      const at = london.later(london.startOf(first + 20) + step * 40_000, 0, 0);
      const work = 600 + step * 500;
      const there = london.later(at, work, 0);
      expect(Math.abs(london.later(london.earlier(there, work, 0), work, 0) - there)).toBeLessThanOrEqual(1);
      expect(london.earlier(there, work, 0)).toBeLessThanOrEqual(there - work);
    }
  });

  test('The working calendar never lets time run backwards, even past the days it knows', () => {
    const endAt = london.startOf(end);
    const far = endAt + 400 * 86_400;
    expect(london.later(far, hour, 0)).toBeGreaterThan(far);
    expect(london.later(endAt, 5_000 * hour, 0)).toBeGreaterThan(endAt);
    expect(london.earlier(london.startOf(first), 5_000 * hour, 0)).toBeLessThan(london.startOf(first));
  });
});
