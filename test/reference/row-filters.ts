import type { FilterPredicate } from '../../src/catalogue/filters.ts';
import type { Row, Table, Value } from '../../src/catalogue/table.ts';
import { isVisible, type View } from './visibility.ts';
import { listed, type World } from './world.ts';

export interface RowsWanted {
  readonly predicate: FilterPredicate;
  readonly values: readonly (string | number)[];
}

/** Whether a row is one of those that a filter asks for. */
export function isFound(view: View, row: Row, { predicate, values }: RowsWanted): boolean {
  switch (predicate.by) {
    case 'value':
      return predicate.lowerCased
        ? values.some((value) => same(value, row[predicate.column]))
        : values.some((value) => value === row[predicate.column]);
    case 'repository': {
      const full = row[predicate.column];
      const short = typeof full === 'string' ? full.slice(full.lastIndexOf('/') + 1) : null;
      return values.some((value) => same(value, full) || same(value, short));
    }
    case 'id': {
      const { column, numbered } = predicate;
      const said = 'key' in numbered ? row[numbered.key] : `${row[numbered.repository]}#${row[numbered.number]}`;
      const short = [withoutSource(row[column]), said ?? null];
      return values.some((id) => id === row[column] || (isShort(id) && short.some((one) => same(id, one))));
    }
    case 'ids':
      return listed(row[predicate.column]).some((item) =>
        values.some(
          (id) =>
            id === item ||
            (isShort(id) && same(id, withoutSource(item))) ||
            (isShort(item) && same(item, withoutSource(id))),
        ),
      );
    case 'list':
      return listed(row[predicate.column]).some((item) => values.some((value) => String(value) === item));
    case 'words': {
      const parents = predicate.ofParent ? others(view, row, predicate.ofParent) : [];
      const texts = [
        ...predicate.columns.map((column) => row[column]),
        ...parents.flatMap((parent) => (predicate.ofParent?.columns ?? []).map((column) => parent[column])),
      ];
      const words = values.flatMap((term) => String(term).toLowerCase().split(/\s+/)).filter((word) => word !== '');
      return words.every((word) => texts.some((text) => typeof text === 'string' && text.toLowerCase().includes(word)));
    }
  }
}

/** Rows of another table that belong to this one, of those that the viewer may see. */
function others(
  view: View,
  row: Row,
  { table, own, theirs }: { readonly table: Table; readonly own: string; readonly theirs: string },
): Row[] {
  const rows = view.world.facts[table.name as keyof World['facts']];
  return rows.filter((other) => other[theirs] !== null && other[theirs] === row[own] && isVisible(view, other));
}

const isShort = (id: Value | undefined): boolean => /^[^\s:#/]+(\/[^\s:#/]+)+#\d+$/.test(String(id));

const withoutSource = (id: Value | undefined): string | null =>
  typeof id === 'string' ? id.slice(id.indexOf(':') + 1) : null;

const same = (wanted: string | number, value: Value | undefined): boolean =>
  typeof value === 'string' && value.toLowerCase() === String(wanted).toLowerCase();
