import type { GatedMetric } from '../access/sensitive-reads.ts';
import type { RequestTicket } from '../admission/ticket.ts';
import type { FactTable } from '../catalogue/tables/all-tables.ts';
import type { NearestRows } from './nearest-rows.ts';
import type { AnswerRow } from './plan.ts';
import type { Extent } from './question-port.ts';
import type { DurationStyle } from './request.ts';
import type { RequestTimings } from './request-timings.ts';
import type { FlatColumn } from './shape/rows.ts';
import type { UnmatchedFilters, UnmatchedValues } from './unmatched-filters.ts';

/** The options of a question beside its body. */
export interface AnswerOptions {
  /** The ticket of the question; the principal's when absent. */
  readonly ticket?: RequestTicket | undefined;
  readonly durations?: DurationStyle | undefined;
  /** Whether every value is to come with n: how many rows have it. */
  readonly showsN?: boolean | undefined;
  /** Whether every value is to come with what may be said of its change since the period before. */
  readonly showsVerdict?: boolean | undefined;
  /** Records where the time goes. */
  readonly timings?: RequestTimings | undefined;
}

/** Rows of a flat answer, in any format. */
export interface RowsAnswer {
  readonly form: 'rows';
  readonly columns: readonly FlatColumn[];
  readonly rows: readonly AnswerRow[];
  /** How many rows there would be, where not all of them are here. */
  readonly total: number | undefined;
  readonly unmatched?: UnmatchedValues | undefined;
  /** How many answers to surveys are left out, where they are anonymous. */
  readonly suppressed?: number | undefined;
  /** For an answer without values: where rows are. */
  readonly nearest?: NearestRows | undefined;
}

/** More rows than are held at once. They come batch by batch, once. */
export interface StreamedAnswer {
  readonly form: 'stream';
  readonly columns: readonly FlatColumn[];
  readonly batches: AsyncIterable<readonly AnswerRow[]>;
  /** The rows as JSON objects, one a line, where the engine can write them itself: to be taken in place of batches. */
  readonly lines?: AsyncIterable<Buffer> | undefined;
}

/** A single JSON document. */
export interface DocumentAnswer {
  readonly form: 'document';
  readonly document: object;
  /** How many results or series there would be, where not all of them are here. */
  readonly total: number | undefined;
  readonly unmatched?: UnmatchedValues | undefined;
  /** How many answers to surveys are left out, where they are anonymous. */
  readonly suppressed?: number | undefined;
  /** For an answer without values: where rows are. */
  readonly nearest?: NearestRows | undefined;
}

export type MetricAnswer = RowsAnswer | DocumentAnswer;

/** An answer, found now or taken from the cache. */
export interface Served<A> {
  readonly answer: A;
  readonly isCached: boolean;
  readonly ageSeconds: number;
  /** Values of filters that match nothing, as this caller sent them. */
  readonly unmatched?: UnmatchedFilters | undefined;
  /** The metrics behind a gate: everyone who gets this answer is written to the audit log. */
  readonly gated?: readonly GatedMetric[];
  /** How many answers to surveys are left out, where they are anonymous. */
  readonly suppressed?: number | undefined;
  /** The tables that the answer depends on. */
  readonly tables?: readonly FactTable[] | undefined;
  /** From when to when those tables are complete now, also where the answer is older. */
  readonly extent?: Extent | undefined;
  /**
   * All that the answer depends on: the question, what the caller may see, and the version of the data, read before the data
   * itself. While a question has this state, its answer stays the same in this process. Undefined where it is not known.
   */
  readonly state?: string | undefined;
}
