import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import { numberIn } from '../../ask/figure-question.ts';
import type { Row } from '../../ask/send.ts';
import { failureOrder, failureWords } from '../../view/deployment-words.ts';
import { failuresChartWords } from './words.ts';

/** How many deployments failed for each reason: n of the failure rate of the reason. */
export function failuresChart(rows: readonly Row[]): CategoryChart {
  const count = (reason: string): number =>
    rows.reduce((sum, row) => (row.failure_reason === reason ? sum + (numberIn(row, 'n') ?? 0) : sum), 0);
  return {
    kind: 'bar',
    title: failuresChartWords.failuresByReason,
    measure: 'count',
    isAddedUp: true,
    better: 'lower',
    isHorizontal: true,
    categories: failureOrder.map((reason) => ({ label: failureWords(reason).name })),
    series: [
      {
        name: failuresChartWords.failedDeployments,
        colour: 5,
        points: failureOrder.map((reason) => ({ value: count(reason) })),
      },
    ],
  };
}
