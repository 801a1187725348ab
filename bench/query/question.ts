/** How a value is compared: times are seconds since 1970, days are text. */
export interface ComparedColumn {
  readonly name: string;
  readonly type: 'text' | 'number' | 'day' | 'time';
}

export type ComparedValue = string | number | null;
export type ComparedRows = readonly (readonly ComparedValue[])[];

/** One question in three languages. */
export interface BenchQuestion {
  readonly name: string;
  /** To Plumb. The last day may be any after the history: the answer is the same, but is not known yet. */
  readonly path: string;
  readonly body: (lastDay: string) => object;
  /** To the engine, in the file of the organisation. */
  readonly duckdb: string;
  /** To PostgreSQL, where all organisations share their tables. */
  readonly postgres: string;
  /** In the order in which both statements give them. */
  readonly columns: readonly ComparedColumn[];
  /** How many rows there are in all, where only the first of them are wanted. Plumb says it in a header. */
  readonly total?: { readonly duckdb: string; readonly postgres: string };
}

/** A question that only Plumb and the engine by itself are asked. */
export type EngineQuestion = Omit<BenchQuestion, 'postgres' | 'total'>;
