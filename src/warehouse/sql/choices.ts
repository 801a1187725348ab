import { type ScopedTable, scopeAlike } from '../../access/scope.ts';
import type { Finding, Through } from '../../catalogue/filters.ts';
import type { RowChoice } from '../../query/plan.ts';
import { columnOf, type Ground, type Named } from './ground.ts';
import { guarded } from './guard.ts';
import { allOf, anyOf, integers, raw, type Sql, sql, text, texts } from './sql.ts';

/** What a filter asks of the rows that stand under an alias. Another table is only asked whether, never joined. */
export function sayChoice(
  ground: Ground,
  named: Named,
  from: ScopedTable,
  alias: string,
  { finding, values }: RowChoice,
): Sql {
  const { dialect } = ground;
  const column = (name: string): Sql => columnOf(ground, alias, name);
  const other = (through: Through, conditions: readonly Sql[]): Sql => {
    const { from: table, conditions: guards } = guarded(ground, named, scopeAlike(from, through.table), 'o');
    const found = sql`SELECT ${columnOf(ground, 'o', through.theirs)} FROM ${table} WHERE ${allOf([...guards, ...conditions])}`;
    return sql`${column(through.own)} IN (${found})`;
  };
  switch (finding.by) {
    case 'value':
      return among(ground, column(finding.column), values, finding.folded ?? false);
    case 'list':
      return dialect.listHasAny(column(finding.column), texts(values.map(String)));
    case 'repository': {
      const name = column(finding.column);
      const list = texts(values.map(String));
      return anyOf([dialect.isAmongFolded(name, list), dialect.isAmongFolded(dialect.lastSegment(name), list)]);
    }
    case 'words':
      return allOf([raw('true'), ...values.map((word) => sayWord(ground, finding, String(word), column, other))]);
  }
}

function among({ dialect }: Ground, value: Sql, values: RowChoice['values'], isFolded: boolean): Sql {
  const numbers = values.filter((one) => typeof one === 'number');
  if (numbers.length === values.length) return dialect.isAmong(value, integers(numbers));
  const list = texts(values.map(String));
  return isFolded ? dialect.isAmongFolded(value, list) : dialect.isAmong(value, list);
}

function sayWord(
  ground: Ground,
  finding: Extract<Finding, { by: 'words' }>,
  word: string,
  column: (name: string) => Sql,
  other: (through: Through, conditions: readonly Sql[]) => Sql,
): Sql {
  const { dialect } = ground;
  const isIn = (value: Sql): Sql =>
    sql`coalesce(${dialect.contains(dialect.folded(value), dialect.folded(sql`${text(word)}`))}, false)`;
  const { ofParent } = finding;
  const inParent = ofParent
    ? [other(ofParent, [anyOf(ofParent.columns.map((name) => isIn(columnOf(ground, 'o', name))))])]
    : [];
  return anyOf([...finding.columns.map((name) => isIn(column(name))), ...inParent]);
}
