import { describe, expect, test } from 'vitest';
import type { AnswerRow } from '../../../src/query/plan.ts';
import { comparePeriods } from '../../../src/query/previous-period.ts';
import { comparedResults } from '../../../src/query/shape/results.ts';
import { asking, before, type SomeAsking } from '../some-asking.ts';

function answer(some: SomeAsking, current: readonly AnswerRow[], previous: readonly AnswerRow[]) {
  const asked = asking(some);
  return comparedResults(
    asked,
    asked.columns,
    comparePeriods(asked, asked.columns, current, before(asked, previous)).rows,
  );
}

describe('a results object', () => {
  test('A results object holds what a metric was and is, and repeats the question', () => {
    const filters = { start_date: '2024-01-01', end_date: '2024-01-31', team_ids: 'core' };
    expect(
      JSON.stringify(answer({ of: 'cycle-time avg', by: ['name'], filters }, [['Ada', 90.5]], [['Ada', 60]])),
    ).toBe(
      '{"results":[{"metric_name":"cycle-time","value":90.5,"group_by":{"name":"Ada"},"unit":"seconds",' +
        '"previous_value":60,"change_percentage":50.8}],' +
        '"meta":{"filters":{"start_date":"2024-01-01","end_date":"2024-01-31","team_ids":"core"},' +
        '"date_range":{"start_date":"2024-01-01","end_date":"2024-01-31"},' +
        '"previous_date_range":{"start_date":"2023-12-01","end_date":"2023-12-31"}}}',
    );
  });

  test('A results object has neither a previous value nor a change where there is no day to compare with', () => {
    const some: SomeAsking = { of: 'pull-requests-count', level: 'day', window: ['2024-03-01', '2024-03-31'] };
    expect(answer(some, [['2024-03-30', 3]], []).results).toEqual([
      {
        metric_name: 'pull-requests-count',
        value: 3,
        group_by: { day_date: '2024-03-30' },
        previous_value: null,
        change_percentage: null,
      },
    ]);
  });

  test('A results object has no unit for a count, and an empty group where nothing was grouped by', () => {
    expect(answer({ of: 'pull-requests-count' }, [[5]], [[0]]).results).toEqual([
      { metric_name: 'pull-requests-count', value: 5, group_by: {}, previous_value: 0, change_percentage: null },
    ]);
  });

  test('A results object has the bucket inside the group, and cells as they are shown everywhere', () => {
    const by = ['pr_created_at', 'coding_time', 'team_names', 'name'];
    const some: SomeAsking = { of: 'pull-requests-count', by, level: 'week', window: ['2024-01-29', '2024-02-04'] };
    expect(answer(some, [['2024-01-29', 1_706_695_200, 65, '["Core"]', null, 1]], []).results[0]?.group_by).toEqual({
      week_date: '2024-01-29',
      pr_created_at: '2024-01-31T10:00:00Z',
      coding_time: 'PT1M5S',
      team_names: ['Core'],
      name: null,
    });
  });

  test('A results object has three results for the size of pull requests', () => {
    const { results } = answer(
      { of: 'pull-requests-size sum', by: ['name'] },
      [['Ada', 10, 5, 15]],
      [['Ada', 5, 5, 10]],
    );
    expect(results).toEqual([
      {
        metric_name: 'pull-requests-size.additions',
        value: 10,
        group_by: { name: 'Ada' },
        unit: 'lines',
        previous_value: 5,
        change_percentage: 100,
      },
      {
        metric_name: 'pull-requests-size.deletions',
        value: 5,
        group_by: { name: 'Ada' },
        unit: 'lines',
        previous_value: 5,
        change_percentage: 0,
      },
      {
        metric_name: 'pull-requests-size.total_changes',
        value: 15,
        group_by: { name: 'Ada' },
        unit: 'lines',
        previous_value: 10,
        change_percentage: 50,
      },
    ]);
  });

  test('A results object has one result for every metric and group', () => {
    const of = ['pull-requests-count', 'cycle-time avg'];
    const { results } = answer({ of, by: ['name'] }, [['Ada', 2, 60]], [['Bob', 1, 30]]);
    expect(results.map((one) => [one.metric_name, one.group_by.name, one.value, one.previous_value])).toEqual([
      ['pull-requests-count', 'Ada', 2, 0],
      ['cycle-time', 'Ada', 60, null],
      ['pull-requests-count', 'Bob', 0, 1],
      ['cycle-time', 'Bob', null, 30],
    ]);
  });

  test('A results object has the text of a metric that answers with one, and no change of it', () => {
    expect(answer({ of: 'ai-favourite-model' }, [['opus']], [['haiku']]).results).toEqual([
      {
        metric_name: 'ai-favourite-model',
        value: 'opus',
        group_by: {},
        previous_value: 'haiku',
        change_percentage: null,
      },
    ]);
  });

  test('A results object never says that no date level was set', () => {
    expect(JSON.stringify(answer({ of: 'pull-requests-count' }, [[5]], [[1]]))).not.toContain('date_level_not_set');
  });
});
