import type { Table } from '../catalogue/table.ts';
import type { AggregateNode, RowNode } from '../expression/expression.ts';

/**
 * Which rows have the value that a number is made of: those of which something is aggregated, those that are counted, and
 * of a rate those that it divides by. Undefined where that is all of them.
 */
export function rowsWithValue(node: AggregateNode, table: Table): RowNode | undefined {
  switch (node.op) {
    case 'count':
      return node.where;
    case 'countDistinct': {
      const isThere: RowNode[] = isKeyOf(table, node.value) ? [] : [{ op: 'isPresent', value: node.value }];
      const [first, ...more] = [...isThere, ...(node.where ? [node.where] : [])];
      return first && more.length > 0 ? { op: 'and', all: [first, ...more] } : first;
    }
    case 'aggregate':
    case 'atRank':
    case 'mode':
      return { op: 'isPresent', value: node.value };
    case 'ratio':
      return rowsWithValue(node.whole, table);
    case 'plus': {
      const any = node.terms.map((term) => rowsWithValue(term, table));
      return any.every((one) => one !== undefined) ? { op: 'or', any } : undefined;
    }
  }
}

/** No row is without its key. */
const isKeyOf = ({ key }: Table, node: RowNode): boolean =>
  node.op === 'column' && key.length === 1 && key[0] === node.name;
