import { type ComparedValue, comparedRow } from '../../../src/conclusions/compared.ts';
import { noPoint, type Point, pointOf, recorded } from './figure-question.ts';
import { aboutMetric, defaultAggregation, valueColumn } from './metric-facts.ts';
import { hasRowPicks } from './panel-conditions.ts';
import { isPicked } from './picked-rows.ts';
import { ask, comparedWith, type MetricBody, type Question, type RequestFilters } from './question.ts';
import { rowsBehind } from './rows-behind.ts';
import type { Row } from './send.ts';
import type { View } from './view.ts';
import type { PanelState } from './view-state.ts';
import type { DayWindow } from './windows.ts';

/** The request whose answer has the opened number, and the place of the number in it. */
interface NumberBehind {
  readonly question: Question;
  /** The same request by bucket, where only this tells a true 0 from nothing recorded. */
  readonly byBucket: Question | undefined;
  readonly pointIn: (rows: readonly Row[], buckets?: readonly Row[]) => Point;
}

/** Undefined where no single request has the number: a cell of a heat map, a bar of a histogram. */
export function numberBehind(view: View, panel: PanelState): NumberBehind | undefined {
  const { metric, aggregation = defaultAggregation(metric), where = {} } = panel;
  if (hasRowPicks(where)) return undefined;
  const { body, picked } = askedFor(view, panel);
  const isMeant = (row: Row): boolean => picked.every((one) => isPicked(row, one));
  return {
    question: ask(metric, body),
    // A group without records has no row, so only a request without groups needs this.
    byBucket:
      aboutMetric(metric).kind === 'share' && picked.length === 0
        ? ask(metric, { ...body, date_level: 'year' })
        : undefined,
    pointIn: (rows, buckets) => {
      const row = rows.find(isMeant);
      if (row === undefined) return noPoint;
      const column = valueColumn(metric, aggregation);
      const pointIn = (one: Row): Point => pointOf(one, column);
      const point = buckets ? recorded(metric, pointIn(row), buckets.map(pointIn)) : pointIn(row);
      return where.counted ? { value: point.n, n: null } : point;
    },
  };
}

/** The request for one number, and the conditions that choose its row where it has groups. */
function askedFor(view: View, panel: PanelState) {
  const { metric, aggregation = defaultAggregation(metric), where = {} } = panel;
  const { question, picked } = rowsBehind(view, panel);
  const body = {
    filters: question.body.filters as RequestFilters,
    ...(aggregation ? { aggregation } : {}),
    ...(where.date_field ? { date_field: where.date_field } : {}),
    ...(picked.length > 0 ? { group_by: picked.map(({ column }) => column) } : {}),
  } as MetricBody;
  return { body, picked };
}

interface ChangeBehind {
  readonly question: Question;
  readonly changeIn: (rows: readonly Row[]) => ComparedValue | undefined;
}

/** The request for the change of the opened number since another window; undefined where the number is no metric. */
export function changeBehind(view: View, panel: PanelState, before: DayWindow): ChangeBehind | undefined {
  const { metric, where = {} } = panel;
  if (hasRowPicks(where) || where.counted) return undefined;
  const { body, picked } = askedFor(view, panel);
  return {
    question: ask(metric, { ...body, ...comparedWith(before) }),
    changeIn: (rows) => {
      const row = rows.findLast(({ group_by }) => picked.every((one) => isPicked(groupsOf(group_by), one)));
      return row && comparedRow(row);
    },
  };
}

/** The values of the groups that a result is of. */
const groupsOf = (group_by: Row[string] | undefined): Row =>
  typeof group_by === 'object' && group_by !== null && !Array.isArray(group_by) ? (group_by as Row) : {};
