import type { Table } from '../catalogue/table.ts';
import type { AggregateNode, RowNode } from '../expression/expression.ts';
import type { Measure, Query } from './plan.ts';

/** The same question, and behind its values how many records each of them is made of. */
export function withRecords(query: Query): Query {
  const plans = query.plans.flatMap((plan) => {
    const counts = plan.measures.map((measure): Measure => {
      const as = recordsNamed(measure.as);
      // People are counted, not the rows of those few of whom it holds.
      if (!('value' in measure)) return { as, type: 'population', activities: measure.activities };
      return { as, type: 'number', value: recordsOf(measure.value, plan.from.table) };
    });
    // A share of people is a plan of its own.
    const isShare = plan.measures.some(({ type }) => type === 'share');
    return isShare ? [plan, { ...plan, measures: counts }] : [{ ...plan, measures: [...plan.measures, ...counts] }];
  });
  return { ...query, plans, values: [...query.values, ...query.values.map(recordsNamed)] };
}

const recordsNamed = (value: string): string => `records of ${value}`;

/**
 * The rows that a value rests on, never the value itself: leaving out people with few of what is counted would push the
 * others up. A count of rows of one kind rests on the rows of every kind.
 */
function recordsOf(node: AggregateNode, { key }: Table): AggregateNode {
  const isOfRows =
    node.op === 'count' ||
    (node.op === 'countDistinct' && node.value.op === 'column' && key.length === 1 && node.value.name === key[0]);
  return { op: 'count', where: isOfRows ? undefined : entering(node) };
}

/** Which rows enter a value: those that have it, those that something is counted among, those that a rate divides by. */
function entering(node: AggregateNode): RowNode | undefined {
  switch (node.op) {
    case 'count':
    case 'countDistinct':
      return node.where;
    case 'aggregate':
    case 'atRank':
    case 'mode':
      return { op: 'isPresent', value: node.value };
    case 'ratio':
      return entering(node.whole);
    case 'plus': {
      const any = node.terms.map(entering);
      return any.every((one) => one !== undefined) ? { op: 'or', any } : undefined;
    }
  }
}
