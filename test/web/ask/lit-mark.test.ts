import { expect, test } from 'vitest';
import type { ChartDescription } from '../../../src/charts/chart-description.ts';
import { litMark, type PanelOfMark } from '../../../web/src/ask/lit-mark.ts';
import { fromSearch, type PanelState, toSearch } from '../../../web/src/ask/view-state.ts';
import { aView } from '../pages/a-view.ts';

const weeks = ['2026-11-02', '2026-11-09'].map((start, at) => ({ start, end: ['2026-11-08', '2026-11-15'][at] ?? '' }));
const points = (...values: readonly (number | null)[]) => values.map((value) => ({ value }));
const chart: ChartDescription = {
  kind: 'line',
  title: 'Cycle time',
  measure: 'duration',
  categories: weeks.map(({ start }) => ({ label: start })),
  series: [
    { name: 'Checkout', points: points(1, 2) },
    { name: 'Ledger', points: points(null, 4) },
  ],
};
const panelOf: PanelOfMark = ({ series, category }) => {
  const window = weeks[category];
  return window && { metric: 'cycle-time', window, where: { team_name: ['Checkout', 'Ledger'][series] ?? null } };
};
/** As the address gives it back. */
const reloaded = (panel: PanelState | undefined) => panel && fromSearch(toSearch({ ...aView().state, panel })).panel;

test('The mark that leads to the open records is lit, also after a reload', () => {
  for (const mark of [
    { series: 0, category: 0 },
    { series: 0, category: 1 },
    { series: 1, category: 1 },
  ]) {
    expect(litMark(chart, panelOf, reloaded(panelOf(mark)))).toEqual(mark);
  }
});

test('Nothing is lit where no mark leads to what is open, where nothing is open, and where there is no value', () => {
  expect(litMark(chart, panelOf, { metric: 'cycle-time' })).toBeUndefined();
  expect(litMark(chart, panelOf, undefined)).toBeUndefined();
  expect(litMark(chart, undefined, panelOf({ series: 0, category: 0 }))).toBeUndefined();
  expect(litMark(chart, panelOf, panelOf({ series: 1, category: 0 }))).toBeUndefined();
});

test('A cell of a map is lit by its row and its column', () => {
  const map: ChartDescription = {
    kind: 'heat-map',
    title: 'Reviews',
    measure: 'count',
    rows: [{ label: 'Mon' }, { label: 'Tue' }],
    columns: [{ label: '9' }, { label: '10' }],
    cells: [points(1, 2), points(3, 4)],
  };
  const cell: PanelOfMark = ({ series, category }) => ({
    metric: 'reviews-by-time-of-day',
    where: { weekday: String(series), review_hour_of_day: String(category) },
  });
  expect(litMark(map, cell, reloaded(cell({ series: 1, category: 0 })))).toEqual({ series: 1, category: 0 });
});
