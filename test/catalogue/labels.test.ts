import { expect, test } from 'vitest';
import { columnLabels } from '../../src/catalogue/labels/column-labels.ts';
import { filterLabels } from '../../src/catalogue/labels/filter-labels.ts';
import { metricLabels } from '../../src/catalogue/labels/metric-labels.ts';
import { columnLabel, valueLabel } from '../../src/catalogue/labels/shown-names.ts';
import { valueLabels } from '../../src/catalogue/labels/value-labels.ts';
import { dateDetails, metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { askedTables, factTables } from '../../src/catalogue/tables/all-tables.ts';
import { catalogue } from '../../src/query/date-details.ts';

const columns = Object.values<Table>({ ...askedTables, ...factTables }).flatMap((table) =>
  Object.entries(table.columns).filter(([, { hidden }]) => !hidden),
);

test('Every value of a closed list has a name', () => {
  const unnamed = columns.flatMap(([name, { oneOf = [] }]) =>
    oneOf.filter((value) => valueLabels[name]?.[value] === undefined).map((value) => `${name}: ${value}`),
  );
  expect(unnamed).toEqual([]);
});

test('No name is given to a column or a metric that there is not', () => {
  const names = new Set(columns.map(([name]) => name));
  expect(Object.keys(valueLabels).filter((name) => !names.has(name))).toEqual([]);
  expect(Object.keys(metricLabels).filter((name) => !metrics.has(name) && name !== dateDetails)).toEqual([]);
});

test('Names are in sentence case, without the signs of machines', () => {
  const all = [columnLabels, metricLabels, filterLabels, ...Object.values(valueLabels)].flatMap((labels) =>
    Object.values<string>(labels),
  );
  expect(all.length).toBeGreaterThan(400);
  expect(all.filter((label) => /_|^[a-z]|[.;]$|^$/.test(label))).toEqual([]);
});

test('Two metrics never have the same name', () => {
  const labels = Object.values(metricLabels);
  expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([]);
});

test('What nobody has named is shown in sentence case, and what records wrote stays as it is', () => {
  expect(columnLabel('some_new_column')).toBe('Some new column');
  expect(valueLabel('event_type', 'head_ref_force_pushed')).toBe('Head ref force pushed');
  expect(valueLabel('source', 'github-copilot')).toBe('GitHub Copilot');
  expect(valueLabel('source', 'home-grown')).toBe('Home grown');
  expect(valueLabel('branch', 'fix_it')).toBe('fix_it');
  expect(valueLabel('__proto__', 'toString')).toBe('toString');
});

test('The catalogue tells the names to everyone who asks it', () => {
  const { tables, metrics: entries, filters } = catalogue();
  const deployments = tables.find(({ name }) => name === 'deployments');
  const reason = deployments?.columns.find(({ name }) => name === 'failure_reason');
  expect(reason).toMatchObject({ label: 'Failure', value_labels: { revert_pr: 'Reverted' } });
  expect(entries.find(({ name }) => name === 'pickup-time')?.label).toBe('First review wait');
  expect(filters.find(({ name }) => name === 'pr_states')?.label).toBe('State');
});
