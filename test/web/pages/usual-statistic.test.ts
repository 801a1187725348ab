import { describe, expect, test } from 'vitest';
import { keyFigures as overview } from '../../../src/conclusions/key-figure-words.ts';
import {
  type Aggregation,
  defaultAggregation,
  isMetric,
  type MetricName,
  measureOf,
  wordFor,
} from '../../../web/src/ask/metric-facts.ts';
import { numberBehind } from '../../../web/src/ask/number-behind.ts';
import { rowsBehind } from '../../../web/src/ask/rows-behind.ts';
import { keyFigures as ai } from '../../../web/src/pages/ai/questions.ts';
import { keyFigures as ci } from '../../../web/src/pages/ci/questions.ts';
import { keyFigures as cycleTime } from '../../../web/src/pages/cycle-time/questions.ts';
import { keyFigures as delivery } from '../../../web/src/pages/delivery/questions.ts';
import { keyFigures as issues } from '../../../web/src/pages/issues/questions.ts';
import { ownFigures as person } from '../../../web/src/pages/person/words.ts';
import { keyFigures as reviews } from '../../../web/src/pages/reviews/questions.ts';
import { aView } from './a-view.ts';

interface ShownFigure {
  readonly metric: MetricName;
  readonly aggregation?: Aggregation;
  readonly label?: string;
}
const pages = { ai, ci, cycleTime, delivery, issues, overview, person, reviews };
const shown = Object.entries(pages).flatMap(([page, figures]) => figures.map((one: ShownFigure) => ({ page, ...one })));
const isSpread = ({ metric }: ShownFigure): boolean => measureOf(metric) === 'duration' || /-sizes?$/.test(metric);

describe('a duration or a size', () => {
  test('A duration or a size is the median on every page, and says so; what is not says what it is', () => {
    const words = { P90: 'slowest tenth', SUM: 'Time of', MEDIAN: 'median' } as const;
    const seen = shown.filter(isSpread);
    expect(new Set(seen.map(({ page }) => page)).size).toBeGreaterThan(5);
    for (const { metric, aggregation, label } of seen) {
      const fixed = metric.endsWith('-p95') ? '95th percentile' : metric.endsWith('-p50') ? 'median' : undefined;
      expect(label).toContain(fixed ?? words[aggregation as keyof typeof words]);
    }
    // Beside every slowest part stands the median of the same.
    for (const { page, metric, aggregation } of seen) {
      if (aggregation !== 'P90' && !metric.endsWith('-p95')) continue;
      const same = metric.replace(/-p95$/, '');
      expect(seen.some((one) => one.page === page && one.metric === same && one.aggregation === 'MEDIAN')).toBe(true);
    }
  });

  test('A duration or a size is the median in a link that names no aggregation; a share is an average, and the rest a sum', () => {
    const names = ['cycle-time', 'pull-requests-size', 'rework-rate', 'ai-total-cost', 'review-rate'].filter(isMetric);
    expect(names.map(defaultAggregation)).toEqual(['MEDIAN', 'MEDIAN', 'AVG', 'SUM', undefined]);
    const panel = { metric: 'cycle-time', where: { pr_id: 'github:acme/web#7' } } as const;
    expect(numberBehind(aView(), panel)?.question.body.aggregation).toBe('MEDIAN');
    expect(numberBehind(aView(), panel)?.pointIn([{ median_cycle_time: 60, n: 1 }])).toEqual({ value: 60, n: 1 });
    expect(rowsBehind(aView(), panel).question.body.aggregation).toBe('MEDIAN');
  });

  test('A duration or a size has a slowest tenth where it is a time, and a percentile where it is a size', () => {
    expect([wordFor('P90', 'duration'), wordFor('P90', 'number')]).toEqual(['slowest tenth', '90th percentile']);
  });
});
