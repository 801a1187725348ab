import type { Row, Value } from '../../src/catalogue/table.ts';
import type { AggregateNode, Aggregation, RowNode } from '../../src/expression/expression.ts';
import { compareTexts } from './order.ts';

/** The value of an expression for one row. */
export function rowValue(node: RowNode, row: Row): Value {
  switch (node.op) {
    case 'column':
      return row[node.name] ?? null;
    case 'literal':
      return node.value;
    case 'coalesce':
      return node.options.map((option) => rowValue(option, row)).find((value) => value !== null) ?? null;
    case 'add': {
      const terms = node.terms.map((term) => rowValue(term, row));
      return terms.includes(null) ? null : total(terms.map(Number));
    }
    case 'when':
      return holds(node.condition, row) ? rowValue(node.value, row) : null;
    case 'oneOrZero': {
      const value = rowValue(node.value, row);
      return value === null ? null : value === true ? 1 : 0;
    }
    default:
      return holds(node, row);
  }
}

/** Whether a condition holds for one row. What is missing is nothing in particular: no condition holds of it. */
export function holds(node: RowNode, row: Row): boolean {
  switch (node.op) {
    case 'isAnyOf': {
      const value = rowValue(node.value, row);
      return typeof value === 'string' && node.list.includes(value);
    }
    case 'isMoreThan': {
      const value = rowValue(node.value, row);
      return value !== null && Number(value) > node.than;
    }
    case 'isPresent':
      return rowValue(node.value, row) !== null;
    case 'isTrue':
      return rowValue(node.value, row) === true;
    case 'not':
      return !holds(node.value, row);
    case 'and':
      return node.all.every((condition) => holds(condition, row));
    case 'or':
      return node.any.some((condition) => holds(condition, row));
    default:
      return rowValue(node, row) === true;
  }
}

/** Whether a row has what a number is made of: a rate is made of what it divides by. */
export function hasValue(node: AggregateNode, row: Row): boolean {
  switch (node.op) {
    case 'count':
      return !node.where || holds(node.where, row);
    case 'countDistinct':
      return (!node.where || holds(node.where, row)) && rowValue(node.value, row) !== null;
    case 'aggregate':
    case 'atRank':
    case 'mode':
      return rowValue(node.value, row) !== null;
    case 'ratio':
      return hasValue(node.whole, row);
    case 'plus':
      return node.terms.some((term) => hasValue(term, row));
  }
}

/** The value of an expression for many rows. */
export function aggregateOf(node: AggregateNode, rows: readonly Row[]): number | string | null {
  switch (node.op) {
    case 'count':
      return rows.filter((row) => !node.where || holds(node.where, row)).length;
    case 'countDistinct': {
      const counted = rows.filter((row) => !node.where || holds(node.where, row));
      return new Set(counted.map((row) => rowValue(node.value, row)).filter((value) => value !== null)).size;
    }
    case 'aggregate':
      return aggregationOf(
        node.aggregation,
        rows.map((row) => rowValue(node.value, row)).filter((value) => value !== null),
      );
    case 'atRank': {
      const values = rows.map((row) => rowValue(node.value, row)).filter((value) => value !== null);
      const sorted = values.map(Number).toSorted((a, b) => a - b);
      const rank = node.ranks.find((one) => one.values === sorted.length)?.rank;
      return rank === undefined ? null : (sorted[rank - 1] ?? null);
    }
    case 'plus':
      return total(node.terms.map((term) => Number(aggregateOf(term, rows))));
    case 'ratio': {
      const [part, whole] = [aggregateOf(node.part, rows), aggregateOf(node.whole, rows)];
      return part === null || whole === null || whole === 0 ? null : Number(part) / Number(whole);
    }
    case 'mode':
      return mostFrequent(rows.map((row) => rowValue(node.value, row)).filter((value) => value !== null));
  }
}

function aggregationOf(aggregation: Aggregation, values: readonly Value[]): number | null {
  const numbers = values.map(Number).toSorted((a, b) => a - b);
  if (numbers.length === 0) return aggregation === 'sum' ? 0 : null;
  switch (aggregation) {
    case 'sum':
      return total(numbers);
    case 'avg':
      return total(numbers) / numbers.length;
    case 'min':
      return numbers[0] ?? null;
    case 'max':
      return numbers.at(-1) ?? null;
    case 'median':
      return percentile(numbers, 0.5);
    case 'p75':
      return percentile(numbers, 0.75);
    case 'p90':
      return percentile(numbers, 0.9);
    case 'p95':
      return percentile(numbers, 0.95);
  }
}

/** Linear between the two nearest of the sorted numbers. */
function percentile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? 0;
  const value = below + (above - below) * (place - Math.floor(place));
  // Shares are multiples of a twentieth, and so is what lies between whole numbers; of others 12 digits are exact.
  return sorted.every(Number.isInteger) ? Math.round(20 * value) / 20 : Number(value.toPrecision(12));
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

function mostFrequent(values: readonly Value[]): string | null {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  const [first] = [...counts].toSorted(([a, m], [b, n]) => n - m || compareTexts(a, b));
  return first?.[0] ?? null;
}
