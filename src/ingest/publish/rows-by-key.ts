import type { Row, Table, Value } from '../../catalogue/table.ts';

/** Rows under the first value of their key, or further maps by the next one. */
type Level = Map<Value, Level | Row>;

/**
 * Rows that are found by key and taken out one after another. There is a map for each column of the key: to make one text
 * of several values for each of fifty thousand rows takes longer than everything else that is done with them.
 */
export class RowsByKey {
  readonly #key: readonly string[];
  readonly #top: Level = new Map();

  constructor({ key }: Table, rows: readonly Row[]) {
    this.#key = key;
    for (const row of rows) this.#levelOf(row).set(this.#lastOf(row), row);
  }

  /** The row with the key of this one, which is no longer there then. */
  take(row: Row): Row | undefined {
    const level = this.#levelOf(row);
    const found = level.get(this.#lastOf(row)) as Row | undefined;
    level.delete(this.#lastOf(row));
    return found;
  }

  /** What was not taken. */
  rest(): Row[] {
    let levels = [this.#top];
    for (let depth = 1; depth < this.#key.length; depth += 1) {
      levels = levels.flatMap((level) => [...level.values()] as Level[]);
    }
    return levels.flatMap((level) => [...level.values()] as Row[]);
  }

  #lastOf(row: Row): Value {
    return row[this.#key.at(-1) ?? ''] ?? null;
  }

  #levelOf(row: Row): Level {
    let level = this.#top;
    for (let i = 0; i < this.#key.length - 1; i += 1) {
      const value = row[this.#key[i] ?? ''] ?? null;
      const next = (level.get(value) as Level | undefined) ?? new Map();
      level.set(value, next);
      level = next;
    }
    return level;
  }
}
