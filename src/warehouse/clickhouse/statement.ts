import { dayNumber } from '../../calendar.ts';
import { orderColumn, storedNames, type Table } from '../../catalogue/table.ts';
import { storedTables } from '../schema.ts';
import { type Parameter, raw, type Sql, statementOf } from '../sql/sql.ts';
import { clickhouseDialect } from './dialect.ts';
import { quotedName } from './kept-types.ts';

/** A statement with named values, as the client sends it. */
export interface BoundStatement {
  readonly sql: string;
  readonly values: Readonly<Record<string, BoundValue>>;
}

type BoundValue = string | number | readonly string[] | readonly number[];

export function statementFor(piece: Sql): BoundStatement {
  const { text, parameters } = statementOf(piece, clickhouseDialect.place);
  return {
    sql: withNamedColumns(text),
    values: Object.fromEntries(parameters.map((one, i) => [`p${i + 1}`, bound(one)])),
  };
}

const bound = ({ type, value }: Parameter): BoundValue => (type === 'date' ? dayNumber(value) : value);

const tables: ReadonlyMap<string, Table> = new Map(storedTables.map((table) => [table.name, table]));

/**
 * Stands for those columns of a table that the rest of the statement names: the engine takes a third longer to plan a
 * question that may read all of them. Where every row has the date that rows are sorted by, `_at` is given in its place.
 */
export const namedColumns = (table: Table, isDated: boolean): Sql => raw(`«${table.name}${isDated ? ' dated' : ''}»`);

const standsForColumns = /«(\w+)( dated)?»/g;

/** A statement with names in the place of what stands for them. A column too many does no harm. */
function withNamedColumns(statement: string): string {
  if (!statement.includes('«')) return statement;
  const words = new Set(statement.replace(standsForColumns, '').match(/\w+/g));
  return statement.replace(standsForColumns, (_, name: string, isDated?: string) => {
    const table = tables.get(name);
    if (!table) throw new Error(`there is no table ${name}`);
    const dated = isDated === undefined ? undefined : orderColumn(table);
    const named = storedNames(table).filter((column) => words.has(column));
    const columns = named.map((column) => (column === dated ? `_at AS ${quotedName(column)}` : quotedName(column)));
    return columns.length === 0 ? 'organisation' : columns.join(', ');
  });
}
