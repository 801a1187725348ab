import { dateColumns, orderColumn, type Row, type Table, type Value } from '../../catalogue/table.ts';
import type { AnswerRow, QuerySession } from '../../query/plan.ts';
import type { ColumnExtremes, ColumnMeasure, Condition, TableReader } from '../intake-port.ts';
import { rowMaker } from '../row-shapes.ts';
import { SqlQuerySession } from '../sql/query-session.ts';
import { listed, raw, type Sql, sql } from '../sql/sql.ts';
import { isOfOrganisation, type Moment, sqlContextOf, tableAsOf } from './as-of.ts';
import { columnOf, condition, typeOf } from './condition-sql.ts';
import { midnightBefore } from './dialect.ts';
import { leaving } from './kept-types.ts';
import { type BoundStatement, statementFor } from './statement.ts';

/** Asks the engine for lines. */
export type Lines = (statement: BoundStatement) => Promise<string[]>;

/** The same, where the answer has so many bytes at most; undefined where it has more. */
export type ShortLines = (statement: BoundStatement, maxBytes: number) => Promise<string[] | undefined>;

type Rows = Promise<never[]>;

/** Reads the tables of one organisation at one moment. */
export class MomentReader implements TableReader {
  readonly #lines: Lines;
  readonly #moment: Moment;
  /** A moment has one answer to it, and a change asks for it four times. */
  #known: readonly [directory: number, derivation: number] | undefined;

  constructor(lines: Lines, moment: Moment) {
    this.#lines = lines;
    this.#moment = moment;
  }

  async select(table: Table, columns: readonly string[], where?: Condition): Rows {
    if (where && isNothing(where)) return [];
    const lines = await this.#lines(selectRows(table, columns, where, this.#moment));
    return rowsOf(table, columns, lines) as never[];
  }

  tally(table: Table, by: readonly string[], where?: Condition): Rows {
    return this.#grouped(table, by, where, raw('count()'), 'rows');
  }

  summarise(table: Table, by: readonly string[], measure: ColumnMeasure, where?: Condition): Rows {
    const value =
      'median' in measure
        ? sql`quantileExactInclusiveOrNull(0.5)(toFloat64(${columnOf('t', measure.median)}))`
        : 'min' in measure
          ? sql`minOrNull(${columnOf('t', measure.min)})`
          : sql`maxOrNull(${columnOf('t', measure.max)})`;
    return this.#grouped(table, by, where, value, 'value');
  }

  async rowsByDay(table: Table): Promise<{ readonly from: number | null; readonly rows: number }[]> {
    const column = orderColumn(table);
    const at = column && columnOf('t', column);
    const second = at && (typeOf(table, column) === 'date' ? sql`toInt64(${at}) * 86400` : at);
    const day = second ? midnightBefore(second) : raw('CAST(NULL AS Nullable(Int64))');
    const lines = await this.#lines(
      statementFor(
        sql`SELECT toJSONString(tuple(day, count())) FROM (SELECT ${day} AS day FROM ${tableAsOf(table, this.#moment)} AS t) GROUP BY day ORDER BY day NULLS LAST`,
      ),
    );
    return lines.map((line) => {
      const [from, rows] = JSON.parse(line) as [number | null, number];
      return { from, rows };
    });
  }

  async extremes(table: Table): Promise<ColumnExtremes> {
    const dates = dateColumns(table);
    const [order] = dates;
    if (order === undefined) return { first: null, last: [] };
    const last = dates.map((name) => sql`maxOrNull(${columnOf('t', name)})`);
    const values = listed([sql`minOrNull(${columnOf('t', order)})`, ...last]);
    const from = fromWhere(table, undefined, this.#moment);
    const [line = '[]'] = await this.#lines(statementFor(sql`SELECT toJSONString(tuple(${values})) FROM ${from}`));
    const found = JSON.parse(line) as Value[];
    const at = (place: number, name: string): Value => {
      const value = found[place] ?? null;
      return typeOf(table, name) === 'date' ? leaving('date', value) : value;
    };
    return { first: at(0, order), last: dates.map((name, i) => at(i + 1, name)) };
  }

  async directoryVersion(): Promise<number> {
    return (await this.#versions())[0];
  }

  async derivationVersion(): Promise<number> {
    return (await this.#versions())[1];
  }

  async #versions(): Promise<readonly [directory: number, derivation: number]> {
    if (this.#known) return this.#known;
    const [line] = await this.#lines(versionsAt(this.#moment));
    this.#known = line === undefined ? [0, 0] : (JSON.parse(line) as [number, number]);
    return this.#known;
  }

  async #grouped(table: Table, by: readonly string[], where: Condition | undefined, value: Sql, as: string): Rows {
    const columns = by.map((name) => columnOf('t', name));
    const grouped = by.length > 0 ? sql` GROUP BY ${listed(columns)}` : raw('');
    const statement = statementFor(
      sql`SELECT toJSONString(tuple(${listed([...columns, value])})) FROM ${fromWhere(table, where, this.#moment)}${grouped}`,
    );
    return rowsOf(table, [...by, as], await this.#lines(statement)) as never[];
  }
}

const fromWhere = (table: Table, where: Condition | undefined, moment: Moment): Sql =>
  sql`${tableAsOf(table, moment, where && condition(table, where, 't'))} AS t`;

const selectRows = (
  table: Table,
  columns: readonly string[],
  where: Condition | undefined,
  moment: Moment,
): BoundStatement => statementFor(sql`SELECT ${rowOf(columns)} FROM ${fromWhere(table, where, moment)}`);

const rowOf = (columns: readonly string[]): Sql =>
  sql`toJSONString(tuple(${listed(columns.map((name) => columnOf('t', name)))}))`;

/** Rows that have a time come first, by it and by key; those that have none follow, by key alone. */
export function selectInOrder(table: Table, columns: readonly string[], moment: Moment): BoundStatement {
  const order = new Set([orderColumn(table) ?? [], table.key].flat());
  const by = [...order].map((name) => sql`${columnOf('t', name)} ASC NULLS LAST`);
  return statementFor(sql`SELECT ${rowOf(columns)} FROM ${fromWhere(table, undefined, moment)} ORDER BY ${listed(by)}`);
}

/**
 * What the changes of a moment say of the tables: the version of the directory, and that of the rules. Copies that were
 * changed beside records have the smaller number and may be the newer ones: versions of the directory only rise.
 */
const versionsAt = (moment: Moment): BoundStatement =>
  statementFor(
    sql`SELECT toJSONString(tuple(max(directory_version), argMax(derivation_version, change))) FROM ${changesOf(moment)}`,
  );

export const latestChangeTime = (moment: Moment): BoundStatement =>
  statementFor(sql`SELECT changed_at FROM ${changesOf(moment)} ORDER BY change DESC LIMIT 1`);

const changesOf = (moment: Moment): Sql => {
  const dead = moment.dead.length === 0 ? raw('') : sql` AND NOT has(${deadOf(moment)}, toInt64(change))`;
  return sql`changes WHERE ${isOfOrganisation(moment)} AND change <= ${{ type: 'integer', value: moment.change }}${dead}`;
};

const deadOf = ({ dead }: Moment) => ({ type: 'integers', value: dead }) as const;

/** `rowMaker` gives all rows one hidden class, which V8 reads and copies faster. */
export function rowsOf(table: Table, names: readonly string[], lines: readonly string[]): Row[] {
  const dates = names.flatMap((name, i) => (table.columns[name]?.type === 'date' ? [i] : []));
  const make = rowMaker(names);
  return lines.map((line) => {
    const values = JSON.parse(line) as Value[];
    for (const i of dates) values[i] = leaving('date', values[i] ?? null);
    return make(values);
  });
}

const isNothing = (where: Condition): boolean =>
  ('in' in where && where.in.length === 0) ||
  ('columns' in where && where.among.length === 0) ||
  ('any' in where && where.any.length === 0);

interface QuestionReading {
  readonly lines: Lines;
  readonly shortLines?: ShortLines;
  readonly leavers?: readonly string[] | undefined;
}

/** Answers questions from the tables at one moment. */
export const momentQuerySession = ({ lines, shortLines, leavers }: QuestionReading, moment: Moment): QuerySession =>
  new SqlQuerySession(
    {
      rows: async <R>(piece: Sql) => (await lines(statementFor(piece))).map((line) => JSON.parse(line) as R),
      async rowsWithin(piece, maxBytes) {
        const found = await lines(statementFor(piece));
        const bytes = bytesOf(found);
        const rows = found.map((line) => JSON.parse(line) as AnswerRow | number);
        const measured = rows.filter((row) => typeof row === 'number');
        const most = Math.max(bytes, ...measured.slice(-1));
        const count = found.length;
        if (measured.length > 0 || most > maxBytes)
          return { rows: undefined, bytes: Math.max(most, maxBytes + 1), count };
        return { rows: rows as AnswerRow[], bytes, count };
      },
      async rowsIfShort(piece, maxBytes) {
        const found = await shortLines?.(statementFor(piece), maxBytes);
        return found && { rows: rowsIn(found), bytes: bytesOf(found), count: found.length };
      },
    },
    { ...sqlContextOf(moment), leavers },
  );

const rowsIn = (lines: readonly string[]): AnswerRow[] => lines.map((line) => JSON.parse(line) as AnswerRow);
const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);
