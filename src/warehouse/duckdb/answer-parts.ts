import type { Cell, Query } from '../../query/plan.ts';
import { compareCells } from '../../query/shape/cell.ts';
import { type AnswerPart, type CellRange, renderOrderedColumn, renderPartSize } from '../sql/query-sql.ts';
import type { SqlContext } from '../sql/sql-context.ts';
import { statementFor } from './query-session.ts';
import type { EngineStatement } from './statement.ts';

/** How many values of each part are looked at to know where it ends: enough for parts of about the same size. */
const sampledOfPart = 200;
const sampledMost = 20_000;
/** Long texts are distinguished by their beginnings: by longer ones where short ones are not enough. */
const beginningLeast = 1_024;
const beginningMost = 4 * 1_024 ** 2;
const beginningTimes = 16;
const sampledBytesMost = 8 * 1_024 ** 2;
/** A row that is longer than this may be missed by the sample and still make its part too large. */
const longRow = 64 * 1_024;

interface PartSize {
  readonly rows: number;
  readonly bytes: number;
  readonly longestRow: number;
  /** Rows that have a value in the column that the part would be divided by. */
  readonly valued: number;
  /** Whether that column has one value only. */
  readonly isSame: boolean;
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
 * Divides an answer into parts that follow each other in its order, each small enough to be sorted in little memory. A
 * part is found when it is asked for: dividing a long answer takes some statements.
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

  measure(part: AnswerPart = [], place = 0): Promise<PartSize> {
    const statement = statementFor(renderPartSize(this.#context, this.#query, place, part));
    return this.#values<[number, number, number, number, boolean]>(statement).then(([row]) => ({
      rows: row?.[0] ?? 0,
      bytes: row?.[1] ?? 0,
      longestRow: row?.[2] ?? 0,
      valued: row?.[3] ?? 0,
      isSame: row?.[4] ?? true,
    }));
  }

  of(size: PartSize): AsyncGenerator<SizedPart> {
    return this.#divide([], 0, size);
  }

  /** Divides the rows of a part by the column at a place of the order. */
  async *#divide(
    within: AnswerPart,
    place: number,
    size: PartSize,
    beginning = beginningLeast,
  ): AsyncGenerator<SizedPart> {
    const wanted = Math.ceil(Math.max(size.rows / this.#limits.rows, size.bytes / this.#limits.bytes));
    if (wanted < 2 || place >= this.#query.order.length) {
      yield { part: within, bytes: size.bytes };
      return;
    }
    const outer = within[place];
    const { ranges, isEven } = await this.#ranges(within, place, size, wanted, beginning);
    const before = within.slice(0, place);
    const isWhole = ranges.length === 1;
    // Where every row was looked at, nothing was missed.
    const isSeen = size.rows <= sampledRows(wanted, beginning) || size.longestRow <= longRow;
    const isCertain = isEven && ranges.length >= wanted && isSeen;
    for (const range of ranges) {
      const part = [...before, range];
      if (isCertain) yield { part, bytes: Math.ceil(size.bytes / ranges.length) };
      else yield* this.#checked(part, place, isWhole && outer !== undefined ? beginning : 0);
    }
  }

  /** A part that may be too large after all is measured, and divided further: by more of its texts than was tried. */
  async *#checked(part: AnswerPart, place: number, tried: number): AsyncGenerator<SizedPart> {
    const size = await this.measure(part, place);
    if (size.rows === 0) return;
    const isLarge = size.rows > 2 * this.#limits.rows || size.bytes > 2 * this.#limits.bytes;
    if (!isLarge || (!size.isSame && tried >= beginningMost)) yield { part, bytes: size.bytes };
    else if (size.isSame) yield* this.#divideNext(part, place + 1, size);
    else yield* this.#divide(part, place, size, Math.max(beginningLeast, tried * beginningTimes));
  }

  async *#divideNext(part: AnswerPart, place: number, { bytes }: PartSize): AsyncGenerator<SizedPart> {
    if (place >= this.#query.order.length) yield { part, bytes };
    else yield* this.#divide(part, place, await this.measure(part, place));
  }

  /** Ranges of a column that hold about as much each, with those rows last that have nothing in it. */
  async #ranges(
    within: AnswerPart,
    place: number,
    size: PartSize,
    wanted: number,
    beginning: number,
  ): Promise<{ readonly ranges: readonly CellRange[]; readonly isEven: boolean }> {
    const outer = within[place];
    if (outer === 'nothing') return { ranges: [outer], isEven: false };
    const last: CellRange[] = outer === undefined && size.valued < size.rows ? ['nothing'] : [];
    if (size.valued === 0) return { ranges: last, isEven: false };
    const { bounds, isEven } = boundsOf(await this.#sample(within, place, wanted, beginning), wanted, this.#limits);
    const [from, to] = [outer?.after, outer?.until];
    const isInside = (bound: Cell) =>
      (from === undefined || compareCells(bound, from) > 0) && (to === undefined || compareCells(bound, to) < 0);
    const inner = bounds.filter(isInside);
    const ranges = [...inner, to].map((until, i): CellRange => ({ after: i === 0 ? from : inner[i - 1], until }));
    return { ranges: [...ranges, ...last], isEven: isEven && last.length === 0 };
  }

  async #sample(
    within: AnswerPart,
    place: number,
    wanted: number,
    beginning: number,
  ): Promise<(readonly [Cell, number])[]> {
    const sample = `USING SAMPLE reservoir(${sampledRows(wanted, beginning)} ROWS)`;
    const statement = statementFor(renderOrderedColumn(this.#context, this.#query, place, within, beginning, sample));
    const cells = await this.#values<readonly [Cell, number]>(statement);
    return cells.filter(([cell]) => cell !== null).sort(([a], [b]) => compareCells(a, b));
  }
}

const sampledRows = (wanted: number, beginning: number): number =>
  Math.ceil(Math.min(wanted * sampledOfPart, sampledMost, sampledBytesMost / beginning));

interface Bounds {
  readonly bounds: readonly Cell[];
  /** Whether no single value makes a part by itself: more than one part is then never of one value. */
  readonly isEven: boolean;
}

/**
 * Where parts end that weigh about the same, by rows or by bytes, whichever is more of its limit. A value that is a part
 * by itself is cut off on both sides, so that the part can be divided by the next column.
 */
function boundsOf(cells: readonly (readonly [Cell, number])[], wanted: number, limits: PartLimits): Bounds {
  const weights = new Map<Cell, number>();
  let whole = 0;
  for (const [cell, bytes] of cells) {
    const weight = Math.max(bytes / limits.bytes, 1 / limits.rows);
    weights.set(cell, (weights.get(cell) ?? 0) + weight);
    whole += weight;
  }
  const target = whole / wanted;
  const bounds = new Set<Cell>();
  let [isEven, sum] = [true, 0];
  let before: Cell | undefined;
  for (const [cell, weight] of weights) {
    if (weight >= target) {
      isEven = false;
      if (before !== undefined) bounds.add(before);
    }
    sum += weight;
    if (sum >= target || weight >= target) {
      bounds.add(cell);
      sum = 0;
    }
    before = cell;
  }
  // Behind the last value that was seen there is nothing to cut off.
  if (before !== undefined) bounds.delete(before);
  return { bounds: [...bounds], isEven };
}
