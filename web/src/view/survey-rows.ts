import type { Exploration } from '../ask/exploration.ts';
import { numberIn } from '../ask/figure.ts';
import { aboutMetric, valueColumn } from '../ask/metric-facts.ts';
import type { Question } from '../ask/question.ts';
import type { Row } from '../ask/send.ts';
import { groupColumns } from './drawn-answer.ts';

/** How many people stand behind each row of a survey's answer; undefined for everything else. */
export function peopleQuestion(question: Question, { metric }: Exploration): Question | undefined {
  const metricOfPeople = peopleMetric(metric);
  if (!metricOfPeople) return undefined;
  const { filters, group_by, date_level, date_field } = question.body;
  return {
    path: `/metrics/get-multiple-metrics`,
    body: {
      metrics: [metricOfPeople],
      filters,
      ...(group_by ? { group_by } : {}),
      ...(date_level ? { date_level } : {}),
      ...(date_field ? { date_fields: { [metricOfPeople]: date_field } } : {}),
    },
  };
}

function peopleMetric(metric: Exploration['metric']) {
  const { gate, table } = aboutMetric(metric);
  if (gate !== 'survey') return undefined;
  return table === 'survey_responses' ? 'survey-respondents-count' : 'survey-recipients-count';
}

/** Rows with enough people behind them, and how many are hidden. */
export function rowsToShow(
  rows: readonly Row[],
  people: readonly Row[],
  asked: Exploration,
  least: number,
): { readonly rows: readonly Row[]; readonly hidden: number } {
  const metric = peopleMetric(asked.metric);
  if (!metric) return { rows, hidden: 0 };
  const columns = [...groupColumns(rows, asked), ...(asked.level ? [`${asked.level}_date`] : [])];
  const keyOf = (row: Row): string => JSON.stringify(columns.map((column) => row[column]));
  const counts = new Map(people.map((row) => [keyOf(row), numberIn(row, valueColumn(metric)) ?? 0]));
  const shown = rows.filter((row) => (counts.get(keyOf(row)) ?? 0) >= least);
  return { rows: shown, hidden: rows.length - shown.length };
}
