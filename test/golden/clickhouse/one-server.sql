CREATE TABLE IF NOT EXISTS layout (version UInt32)
ENGINE = ReplacingMergeTree()
ORDER BY version;

CREATE TABLE IF NOT EXISTS "changes" (
  organisation LowCardinality(String),
  change UInt64,
  changed_at Int64,
  directory_version Int64,
  derivation_version Int64)
ENGINE = ReplacingMergeTree()
ORDER BY (organisation, change);

CREATE TABLE IF NOT EXISTS "ends" (
  organisation LowCardinality(String),
  of_table LowCardinality(String),
  _ended UInt64,
  _since UInt64,
  _n UInt64)
ENGINE = ReplacingMergeTree()
ORDER BY (organisation, of_table, _ended, _since, _n);

CREATE TABLE IF NOT EXISTS "pull_request_comments" (
  organisation LowCardinality(String),
  "comment_id" String,
  "pr_id" Nullable(String),
  "source" LowCardinality(Nullable(String)),
  "given_source" Nullable(String),
  "repository" LowCardinality(Nullable(String)),
  "repository_name" LowCardinality(Nullable(String)),
  "pr_number" Nullable(Int64),
  "pr_title" Nullable(String),
  "pr_url" Nullable(String),
  "pr_state" Nullable(String),
  "pr_category" Nullable(String),
  "pr_created_at" Nullable(Int64),
  "pr_merged_at" Nullable(Int64),
  "pr_closed_at" Nullable(Int64),
  "base_branch" LowCardinality(Nullable(String)),
  "head_branch" Nullable(String),
  "issue_ids" Nullable(String),
  "review_rounds_bucket" LowCardinality(Nullable(String)),
  "person_login" Nullable(String),
  "person_source" Nullable(String),
  "person_email" Nullable(String),
  "person_name" Nullable(String),
  "person_is_bot" Nullable(Bool),
  "merged_user_id" LowCardinality(Nullable(String)),
  "given_merged_user_id" LowCardinality(Nullable(String)),
  "is_bot" Nullable(Bool),
  "actor" LowCardinality(Nullable(String)),
  "comment" Nullable(String),
  "comment_url" Nullable(String),
  "commented_at" Nullable(Int64),
  "in_reply_to" Nullable(String),
  "file_path" Nullable(String),
  _at Int64 DEFAULT ifNull(toInt64("commented_at"), -9223372036854775808),
  _since UInt64,
  _ended UInt64 DEFAULT 0,
  _n UInt64 DEFAULT sipHash64("comment_id") CODEC(Delta, LZ4),
  INDEX by_since _since TYPE minmax GRANULARITY 1,
  INDEX "by_commented_at" "commented_at" TYPE minmax GRANULARITY 1,
  INDEX "by_pr_created_at" "pr_created_at" TYPE minmax GRANULARITY 1,
  INDEX "by_pr_merged_at" "pr_merged_at" TYPE minmax GRANULARITY 1,
  INDEX "by_pr_closed_at" "pr_closed_at" TYPE minmax GRANULARITY 1,
  INDEX "by_comment_id" "comment_id" TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX "by_pr_id" "pr_id" TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX "by_pr_created_at_else_at" if(isNull("pr_created_at"), _at, assumeNotNull("pr_created_at")) TYPE minmax GRANULARITY 1,
  INDEX "by_pr_merged_at_else_at" if(isNull("pr_merged_at"), _at, assumeNotNull("pr_merged_at")) TYPE minmax GRANULARITY 1,
  INDEX "by_pr_closed_at_else_at" if(isNull("pr_closed_at"), _at, assumeNotNull("pr_closed_at")) TYPE minmax GRANULARITY 1)
ENGINE = ReplacingMergeTree(_ended)
PRIMARY KEY (organisation, _at) ORDER BY (organisation, _at, "comment_id", _since)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS "team_members" (
  organisation LowCardinality(String),
  "team_id" String,
  "merged_user_id" String,
  _since UInt64,
  _ended UInt64 DEFAULT 0,
  INDEX by_since _since TYPE minmax GRANULARITY 1)
ENGINE = ReplacingMergeTree(_ended)
PRIMARY KEY (organisation, "team_id", "merged_user_id") ORDER BY (organisation, "team_id", "merged_user_id", _since)
SETTINGS index_granularity = 1024;

ALTER TABLE "team_members" ADD COLUMN IF NOT EXISTS "team_id" String;

ALTER TABLE "pull_request_comments" MODIFY SETTING non_replicated_deduplication_window = 1000;

ALTER TABLE "pull_request_comments" ADD COLUMN IF NOT EXISTS _n UInt64 DEFAULT sipHash64("comment_id") CODEC(Delta, LZ4), MODIFY COLUMN "repository" LowCardinality(Nullable(String)) SETTINGS mutations_sync = 0;

ALTER TABLE "pull_request_comments" MATERIALIZE COLUMN _n SETTINGS mutations_sync = 0;

OPTIMIZE TABLE "pull_request_comments" FINAL;

ALTER TABLE "pull_request_comments" ADD INDEX IF NOT EXISTS "by_pr_created_at_else_at" if(isNull("pr_created_at"), _at, assumeNotNull("pr_created_at")) TYPE minmax GRANULARITY 1, ADD INDEX IF NOT EXISTS "by_pr_merged_at_else_at" if(isNull("pr_merged_at"), _at, assumeNotNull("pr_merged_at")) TYPE minmax GRANULARITY 1, ADD INDEX IF NOT EXISTS "by_pr_closed_at_else_at" if(isNull("pr_closed_at"), _at, assumeNotNull("pr_closed_at")) TYPE minmax GRANULARITY 1;

ALTER TABLE "pull_request_comments" MATERIALIZE INDEX "by_pr_created_at_else_at", MATERIALIZE INDEX "by_pr_merged_at_else_at", MATERIALIZE INDEX "by_pr_closed_at_else_at" SETTINGS mutations_sync = 0;

DELETE FROM "team_members" WHERE organisation = {p1:String};

-- reading: {"join_use_nulls":1,"union_default_mode":"DISTINCT","cast_keep_nullable":1,"transform_null_in":0,"enable_extended_results_for_datetime_functions":1,"query_plan_join_swap_table":"false","use_skip_indexes_if_final":1,"use_skip_indexes_if_final_exact_mode":0,"output_format_json_quote_64bit_integers":0,"output_format_json_quote_denormals":0,"output_format_json_escape_forward_slashes":0,"precise_float_parsing":1,"readonly":"2","max_execution_time":30,"wait_end_of_query":1,"cancel_http_readonly_queries_on_client_close":1}
-- a question with limits: {"max_memory_usage":"4000000000","max_result_rows":"100000","join_use_nulls":1,"union_default_mode":"DISTINCT","cast_keep_nullable":1,"transform_null_in":0,"enable_extended_results_for_datetime_functions":1,"query_plan_join_swap_table":"false","use_skip_indexes_if_final":1,"use_skip_indexes_if_final_exact_mode":0,"output_format_json_quote_64bit_integers":0,"output_format_json_quote_denormals":0,"output_format_json_escape_forward_slashes":0,"precise_float_parsing":1,"readonly":"2","max_execution_time":30,"wait_end_of_query":1,"cancel_http_readonly_queries_on_client_close":1}
-- about all organisations: {"join_use_nulls":1,"union_default_mode":"DISTINCT","cast_keep_nullable":1,"transform_null_in":0,"enable_extended_results_for_datetime_functions":1,"query_plan_join_swap_table":"false","use_skip_indexes_if_final":1,"use_skip_indexes_if_final_exact_mode":0,"output_format_json_quote_64bit_integers":0,"output_format_json_quote_denormals":0,"output_format_json_escape_forward_slashes":0,"precise_float_parsing":1,"readonly":"2","max_execution_time":30,"wait_end_of_query":1,"cancel_http_readonly_queries_on_client_close":1}
-- writing: {"join_use_nulls":1,"union_default_mode":"DISTINCT","cast_keep_nullable":1,"transform_null_in":0,"enable_extended_results_for_datetime_functions":1,"query_plan_join_swap_table":"false","use_skip_indexes_if_final":1,"use_skip_indexes_if_final_exact_mode":0,"output_format_json_quote_64bit_integers":0,"output_format_json_quote_denormals":0,"output_format_json_escape_forward_slashes":0,"precise_float_parsing":1,"max_execution_time":600,"wait_end_of_query":1,"async_insert":0,"input_format_null_as_default":0,"mutations_sync":"2","lightweight_deletes_sync":"2","allow_nondeterministic_mutations":1}
