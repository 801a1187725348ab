import { describe, expect, test } from 'vitest';
import { rowsPieces, rowsText } from '../../src/formats/text.ts';
import { flatColumns, rowReader } from '../../src/query/answer-columns.ts';
import type { AnswerRow } from '../../src/query/plan.ts';
import { isLong, times } from '../setup/how-long.ts';
import { asking, type SomeAsking } from './some-asking.ts';

/** The row as both ways give it, which have to agree. */
function shown(some: SomeAsking, row: AnswerRow): string {
  const columns = flatColumns(asking(some).columns);
  const text = rowsText('ndjson', columns, [row]).trimEnd();
  expect(text).toBe(JSON.stringify(rowReader(columns)(row)));
  return text;
}

describe('a flat row', () => {
  test('A flat row has the bucket, then the groups in the order asked for, then the value', () => {
    const some: SomeAsking = { of: 'pull-requests-count', level: 'week', by: ['repository', 'name'] };
    expect(shown(some, ['2024-01-29', 'acme/web', 'Ada', 3])).toBe(
      '{"week_date":"2024-01-29","repository":"acme/web","name":"Ada","pr_count":3}',
    );
    expect(shown({ ...some, by: ['name', 'repository'] }, ['2024-01-29', 'Ada', null, 3])).toBe(
      '{"week_date":"2024-01-29","name":"Ada","repository":null,"pr_count":3}',
    );
  });

  test('A flat row without a bucket says first that no date level was set', () => {
    expect(shown({ of: 'pull-requests-count' }, [12])).toBe('{"date_level_not_set":true,"pr_count":12}');
  });

  test('A flat row shows cells by the type of their column', () => {
    const by = ['pr_created_at', 'coding_time', 'team_names', 'is_promotion_pr', 'additions'];
    const row = [1_706_695_200, 93_845, '["Core","Web"]', true, 5, 1];
    expect(shown({ of: 'pull-requests-count', by }, row)).toBe(
      '{"date_level_not_set":true,"pr_created_at":"2024-01-31T10:00:00Z","coding_time":"PT26H4M5S",' +
        '"team_names":["Core","Web"],"is_promotion_pr":true,"additions":5,"pr_count":1}',
    );
  });

  test('A flat row has 0 for counts and sums of nothing, and null for averages and rates', () => {
    const of = ['pull-requests-count', 'cycle-time sum', 'cycle-time avg', 'review-rate'];
    expect(shown({ of }, [null, null, null, null])).toBe(
      '{"date_level_not_set":true,"pr_count":0,"sum_cycle_time":0,"avg_cycle_time":null,"review_rate":null}',
    );
  });

  test('A flat row keeps an average of 0 and a full precision', () => {
    expect(shown({ of: ['cycle-time avg', 'review-rate'] }, [0, 1 / 3])).toBe(
      '{"date_level_not_set":true,"avg_cycle_time":0,"review_rate":0.3333333333333333}',
    );
  });

  test('A flat row has three columns for the size of pull requests', () => {
    expect(shown({ of: 'pull-requests-size avg' }, [10, 2.5, 12.5])).toBe(
      '{"date_level_not_set":true,"avg_additions":10,"avg_deletions":2.5,"avg_total_changes":12.5}',
    );
  });

  test('A flat row has the text of a metric that answers with one', () => {
    expect(shown({ of: 'ai-favourite-model', level: 'month' }, ['2024-01-01', 'opus'])).toBe(
      '{"month_date":"2024-01-01","ai_favourite_model":"opus"}',
    );
  });

  test('A flat row names no key twice, even when a metric and a group column are called the same', () => {
    expect(shown({ of: 'review-rounds', by: ['review_rounds', 'name'] }, [2, 'Ada', 2])).toBe(
      '{"date_level_not_set":true,"name":"Ada","review_rounds":2}',
    );
  });

  test('A flat row of very many rows can be written in a few seconds', () => {
    const by = [
      'pr_id',
      'pr_title',
      'repository',
      'pr_created_at',
      'pr_merged_at',
      'coding_time',
      'team_names',
      'name',
    ];
    const columns = flatColumns(asking({ of: 'pull-requests-count', by }).columns);
    const rows = times(50_000, 500_000);
    const started = performance.now();
    const made = Array.from({ length: rows }, (_, i): AnswerRow => {
      const at = 1_600_000_000 + i * 211;
      return [`pr-${i}`, `Title ${i}`, 'acme/web', at, at + i, i, `["Team ${i % 40}"]`, 'Ada', 1];
    });
    let length = 0;
    for (const piece of rowsPieces('json', columns, made)) length += piece.length;
    expect(length).toBeGreaterThan(rows * 200);
    if (isLong) expect(performance.now() - started).toBeLessThan(15_000);
  });
});
