import type { ClickHouseSettings } from '@clickhouse/client';

/** Settings with which statements mean here what they mean on every other engine. */
const meaning: ClickHouseSettings = {
  // By default the engine fills what a join lacks with 0 and ''.
  join_use_nulls: 1,
  union_default_mode: 'DISTINCT',
  cast_keep_nullable: 1,
  transform_null_in: 0,
  enable_extended_results_for_datetime_functions: 1,
  // Without statistics the planner expects one row of every join, and then hashes records to compare people with them.
  query_plan_join_swap_table: 'false',
  // Both copies of a row match a condition alike, so that skipping granules never loses one of them. The exact mode would
  // read whatever lies between the first and the last row of a part that has to be read: all of history, after a change of
  // two rows.
  use_skip_indexes_if_final: 1,
  use_skip_indexes_if_final_exact_mode: 0,
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
  output_format_json_escape_forward_slashes: 0,
  precise_float_parsing: 1,
};

/**
 * A shard that is away is an error, never a part of an answer; and a reader is on no replica that lags behind. All rows of
 * an organisation are on one shard, and so is whatever its rows are compared with: a statement that would go to any other
 * shard is refused, since the organisation would then depend on all of them.
 */
const clusterReading: ClickHouseSettings = {
  skip_unavailable_shards: 0,
  optimize_skip_unused_shards: 1,
  force_optimize_skip_unused_shards: '1',
  distributed_product_mode: 'local',
  select_sequential_consistency: '1',
};

const clusterWriting: ClickHouseSettings = {
  ...clusterReading,
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  distributed_foreground_insert: 1,
};

/** The limits of one question, where the address of the tables has them; else those of the user. */
export type QuestionLimits = Readonly<Partial<Record<'max_memory_usage' | 'max_result_rows', string>>>;

interface ReadingTerms {
  readonly limits?: QuestionLimits;
  /** Statements about all organisations ask all shards. */
  readonly isOfAll?: boolean | undefined;
  /** A longer answer is an error. */
  readonly maxBytes?: number | undefined;
}

export const readingSettings = (
  seconds: number,
  isCluster: boolean,
  { limits = {}, isOfAll = false, maxBytes }: ReadingTerms = {},
): ClickHouseSettings => ({
  ...limits,
  ...meaning,
  ...(isCluster ? clusterReading : {}),
  ...(isCluster && isOfAll ? { force_optimize_skip_unused_shards: '0' } : {}),
  // Whatever a question says, it writes nothing.
  readonly: '2',
  max_execution_time: seconds,
  ...(maxBytes === undefined ? {} : { max_result_bytes: String(maxBytes) }),
  // An error after the first rows would be taken for their end.
  wait_end_of_query: 1,
  cancel_http_readonly_queries_on_client_close: 1,
});

/** Files that the next engine reads at once: quick to write, and with as many rows in memory as it has room for. */
export const parquetSettings: ClickHouseSettings = {
  output_format_parquet_compression_method: 'lz4',
  output_format_parquet_row_group_size: '20480',
  output_format_parquet_string_as_string: 1,
};

export const writingSettings = (seconds: number, isCluster: boolean, token?: string): ClickHouseSettings => ({
  ...meaning,
  ...(isCluster ? clusterWriting : {}),
  max_execution_time: seconds,
  wait_end_of_query: 1,
  // An acknowledged insert is written.
  async_insert: 0,
  // The engine takes an insert with the same token only once.
  ...(token === undefined ? {} : { insert_deduplication_token: token }),
  // A key that is missing is a mistake, not an empty text.
  input_format_null_as_default: 0,
  mutations_sync: '2',
  lightweight_deletes_sync: '2',
  // Rows that remove others are of the same organisation, so they lie on the same server.
  allow_nondeterministic_mutations: 1,
});
