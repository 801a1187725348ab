import type { FieldType } from '../../catalogue/record.ts';
import { orderColumn, storedColumns, storedNames, type Table } from '../../catalogue/table.ts';
import { isLong } from '../long-texts.ts';
import { defaultPortion, joinRanges, type MaxPortion, type RowRange, type RowsDigest } from '../moving-port.ts';
import { integer, joined, listed, raw, type Sql, sql, text } from '../sql/sql.ts';
import { type Moment, tableAsOf } from './as-of.ts';
import { columnOf, typeOf } from './condition-sql.ts';
import { clickhouseDialect } from './dialect.ts';
import { quotedName } from './kept-types.ts';
import { columnType } from './layout.ts';
import { hasEndsApart } from './row-ends.ts';
import { type BoundStatement, statementFor } from './statement.ts';
import type { Lines } from './table-reading.ts';

/** Rows by what they are sorted by (`_at`, as text: it has 64 bits), or all of a table that has no such column. */
type SortedRange = RowRange<string>;

/** Seconds that are counted and measured as one. */
const rangeSeconds = 3_600;

/** Portions of a table, each small enough for a statement of its own: one statement may take only so long. */
export async function rangesOf(
  lines: Lines,
  table: Table,
  moment: Moment,
  portion: MaxPortion = defaultPortion,
): Promise<SortedRange[]> {
  const order = orderColumn(table);
  const long = storedNames(table).filter((name) => isLong(table, name));
  const bytes = joined([raw('0'), ...long.map((name) => sql`sum(ifNull(length(${columnOf('t', name)}), 0))`)], ' + ');
  const bounds = order === undefined ? sql`'', ''` : sql`toString(min(_at)), toString(max(_at))`;
  const step = order !== undefined && typeOf(table, order) === 'date' ? 1 : rangeSeconds;
  const grouped = order === undefined ? raw('') : sql` GROUP BY intDiv(_at, ${integer(step)}) ORDER BY min(_at)`;
  const found = await lines(
    statementFor(
      sql`SELECT toJSONString(tuple(${bounds}, count(), ${bytes})) FROM ${tableAsOf(table, moment)} AS t${grouped}`,
    ),
  );
  const ranges = found.map((line) => {
    const [from, to, rows, length] = JSON.parse(line) as [string, string, number, number];
    return { from, to, rows, bytes: length };
  });
  return joinRanges(ranges, portion).filter(({ rows }) => rows > 0);
}

const fromRange = (table: Table, { from, to }: SortedRange, moment: Moment): Sql => {
  const within = from === '' ? raw('true') : sql`_at >= toInt64(${text(from)}) AND _at <= toInt64(${text(to)})`;
  return sql`${tableAsOf(table, moment)} AS t WHERE ${within}`;
};

export function selectRange(table: Table, range: SortedRange, moment: Moment): BoundStatement {
  const columns = listed(storedNames(table).map((name) => columnOf('t', name)));
  const ordered = range.from === '' ? raw('') : raw(' ORDER BY _at');
  return statementFor(sql`SELECT ${columns} FROM ${fromRange(table, range, moment)}${ordered}`);
}

/** Rows that begin with a stamp. What is in the file is said here, so that nothing is guessed from it. */
export function insertFromInput(table: Table, { organisationId }: Moment, stamp: number): BoundStatement {
  const columns = [...storedColumns(table)];
  const names = listed(columns.map(([name]) => clickhouseDialect.identifier(name)));
  const kept = columns.map(([name, type]) => `${quotedName(name)} ${columnType(table, name, type)}`).join(', ');
  const [number, itsName] = hasEndsApart(table) ? [', rowNumberInAllBlocks()', ', _n'] : ['', ''];
  const from = sql`SELECT ${text(organisationId)}, ${names}, ${integer(stamp)}${raw(number)} FROM input('${raw(kept)}')`;
  const into = sql`${clickhouseDialect.identifier(table.name)} (organisation, ${names}, _since${raw(itsName)})`;
  return statementFor(sql`INSERT INTO ${into} ${from}`);
}

/** A value as the digest has it. */
function digested(type: FieldType, value: Sql): Sql {
  const said = type === 'number' ? sql`reinterpretAsInt64(${value})` : value;
  return sql`ifNull(toString(${said}), char(30))`;
}

export async function digestRange(lines: Lines, table: Table, range: SortedRange, moment: Moment): Promise<RowsDigest> {
  const values = [...storedColumns(table)].map(([name, type]) => digested(type, columnOf('t', name)));
  const row = sql`reinterpretAsUInt64(substring(MD5(concatWithSeparator(char(31), ${listed(values)})), 9, 8))`;
  const [line] = await lines(
    statementFor(
      sql`SELECT toJSONString(tuple(count(), toString(sum(toUInt128(${row}))))) FROM ${fromRange(table, range, moment)}`,
    ),
  );
  const [rows, digest] = JSON.parse(line ?? '[0, "0"]') as [number, string];
  return { rows, digest };
}
