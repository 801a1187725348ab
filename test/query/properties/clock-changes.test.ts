import { describe, expect, test } from 'vitest';
import { evaluate } from '../../reference/evaluate.ts';
import { worldOf } from '../../reference/written-world.ts';
import { askedWorld } from '../asked-world.ts';

interface Night {
  readonly zone: string;
  /** The day on which the clocks change. */
  readonly day: string;
  readonly hours: 23 | 25;
  /** Its first second and its last. */
  readonly first: string;
  readonly last: string;
  readonly dayBefore: string;
  readonly dayAfter: string;
}

/** From the tables of the zones, by hand. */
const nights: readonly Night[] = [
  {
    zone: 'America/New_York',
    day: '2024-03-10',
    hours: 23,
    first: '2024-03-10T05:00:00Z',
    last: '2024-03-11T03:59:59Z',
    dayBefore: '2024-03-09',
    dayAfter: '2024-03-11',
  },
  {
    zone: 'America/New_York',
    day: '2023-11-05',
    hours: 25,
    first: '2023-11-05T04:00:00Z',
    last: '2023-11-06T04:59:59Z',
    dayBefore: '2023-11-04',
    dayAfter: '2023-11-06',
  },
  {
    zone: 'Pacific/Auckland',
    day: '2023-09-24',
    hours: 23,
    first: '2023-09-23T12:00:00Z',
    last: '2023-09-24T10:59:59Z',
    dayBefore: '2023-09-23',
    dayAfter: '2023-09-25',
  },
  {
    zone: 'Pacific/Auckland',
    day: '2024-04-07',
    hours: 25,
    first: '2024-04-06T11:00:00Z',
    last: '2024-04-07T11:59:59Z',
    dayBefore: '2024-04-06',
    dayAfter: '2024-04-08',
  },
];

test('The process itself is in another zone than any of them', () => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect([...nights.map(({ zone }) => zone), 'UTC']).not.toContain(here);
});

describe.each(nights)('$day in $zone, which has $hours hours', (night) => {
  const { zone, day, hours, first, last, dayBefore, dayAfter } = night;
  const second = (iso: string, offset: number) => new Date(Date.parse(iso) + offset * 1_000).toISOString();
  // One at either side of both ends, and one in every half-hour between.
  const within = Array.from({ length: hours * 2 }, (_, i) => second(first, i * 1_800));
  const times = [second(first, -1), ...within, last, second(last, 1)];
  const world = worldOf({
    timeZone: zone,
    facts: { workflow_runs: times.map((at, i) => ({ workflow_run_id: `w${i}`, run_created_at: at })) },
  });
  const asked = askedWorld(world);

  const cases = [
    {
      promise: 'as a window has all of its hours and nothing else',
      body: { filters: { start_date: day, end_date: day } },
      rows: [{ date_level_not_set: true, workflow_runs_count: hours * 2 + 1 }],
    },
    {
      promise: 'as a bucket stands between its neighbours',
      body: { filters: { start_date: dayBefore, end_date: dayAfter }, date_level: 'day' },
      rows: [
        { day_date: dayBefore, workflow_runs_count: 1 },
        { day_date: day, workflow_runs_count: hours * 2 + 1 },
        { day_date: dayAfter, workflow_runs_count: 1 },
      ],
    },
    {
      promise: 'from its first second to its last is the same, given as instants',
      body: { filters: { start_date: first, end_date: last }, date_level: 'day' },
      rows: [{ day_date: day, workflow_runs_count: hours * 2 + 1 }],
    },
    {
      promise: 'without its first and last second is two less',
      body: { filters: { start_date: second(first, 1), end_date: second(last, -1) } },
      rows: [{ date_level_not_set: true, workflow_runs_count: hours * 2 - 1 }],
    },
    {
      promise: 'is a whole day before the next one',
      body: { filters: { start_date: dayAfter, end_date: dayAfter }, include_previous_period: true },
      results: { value: 1, previous_value: hours * 2 + 1, range: { start_date: day, end_date: day } },
    },
  ];

  test.each(cases)('$promise', async ({ body, rows, results }) => {
    const said = JSON.parse((await asked().ask('organisation', 'workflow-runs-count', body)).text);
    const expected = evaluate(world, 'organisation', 'workflow-runs-count', body).answer;
    for (const answer of [said, expected]) {
      if (rows) expect(answer).toEqual(rows);
      if (results) {
        expect(answer.results).toEqual([
          expect.objectContaining({ value: results.value, previous_value: results.previous_value }),
        ]);
        expect(answer.meta.previous_date_range).toEqual(results.range);
      }
    }
  });
});
