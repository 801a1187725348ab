import { describe, expect, test } from 'vitest';
import { groupColumnsOf } from '../../src/catalogue/group-columns.ts';
import { type Metric, valueColumnsOf } from '../../src/catalogue/metric.ts';
import { aggregations } from '../../src/expression/expression.ts';
import { evaluate } from '../reference/evaluate.ts';
import type { QuestionBody } from '../reference/question.ts';
import type { Seeing } from '../reference/world.ts';
import { isLong } from '../setup/how-long.ts';
import { differenceOf } from './agreement.ts';
import { askedWorld } from './asked-world.ts';
import { personIds, teamIds } from './random-world.ts';
import { allMetrics, seededWorld } from './seeded-worlds.ts';

const { world } = seededWorld(0);
const filters = { start_date: '2023-10-01', end_date: '2024-04-30' };
const manager: Seeing = {
  self: personIds[0] ?? '',
  teamIds: teamIds.slice(0, 1),
  hasReports: true,
  leadsSquads: false,
};

/** A number for everything, by month and a column of people, beside the period before, and as a chart. */
function formsOf({ dates, kind, table }: Metric): QuestionBody[] {
  const group_by = groupColumnsOf(table).has('team_name') ? ['team_name'] : ['team_names'];
  if (dates.length === 0) return [{ filters }, { filters, group_by }];
  const chart = { filters, group_by, date_level: 'month', time_series_data: true };
  return [
    { filters },
    { filters, group_by, date_level: 'month' },
    { filters, group_by, include_previous_period: true },
    ...(kind === 'text' ? [] : [chart]),
  ];
}

describe('n is how many rows have the value', () => {
  const asked = askedWorld(world);

  const cases = allMetrics.flatMap((metric, at) =>
    (metric.kind === 'aggregated' ? aggregations : [undefined]).map((aggregation, nth) => ({
      metric,
      aggregation,
      // Outside the long run one aggregation of a metric, and of the next metric another.
      isAsked: isLong || (at + nth) % aggregations.length === 0 || metric.kind !== 'aggregated',
      name: [metric.name, ...(aggregation ? [aggregation] : [])].join(' by '),
    })),
  );

  // Each in another form than the one before it, and eight further on in another form again.
  const inTurn = cases.filter(({ isAsked }) => isAsked).map((one, i) => ({ ...one, turn: i + Math.floor(i / 8) }));

  test.concurrent.each(inTurn)('N is how many rows have the value of $name', async ({ metric, aggregation, turn }) => {
    const questions = (['organisation', manager] as const).flatMap((seeing) =>
      formsOf(metric).map((form) => ({ seeing, form })),
    );
    // Outside the long run an aggregation of one metric meets one form and one who asks, and that of the next metric
    // another. What has no aggregation meets one form, and both who ask.
    const each = aggregation === undefined ? formsOf(metric).length : questions.length;
    const isAsked = (at: number) => isLong || (at + turn) % each === 0;
    for (const { seeing, form } of questions.filter((_, at) => isAsked(at))) {
      const body = { ...form, ...(aggregation ? { aggregation } : {}) };
      const expected = evaluate(world, seeing, metric.name, body, { showsN: true });
      const said = await asked().ask(seeing, metric.name, body, { showsN: true });
      expect(differenceOf(said.text, expected.answer), JSON.stringify(body)).toBeUndefined();
      expect(said.text).toContain('"n":');
    }
  });

  test('N is how many rows have the value and asking for it changes nothing else', async () => {
    for (const metric of allMetrics.filter((_, at) => isLong || at % 6 === 0)) {
      const [form] = formsOf(metric).slice(-1);
      const body = { ...form, ...(metric.kind === 'aggregated' ? { aggregation: 'avg' } : {}) };
      const [plain, counted] = [
        await asked().ask('organisation', metric.name, body),
        await asked().ask('organisation', metric.name, body, { showsN: true }),
      ];
      expect(plain.text).not.toContain('"n":');
      const without = JSON.stringify(JSON.parse(counted.text), (key, value) => (key === 'n' ? undefined : value));
      expect(without).toBe(plain.text);
    }
  });

  test('N is how many rows have the value and is not zero everywhere', async () => {
    const { text } = await asked().ask('organisation', 'cycle-time', { filters, aggregation: 'avg' }, { showsN: true });
    const [row] = JSON.parse(text);
    const having = world.facts.pull_requests.filter(({ cycle_time }) => cycle_time !== null).length;
    expect(row.n).toBeGreaterThan(0);
    expect(row.n).toBeLessThanOrEqual(having);
  });
});

test('No column that rows are grouped by is called as n is', () => {
  for (const metric of allMetrics) {
    const values = valueColumnsOf(metric, 'avg').map(({ column }) => column);
    const names = [...groupColumnsOf(metric.table).keys(), ...values];
    expect(names.filter((name) => name === 'n' || name.startsWith('n_'))).toEqual([]);
  }
});

test('The values of a metric with several are in the same rows', () => {
  // So one n is right for all of them.
  const several = allMetrics.filter((metric) => metric.kind === 'aggregated' && metric.values.length > 1);
  expect(several.map(({ name }) => name)).toEqual(['pull-requests-size']);
});
