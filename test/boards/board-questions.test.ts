import { describe, expect, test } from 'vitest';
import type { BoardPanel } from '../../src/boards/board.ts';
import { boardDays, panelQuestion, unitsIn } from '../../src/boards/board-questions.ts';

describe('The days of a board', () => {
  // 2026-03-11 is a Wednesday.
  test.each([
    ['1d', '2026-03-11', '2026-03-11', '2026-03-11'],
    ['90d', '2026-03-11', '2025-12-12', '2026-03-11'],
    ['1w', '2026-03-11', '2026-03-02', '2026-03-08'],
    ['2w', '2026-03-15', '2026-03-02', '2026-03-15'],
    ['1m', '2026-03-11', '2026-02-01', '2026-02-28'],
    ['3m', '2026-03-31', '2026-01-01', '2026-03-31'],
  ])('%s with data up to %s are from %s to %s', (range, lastWhole, start_date, end_date) => {
    expect(boardDays(range, lastWhole)).toEqual({ start_date, end_date });
  });

  test('Days of its own stay as they are', () => {
    const own = { start_date: '2025-01-01', end_date: '2025-06-30' };
    expect(boardDays(own, '2026-03-11')).toEqual(own);
  });

  test.each(['0d', '90', 'd', '90 d', '90y', '3651d', '521w', '121m', '-1d', '1.5d', '090d'])(
    '%s is no range',
    (range) => {
      expect(unitsIn(range)).toBeUndefined();
    },
  );
});

describe('The question of a panel', () => {
  const days = { start_date: '2026-01-01', end_date: '2026-03-31' };
  const panel: BoardPanel = {
    metric: 'cycle-time',
    view: 'line',
    compare: true,
    request: { aggregation: 'MEDIAN', filters: { team_ids: ['a'], repositories: ['acme/web'] } },
  };

  test('A filter of the board without values leaves that of the panel alone', () => {
    const filters = { team: [], repositories: null };
    expect(panelQuestion(panel, { days, filters, takes: () => true }).filters).toEqual({
      ...days,
      ...panel.request?.filters,
    });
  });

  test('The question of a panel has the days of the board, and its filters over its own', () => {
    const filters = { team: ['b'], workflow_names: ['ci'] };
    const takes = (filter: string) => filter !== 'workflow_names';
    expect(panelQuestion(panel, { days, filters, takes })).toEqual({
      aggregation: 'MEDIAN',
      include_previous_period: true,
      filters: { ...days, repositories: ['acme/web'], team: ['b'] },
    });
  });

  test('The question of a panel is its own where the board has no filters', () => {
    const { compare: _compare, request: _request, ...count } = panel;
    expect(panelQuestion(count, { days, filters: {}, takes: () => true })).toEqual({ filters: days });
  });
});
