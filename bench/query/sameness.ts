import { createHash } from 'node:crypto';
import type { ComparedColumn, ComparedRows, ComparedValue } from './question.ts';

/** The rows of a JSON answer as the engines give them. */
export function rowsOf(answer: unknown, columns: readonly ComparedColumn[]): ComparedRows {
  if (!Array.isArray(answer)) throw new Error(`not rows: ${JSON.stringify(answer)?.slice(0, 200)}`);
  return answer.map((row: Readonly<Record<string, ComparedValue>>) =>
    columns.map(({ name, type }) => {
      const value = row[name];
      if (value === undefined) throw new Error(`the answer has no ${name}: ${JSON.stringify(row)}`);
      return type === 'time' && typeof value === 'string' ? secondsIn(value) : value;
    }),
  );
}

/** Engines leave out that it is UTC, and one of them writes a space before the hour. */
const secondsIn = (text: string): number => Date.parse(`${text.replace(' ', 'T').replace(/Z$/, '')}Z`) / 1_000;

/** What differs first, if anything does. Rows may come in any order; fractions may differ in their last digits. */
export function difference(one: ComparedRows, other: ComparedRows): string | undefined {
  if (one.length !== other.length) return `${one.length} rows and ${other.length} rows`;
  const [left, right] = [sorted(one), sorted(other)];
  for (const [i, row] of left.entries()) {
    const counterpart = right[i] ?? [];
    if (row.length !== counterpart.length || row.some((value, j) => !isSame(value, counterpart[j] ?? null))) {
      return `${JSON.stringify(row)} and ${JSON.stringify(counterpart)}`;
    }
  }
  return undefined;
}

/** By what is no measured number: those may differ in their last digits. */
function sorted(rows: ComparedRows): ComparedRows {
  const keyOf = (row: readonly ComparedValue[]) =>
    row.filter((value) => typeof value !== 'number' || Number.isInteger(value));
  return rows
    .map((row) => ({ row, key: JSON.stringify(keyOf(row)) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row);
}

function isSame(one: ComparedValue, other: ComparedValue): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other;
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
}

/** Rows too many to keep, in a few letters. In any order they give the same. */
export class Digest {
  #rows = 0;
  #sum = 0n;

  add(row: readonly ComparedValue[]): void {
    this.#rows += 1;
    this.#sum += createHash('md5').update(JSON.stringify(row)).digest().readBigUInt64LE();
  }

  get rows(): number {
    return this.#rows;
  }

  toString(): string {
    return `${this.#rows} rows, ${(this.#sum % 2n ** 64n).toString(16)}`;
  }
}
