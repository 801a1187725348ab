import type { Cell, Query } from '../../query/plan.ts';
import { compareCellLists } from '../../query/shape/cell.ts';
import { type AnswerPart, type OrderBound, orderedTexts, renderOrderedRows, renderPartSize } from '../sql/query-sql.ts';
import type { SqlContext } from '../sql/sql-context.ts';
import { statementFor } from './query-session.ts';
import type { EngineStatement } from './statement.ts';

/** How many rows of each part are looked at to know where it ends: enough for parts of about the same size. */
const sampledOfPart = 200;
const maxSampled = 20_000;
/** Long texts are distinguished by their beginnings: by longer ones where short ones are not enough. */
const minBeginning = 256;
const maxBeginning = 4 * 1_024 ** 2;
const beginningTimes = 16;
const maxSampledCharacters = 8 * 1_024 ** 2;
/** A row that is longer than this may be missed by the sample and still make its part too large. */
const longRow = 64 * 1_024;

interface PartSize {
  readonly rows: number;
  readonly bytes: number;
  readonly longestRow: number;
}

/** A part with its size, as far as it is known. */
export interface SizedPart {
  readonly part: AnswerPart;
  readonly bytes: number;
}

interface PartLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** Asks the engine, in the transaction of the answer. */
type AskEngine = <V>(statement: EngineStatement) => Promise<V[]>;

/**
 * Divides an answer into parts that follow each other in its order, each small enough to be sorted in little memory. Where
 * parts end is said by a sample of the rows, so that not even what they are ordered by is ever sorted as a whole. A part is
 * found when it is asked for: dividing a long answer takes some statements.
 */
export class AnswerParts {
  readonly #values: AskEngine;
  readonly #context: SqlContext;
  readonly #query: Query;
  readonly #limits: PartLimits;

  constructor(values: AskEngine, context: SqlContext, query: Query, limits: PartLimits) {
    this.#values = values;
    this.#context = context;
    this.#query = query;
    this.#limits = limits;
  }

  async measure(part: AnswerPart = {}): Promise<PartSize> {
    const statement = statementFor(renderPartSize(this.#context, this.#query, part));
    const [[rows, bytes, longestRow] = [0, 0, 0]] = await this.#values<[number, number, number]>(statement);
    return { rows, bytes, longestRow };
  }

  async *of(size: PartSize, whole: AnswerPart = {}, beginning = minBeginning): AsyncGenerator<SizedPart> {
    const wanted = Math.ceil(Math.max(size.rows / this.#limits.rows, size.bytes / this.#limits.bytes));
    if (wanted < 2 || size.rows < 2 || this.#query.order.length === 0 || beginning > maxBeginning) {
      yield { part: whole, bytes: size.bytes };
      return;
    }
    const count = this.#sampled(wanted, beginning);
    const sample = await this.#sample(whole, count, beginning);
    const { bounds, isEven } = boundsOf(sample, wanted, this.#limits, beginning);
    const inside = bounds.filter((bound) => isWithin(bound, whole));
    if (inside.length === 0) {
      yield* this.of(size, whole, beginning * beginningTimes);
      return;
    }
    // Every row was looked at, so none was missed.
    const isCertain = isEven && (size.rows <= count || size.longestRow <= longRow);
    for (const [i, until] of [...inside, whole.until].entries()) {
      const part = { after: i === 0 ? whole.after : inside[i - 1], until };
      if (isCertain) yield { part, bytes: Math.ceil(size.bytes / (inside.length + 1)) };
      else yield* this.#checked(part, beginning);
    }
  }

  /** A part that may be too large after all is measured, and divided further. */
  async *#checked(part: AnswerPart, beginning: number): AsyncGenerator<SizedPart> {
    const size = await this.measure(part);
    const isLarge = size.rows > 2 * this.#limits.rows || size.bytes > 2 * this.#limits.bytes;
    if (isLarge) yield* this.of(size, part, beginning);
    else if (size.rows > 0) yield { part, bytes: size.bytes };
  }

  #sampled(wanted: number, beginning: number): number {
    const characters = beginning * Math.max(1, orderedTexts(this.#query));
    return Math.ceil(Math.min(wanted * sampledOfPart, maxSampled, maxSampledCharacters / characters));
  }

  async #sample(part: AnswerPart, count: number, beginning: number): Promise<SampledRow[]> {
    const sample = `USING SAMPLE reservoir(${count} ROWS)`;
    const rows = await this.#values<readonly Cell[]>(
      statementFor(renderOrderedRows(this.#context, this.#query, part, beginning, sample)),
    );
    return rows
      .map((row) => ({ cells: row.slice(0, -1), bytes: Number(row.at(-1)) }))
      .sort((a, b) => compareCellLists(a.cells, b.cells));
  }
}

interface SampledRow {
  readonly cells: readonly Cell[];
  readonly bytes: number;
}

interface Bounds {
  readonly bounds: readonly OrderBound[];
  /** Whether no part has much more of the sample than the others, unless it is of a single row. */
  readonly isEven: boolean;
}

/** Where parts end that weigh about the same, by rows or by bytes, whichever is more of its limit. */
function boundsOf(rows: readonly SampledRow[], wanted: number, limits: PartLimits, beginning: number): Bounds {
  const weights = rows.map(({ bytes }) => Math.max(bytes / limits.bytes, 1 / limits.rows));
  const target = weights.reduce((sum, weight) => sum + weight, 0) / wanted;
  const bounds: OrderBound[] = [];
  let [isEven, sum, count] = [true, 0, 0];
  for (const [i, { cells }] of rows.entries()) {
    sum += weights[i] ?? 0;
    count += 1;
    const next = rows[i + 1];
    const isFull = sum >= target || (weights[i + 1] ?? 0) >= target;
    const bound = isFull && next ? boundBetween(cells, next.cells, beginning) : undefined;
    if (next && !bound) continue;
    if (bound) bounds.push(bound);
    isEven &&= count === 1 || sum < 2 * target;
    [sum, count] = [0, 0];
  }
  return { bounds, isEven };
}

/**
 * The shortest bound that has one row before it and the next one behind it. Undefined where they look the same: two texts
 * with the same beginning may differ after all, and then nothing behind them in the order decides.
 */
function boundBetween(cells: readonly Cell[], next: readonly Cell[], beginning: number): OrderBound | undefined {
  const isCut = (cell: Cell) => typeof cell === 'string' && cell.length >= beginning;
  const differs = cells.findIndex((cell, i) => cell !== next[i] || isCut(cell));
  return cells[differs] === next[differs] ? undefined : cells.slice(0, differs + 1);
}

/** Whether a bound divides a part. Texts of which only the beginning was seen may lie before the part that they are of. */
const isWithin = (bound: OrderBound, { after, until }: AnswerPart): boolean =>
  (!after || compareBounds(bound, after) > 0) && (!until || compareBounds(bound, until) < 0);

/** Of two bounds that are the same as far as both go, the shorter one lies behind more rows. */
function compareBounds(a: OrderBound, b: OrderBound): number {
  const both = Math.min(a.length, b.length);
  return compareCellLists(a.slice(0, both), b.slice(0, both)) || b.length - a.length;
}
