import { beforeAll, describe, expect, test } from 'vitest';
import type { CatalogueDocument } from '../../../src/catalogue/catalogue-document.ts';
import { filters } from '../../../src/catalogue/filters.ts';
import { metrics } from '../../../src/catalogue/metrics/all-metrics.ts';
import { askedTables, factTables } from '../../../src/catalogue/tables/all-tables.ts';
import { isLong } from '../../setup/how-long.ts';
import type { Service } from '../../setup/running-app.ts';
import { unchangedMetrics } from '../metrics/some-metrics.ts';

const unchanged = unchangedMetrics();
let service: Service;
let catalogue: CatalogueDocument;
beforeAll(async () => {
  service = unchanged();
  const answer = await service.request('GET', '/catalogue', { key: service.keys.engineer });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  catalogue = answer.json as CatalogueDocument;
});

const metricNamed = (name: string) => catalogue.metrics.find((metric) => metric.name === name);
const tableNamed = (name: string | null | undefined) => catalogue.tables.find((table) => table.name === name);

test('The catalogue is the same for everyone, byte for byte', async () => {
  const texts = await Promise.all(
    Object.values(service.keys).map(async (key) => (await service.request('GET', '/catalogue', { key })).text),
  );
  expect(new Set(texts).size).toBe(1);
});

test('The catalogue needs a key, and takes no parameters and no other method', async () => {
  const { owner } = service.keys;
  expect((await service.request('GET', '/catalogue')).status).toBe(401);
  expect((await service.request('GET', '/catalogue?table=issues', { key: owner })).status).toBe(400);
  const posted = await service.request('POST', '/catalogue', { key: owner });
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('Everything that is declared is in it', () => {
  expect(catalogue.metrics.map(({ name }) => name)).toEqual([...metrics.keys(), 'date-details']);
  expect(catalogue.tables.map(({ name }) => name).sort()).toEqual(
    Object.keys({ ...factTables, ...askedTables }).sort(),
  );
  expect(catalogue.filters.map(({ name }) => name)).toEqual(['start_date', 'end_date', ...Object.keys(filters)]);
  expect(catalogue.date_levels).toEqual(['day', 'week', 'month', 'quarter', 'year']);
  expect(catalogue.aggregations.map(({ name }) => name)).toEqual([
    'SUM',
    'AVG',
    'MIN',
    'MAX',
    'MEDIAN',
    'P75',
    'P90',
    'P95',
  ]);
  expect(catalogue.units.map(({ name }) => name)).toEqual(['seconds', 'lines', 'bytes', 'usd', 'tokens']);
});

test('Nothing in it is without a meaning', () => {
  const { tables, filters: all, aggregations, units, gates } = catalogue;
  const entries = [
    ...tables,
    ...tables.flatMap(({ columns, group_columns }) => [...columns, ...group_columns]),
    ...catalogue.metrics,
    ...all,
    ...aggregations,
    ...units,
    ...gates,
  ];
  expect(entries.filter(({ meaning }) => meaning.trim().length < 4).map(({ name }) => name)).toEqual([]);
});

test('Columns that nobody can ask for are not in it', () => {
  const shown = catalogue.tables.flatMap(({ name, columns, group_columns }) =>
    [...columns, ...group_columns].map((column) => `${name}.${column.name}`),
  );
  const hidden = Object.values({ ...factTables, ...askedTables }).flatMap((table) =>
    Object.entries(table.columns).flatMap(([name, column]) => ('hidden' in column ? `${table.name}.${name}` : [])),
  );
  expect(hidden.length).toBeGreaterThan(20);
  expect(shown.filter((name) => hidden.includes(name))).toEqual([]);
  expect(shown.filter((name) => /\.(actor|given_)/.test(name))).toEqual([]);
});

test('What may not be asked by everyone is listed with its gate', () => {
  expect(metricNamed('salary')).toMatchObject({ gate: 'salary', needs_aggregation: true, default_date_field: null });
  const gated = catalogue.metrics.flatMap(({ name, gate }) => (gate === 'survey' ? name : []));
  expect(gated).toHaveLength(4);
  expect(tableNamed('user_metrics')?.group_columns.map(({ name }) => name)).not.toContain('salary');
});

test('A metric tells how it is asked', () => {
  expect(metricNamed('cycle-time')).toMatchObject({
    title: 'Cycle time',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    unit: 'seconds',
    better: 'lower',
    columns: ['{aggregation}_cycle_time'],
    needs_aggregation: true,
    default_date_field: 'pr_merged_at',
    gate: null,
    group_columns_of: 'pull_requests',
  });
  expect(metricNamed('pull-requests-count')?.columns).toEqual(['pr_count']);
  expect(metricNamed('reviews-by-time-of-day')?.always_grouped_by).toEqual(['review_hour_of_day']);
  expect(metricNamed('date-details')).toMatchObject({ table: null, kind: 'calendar', columns: expect.any(Array) });
});

describe('what it says is true', () => {
  const window = { start_date: '2024-03-01', end_date: '2024-03-31' };
  const ask = async (metric: string, body: object) => {
    const { json, status } = await service.request('POST', `/metrics/${metric}`, { key: service.keys.owner, body });
    return { status, json };
  };
  const asked = (name: string) => metricNamed(name)?.needs_aggregation ?? false;

  test('Every metric answers with its columns, by its default date', async () => {
    const formsSeen = new Set<string>();
    for (const { name, columns, table, needs_aggregation, gate, default_date_field } of catalogue.metrics) {
      if (gate === 'salary' || name === 'date-details') continue;
      // Those of one table, date and form are named by the same rules: all of them are asked in the long run.
      const form = JSON.stringify([table, needs_aggregation, columns.length, default_date_field]);
      if (!isLong && formsSeen.has(form)) continue;
      formsSeen.add(form);
      const { status, json } = await ask(name, {
        filters: window,
        ...(needs_aggregation ? { aggregation: 'SUM' } : {}),
        ...(default_date_field ? { date_field: default_date_field } : {}),
      });
      expect([name, status]).toEqual([name, 200]);
      const [row = {}] = json as object[];
      const expected = columns.map((column) => column.replace('{aggregation}', 'sum'));
      if (name !== 'reviews-by-time-of-day') expect([name, Object.keys(row).slice(1)]).toEqual([name, expected]);
    }
  });

  test('Every date field, filter and group column of every metric is taken', async () => {
    const tablesSeen = new Set<string | null>();
    for (const { name, date_fields, filters: taken, table, gate } of catalogue.metrics) {
      if (gate === 'salary' || name === 'date-details') continue;
      // Metrics of one table take the same ones: all of them are asked in the long run.
      if (!isLong && tablesSeen.has(table)) continue;
      tablesSeen.add(table);
      const base = asked(name) ? { aggregation: 'AVG' } : {};
      for (const { name: date_field } of date_fields) {
        expect([name, date_field, (await ask(name, { filters: window, ...base, date_field })).status]).toEqual([
          name,
          date_field,
          200,
        ]);
      }
      const everyFilter = Object.fromEntries(
        taken.map((filter) => [filter, Object.hasOwn(window, filter) ? window[filter as keyof typeof window] : null]),
      );
      const group_by = tableNamed(table)?.group_columns.map((column) => column.name) ?? [];
      const { status, json } = await ask(name, { filters: everyFilter, ...base, group_by });
      expect([name, status, status === 200 ? '' : json]).toEqual([name, 200, '']);
    }
  });
});
