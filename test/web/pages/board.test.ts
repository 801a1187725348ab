import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askedPanel, rangeOf } from '../../../web/src/ask/board-document.ts';
import { panelOf, panelOfChart } from '../../../web/src/ask/panel-of.ts';
import { slugOf } from '../../../web/src/ask/stored-documents.ts';
import { firstState, fromSearch, noFilters, toSearch } from '../../../web/src/ask/view-state.ts';
import { windowOf } from '../../../web/src/ask/windows.ts';
import { changed, documentOf, draftOf, moved, placeByKey } from '../../../web/src/pages/board/draft.ts';
import { inStrips } from '../../../web/src/pages/board/strips.ts';
import { aView } from './a-view.ts';

const view = aView({ range: { start: '2026-10-05', end: '2026-10-18' } });

describe('a panel as a question', () => {
  const panel = {
    metric: 'cycle-time',
    request: { aggregation: 'MEDIAN', date_level: 'week', filters: { team: ['a'], repositories: ['web'] } },
    view: 'line',
  } as const;

  test('The days of the page and the filters of the board lie over its own', () => {
    const asked = askedPanel(view, { filters: { team: ['b'], run_conclusions: ['failure'] } }, panel);
    expect(asked?.question).toEqual({
      path: '/metrics/cycle-time',
      body: {
        aggregation: 'MEDIAN',
        date_level: 'week',
        filters: { start_date: '2026-10-05', end_date: '2026-10-18', repositories: ['web'], team: ['b'] },
      },
    });
    expect(asked?.asked).toMatchObject({ level: 'week', filters: { team: ['b'], repositories: ['web'] } });
  });

  test('What the reader has chosen lies over the board, under any name of the filter', () => {
    const chosen = aView({ range: view.window, filters: { ...noFilters, team: ['c'] } });
    const asked = askedPanel(chosen, { filters: { team_ids: ['b'] } }, panel);
    expect(asked?.question.body.filters).toMatchObject({ team: ['c'] });
    expect(asked?.question.body.filters).not.toHaveProperty('team_ids');
  });

  test('It asks for the window before only where the panel compares', () => {
    const compared = aView({ range: view.window, compare: 'previous' });
    expect(askedPanel(compared, {}, panel)?.earlier).toBeUndefined();
    expect(askedPanel(compared, {}, { ...panel, compare: true })?.earlier?.body.filters).toMatchObject({
      start_date: '2026-09-21',
      end_date: '2026-10-04',
      team: ['a'],
    });
  });

  test('A metric without dates is asked for none, and one that does not exist not at all', () => {
    const people = askedPanel(view, {}, { metric: 'users-count', view: 'number' });
    expect(people?.question.body.filters).not.toHaveProperty('start_date');
    expect(askedPanel(view, {}, { metric: 'no-such-metric', view: 'number' })).toBeUndefined();
  });

  test('A chart becomes the panel that asks the same', () => {
    const asked = askedPanel(view, {}, panel);
    if (!asked) throw new Error('The panel has no question.');
    expect(panelOf(asked.question, { title: 'Cycle time', view: 'line' })).toEqual({ ...panel, title: 'Cycle time' });
    const several = {
      path: '/metrics/get-multiple-metrics',
      body: { metrics: ['cycle-time', 'pickup-time'], filters: {} },
    };
    expect(panelOf(several, { title: 'Two', view: 'line' })).toBeUndefined();
    const chart = { kind: 'line', title: 'Cycle time', measure: 'duration', categories: [], series: [] } as const;
    const { question } = asked;
    const days = { start_date: '2026-09-21', end_date: '2026-10-04' };
    const before = { ...question, body: { ...question.body, filters: { ...question.body.filters, ...days } } };
    expect(panelOfChart(chart, 'Cycle time', question, { before })).toMatchObject({ view: 'line', compare: true });
    const other = { ...before, path: '/metrics/pickup-time' };
    expect(panelOfChart(chart, 'Cycle time', question, { other })).toBeUndefined();
    expect(panelOfChart({ ...chart, isAddedUp: true }, 'Cycle time', question, {})).toBeUndefined();
  });
});

describe('the days of a board', () => {
  const reach = { lastWhole: '2026-11-18', lastBegun: '2026-11-19', lastSettled: '2026-11-18' };

  test('Weeks and months are the last whole ones, and any number of days ends where the data end', () => {
    const of = (range: string) => windowOf(rangeOf({ range }), '2026-11-19', reach);
    expect(of('2w')).toEqual({ start: '2026-11-02', end: '2026-11-15' });
    expect(of('2m')).toEqual({ start: '2026-09-01', end: '2026-10-31' });
    expect(of('14d')).toEqual({ start: '2026-11-05', end: '2026-11-18' });
    const own = { start_date: '2026-01-01', end_date: '2026-01-31' };
    expect(windowOf(rangeOf({ range: own }), '2026-11-19', reach)).toEqual({ start: '2026-01-01', end: '2026-01-31' });
  });

  test('The range that all pages begin with can be chosen on a board, and links keep weeks', () => {
    expect(toSearch({ ...firstState, isRangeChosen: true })).toBe('r=90d');
    expect(fromSearch('r=90d')).toMatchObject({ range: '90d', isRangeChosen: true });
    expect(fromSearch('')).not.toHaveProperty('isRangeChosen');
    expect(fromSearch(toSearch({ ...firstState, range: '12w' })).range).toBe('12w');
    expect(fromSearch('r=0w').range).toBe('90d');
  });
});

describe('a board while it is edited', () => {
  const board = {
    title: 'Review',
    panels: ['a', 'b', 'c', 'd'].map((title) => ({ title, metric: 'cycle-time', view: 'line' as const })),
  };
  const titles = (panels: ReturnType<typeof draftOf>['panels']) => panels.map(({ panel }) => panel.title).join('');

  test('It stays the same document while nothing is changed', () => {
    expect(documentOf(draftOf(board))).toEqual(board);
  });

  test('A moved panel takes its place, none is lost, and it does not move past the ends', () => {
    const { panels } = draftOf(board);
    expect(titles(moved(panels, '0', 2))).toBe('bcad');
    expect(titles(moved(panels, '3', -1))).toBe('dabc');
    expect(titles(moved(panels, '0', 9))).toBe('bcda');
    expect(moved(panels, '1', 1)).toBe(panels);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.integer({ min: -2, max: 6 }))), (moves) => {
        const all = moves.reduce((before, [key, place]) => moved(before, String(key), place), panels);
        expect([...titles(all)].sort().join('')).toBe('abcd');
      }),
    );
  });

  test('Arrow keys, Home and End say where to', () => {
    expect(['ArrowUp', 'ArrowDown', 'Home', 'End', 'x'].map((key) => placeByKey(key, 1, 4))).toEqual([
      0,
      2,
      0,
      3,
      undefined,
    ]);
  });

  test('What is switched off is left out of the document', () => {
    const { panels } = draftOf(board);
    const wide = changed(panels, '0', { wide: true, compare: true });
    expect(wide[0]?.panel).toMatchObject({ wide: true, compare: true });
    expect(changed(wide, '0', { wide: false, compare: false, title: '' })[0]?.panel).toEqual({
      metric: 'cycle-time',
      view: 'line',
    });
  });
});

test('Numbers that follow one another share a strip, in the order of the board', () => {
  const panels = (['number', 'number', 'line', 'number', 'table'] as const).map((view) => ({
    metric: 'cycle-time',
    view,
  }));
  const placed = inStrips([...panels, { metric: 'cycle-time', view: 'number', wide: true }]);
  expect(placed.map(({ first, isStrip, panels }) => [first, isStrip, panels.length])).toEqual([
    [0, true, 2],
    [2, false, 1],
    [3, true, 1],
    [4, false, 1],
    [5, false, 1],
  ]);
  expect(placed.flatMap((one) => one.panels).map(({ view }) => view)).toEqual([
    ...panels.map(({ view }) => view),
    'number',
  ]);
  expect(inStrips([])).toEqual([]);
});

test('A title gives a name in addresses that is free', () => {
  expect(slugOf('Lead time, weekly', new Set(), 'board')).toBe('lead-time-weekly');
  expect(slugOf('Übersicht', new Set(['ubersicht']), 'board')).toBe('ubersicht-2');
  expect(slugOf('数据', new Set(['board']), 'board')).toBe('board-2');
  expect(slugOf('x'.repeat(200), new Set(), 'board')).toHaveLength(56);
});
