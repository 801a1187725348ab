import { noPoint, type Point, pointOf } from './figure-question.ts';
import { valueColumn } from './metric.ts';
import { isPicked } from './picked-rows.ts';
import { ask, type MetricBody, type Question, type RequestFilters } from './question.ts';
import { hasRowPicks } from './row-picks.ts';
import { rowsBehind } from './rows-behind.ts';
import type { Row } from './send.ts';
import type { View } from './view.ts';
import type { PanelState } from './view-state.ts';

/** The request whose answer is the number that was opened, and how the number is found in it. */
export interface NumberBehind {
  readonly question: Question;
  readonly pointIn: (rows: readonly Row[]) => Point;
}

/** Undefined where no single request has it: a cell of a heat map, a bar of a histogram. */
export function numberBehind(view: View, panel: PanelState): NumberBehind | undefined {
  const { metric, aggregation, where = {} } = panel;
  const { question, picked } = rowsBehind(view, panel);
  if (hasRowPicks(where)) return undefined;
  const body = {
    filters: question.body.filters as RequestFilters,
    ...(aggregation ? { aggregation } : {}),
    ...(where.date_field ? { date_field: where.date_field } : {}),
    ...(picked.length > 0 ? { group_by: picked.map(({ column }) => column) } : {}),
  } as MetricBody;
  const isMeant = (row: Row): boolean => picked.every((one) => isPicked(row, one));
  return {
    question: ask(metric, body),
    pointIn: (rows) => {
      const row = rows.find(isMeant);
      if (row === undefined) return noPoint;
      const point = pointOf(row, valueColumn(metric, aggregation));
      return where.counted ? { value: point.n, n: null } : point;
    },
  };
}
