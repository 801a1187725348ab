import { describe, expect, test } from 'vitest';
import { hourMap, maxShown, teamMap, waitMap } from '../../../web/src/pages/reviews/heat-maps.ts';
import { loadChart, loads, spreadOf } from '../../../web/src/pages/reviews/load.ts';
import { reviewSentence } from '../../../web/src/pages/reviews/sentence-words.ts';
import { saidText } from '../../../web/src/view/said-text.ts';
import { aChange } from './a-change.ts';

const person = (name: string, reviews: number, opened = 0) => ({
  merged_user_id: name,
  name,
  person_login: name,
  is_bot: false,
  review_interactions_count: reviews,
  pr_count: opened,
});

describe('the load of reviews', () => {
  test('The load of reviews puts the accounts of a person together, leaves bots out, and names nobody', () => {
    const rows = [
      person('Zoe', 3),
      { ...person('Ada', 1, 2), person_login: 'ada-2' },
      person('Ada', 4),
      { ...person('Bot', 99), is_bot: true },
    ];
    expect(loads(rows)).toEqual([
      { id: 'Ada', name: 'Ada', reviews: 5, opened: 2 },
      { id: 'Zoe', name: 'Zoe', reviews: 3, opened: 0 },
    ]);
    const chart = loadChart(loads([...rows, person('Asa', 0, 1)]), 'load');
    expect(chart.categories.map(({ label }) => label)).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(chart.series[0]?.points.map(({ value }) => value)).toEqual([1, 0, 0, 1, 0, 1]);
    expect(JSON.stringify(chart)).not.toMatch(/Ada|Zoe|Asa/);
  });

  test('The bars of a load are few, and everybody is in one of them', () => {
    const people = Array.from({ length: 300 }, (_, at) => person(`p${at}`, at));
    const { categories, series } = loadChart(loads(people.slice(1)), 'load');
    expect(categories.map(({ label }) => label)).toEqual([
      '0',
      '1–50',
      '51–100',
      '101–150',
      '151–200',
      '201–250',
      '251–300',
    ]);
    expect(series[0]?.points.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(299);
  });

  test('Accounts that nobody is known by stay apart', () => {
    const unknown = (login: string) => ({ ...person('', 1), merged_user_id: null, name: null, person_login: login });
    expect(loads([unknown('a'), unknown('b')]).map(({ id, name }) => [id, name])).toEqual([
      [null, 'a'],
      [null, 'b'],
    ]);
  });

  test('The spread of the load is of those who reviewed', () => {
    const people = loads([person('a', 1), person('b', 2), person('c', 3), person('d', 10), person('e', 0, 5)]);
    expect(spreadOf(people)).toEqual({ reviewers: 4, reviews: 16, low: 2, median: 3, high: 10, half: 1 });
    expect(spreadOf(loads([person('e', 0, 5)]))).toBeUndefined();
  });
});

describe('the maps of reviews', () => {
  test('Days become weekdays, Monday first', () => {
    const { cells, rows } = hourMap(
      [
        { day_date: '2026-11-16', review_hour_of_day: 9, reviews_by_time_of_day: 2 },
        { day_date: '2026-11-09', review_hour_of_day: 9, reviews_by_time_of_day: 3 },
        { day_date: '2026-11-15', review_hour_of_day: 23, reviews_by_time_of_day: 1 },
      ],
      'hours',
    );
    expect([rows[0]?.name, cells[0]?.[9]?.value]).toEqual(['Monday', 5]);
    expect([rows[6]?.name, cells[6]?.[23]?.value]).toEqual(['Sunday', 1]);
  });

  test('Waits are medians by the hour in which pull requests are opened, in the time zone of the organisation', () => {
    const opened = (pr_created_at: string, median_pickup_time: number | null) => ({
      pr_created_at,
      median_pickup_time,
    });
    const { cells, isAddedUp } = waitMap(
      [
        // Half past eleven in the evening of a summer Sunday in UTC is half past midnight of Monday in London.
        opened('2026-07-05T23:30:00Z', 100),
        opened('2026-07-12T23:10:00Z', 300),
        opened('2026-07-12T23:10:00Z', null),
        opened('2026-11-16T00:59:59Z', 900),
        opened('2026-11-17T09:00:00Z', 50),
        opened('2026-11-17T09:30:00Z', 60),
      ],
      'waits',
      'Europe/London',
    );
    expect(cells[0]?.[0]).toEqual({ value: 300, n: 3 });
    expect(cells[1]?.[9]).toEqual({ value: 55, n: 2 });
    expect(cells[6]?.[23]).toEqual({ value: null, n: 0 });
    expect(isAddedUp).toBe(true);
  });

  test('The maps of reviews of many teams the largest are shown, and the reviews of the others are counted', () => {
    const rows = Array.from({ length: maxShown.teams + 2 }, (_, at) => ({
      team_name: at === 0 ? null : `team ${String(at).padStart(2, '0')}`,
      repository_name: 'r',
      review_interactions_count: at + 1,
    }));
    const { teams, others, chart } = teamMap(rows, 'teams');
    expect(teams).toHaveLength(maxShown.teams);
    expect(teams).toEqual([...teams].sort());
    expect(others).toBe(1 + 2);
    expect(chart.cells.at(-1)?.[0]?.value).toBe(maxShown.teams + 2);
  });
});

describe('the sentence of reviews', () => {
  const found = {
    pickup: aChange(20 * 3_600, 23 * 3_600, 'down', 'duration'),
    changesRequested: 0.133,
    spread: { reviewers: 40, reviews: 300, low: 2, median: 5, high: 9, half: 8 },
    before: 'the 90 days before',
    isOwn: false,
  };
  test('The sentence of reviews says how long, how it ends and how evenly', () => {
    expect(saidText(reviewSentence(found))).toBe(
      'Half of the pull requests waited less than 20h for a first review, 3h shorter than in the 90 days before. ' +
        '13% of reviews asked for changes. 8 of 40 reviewers gave half of all reviews.',
    );
  });
  test('The sentence of reviews says nothing of a spread to whoever sees only themselves, and of nothing nothing', () => {
    expect(saidText(reviewSentence({ ...found, isOwn: true }))).not.toContain('reviewers');
    expect(
      saidText(
        reviewSentence({
          ...found,
          pickup: aChange(null, null, null, 'duration'),
          changesRequested: null,
          spread: undefined,
        }),
      ),
    ).toBe('There are no reviews in this window.');
  });
});
