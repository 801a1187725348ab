// Made from the catalogue by `npm run docs`: change src/catalogue/, not this file.

/** Every filter with the values that it takes. */
export interface FilterTypes {
  /** First day, such as 2024-01-31, or a timestamp. */
  start_date?: string;
  /** Last day, all of it, or a timestamp. Today by default. */
  end_date?: string;
  /** People, by identifier, name or email address. */
  member?: string | readonly (string)[] | null;
  /** Teams, by identifier or name. */
  team?: string | readonly (string)[] | null;
  /** The same as team. */
  team_ids?: string | readonly (string)[] | null;
  /** Squads, by identifier or name. Squads below them are included. */
  squad_ids?: string | readonly (string)[] | null;
  /** Levels of squads. */
  squad_levels?: number | readonly (number)[] | null;
  /** Everyone who reports to these managers (by identifier, name or email address), at any depth. */
  manager_ids?: string | readonly (string)[] | null;
  /** Everyone who reports to these managers (by any email address), at any depth. */
  manager_email?: string | readonly (string)[] | null;
  /** Departments, by name. */
  departments?: string | readonly (string)[] | null;
  /** Places of work. */
  locations?: string | readonly (string)[] | null;
  /** Seniority levels. */
  levels?: string | readonly (string)[] | null;
  /** Sources on which the person has a login, such as github or jira. */
  source_types?: string | readonly (string)[] | null;
  /** Repositories, by short or full name, without regard to case. */
  repositories?: string | readonly (string | { readonly repository_name: string })[] | null;
  /** Code hosts. */
  sources?: 'github' | 'gitlab' | 'bitbucket' | 'azure-devops' | readonly ('github' | 'gitlab' | 'bitbucket' | 'azure-devops')[] | null;
  /** States of pull requests. */
  pr_states?: 'open' | 'closed' | 'merged' | readonly ('open' | 'closed' | 'merged')[] | null;
  /** Kinds of work. */
  pr_categories?: string | readonly (string)[] | null;
  /** Pull requests, by identifier. acme/web#7 means those of that repository and number on any code host. */
  pr_ids?: string | readonly (string)[] | null;
  /** Pull requests that a workflow ran for, by identifier, as for pr_ids. */
  associated_pr_ids?: string | readonly (string)[] | null;
  /** Words that all occur in the title, body, summary or category of a pull request, in 200 characters at most. */
  pull_requests_search_term?: string | null;
  /** Branches, without regard to case. */
  branches?: string | readonly (string)[] | null;
  /** Hours of the day, 0 to 23, at which a review was made. */
  review_hour_of_day?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | readonly (0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23)[] | null;
  /** Review rounds of pull requests. */
  review_rounds_bucket?: '0' | '1' | '2' | '3+' | readonly ('0' | '1' | '2' | '3+')[] | null;
  /** States of issues. */
  ticket_status?: string | readonly (string)[] | null;
  /** Issues, by identifier. acme/web#7 means those of that repository and number on any code host. */
  issue_ids?: string | readonly (string)[] | null;
  /** Projects, by identifier. */
  project_ids?: string | readonly (string)[] | null;
  /** Workflows, by name, without regard to case. */
  workflow_names?: string | readonly (string)[] | null;
  /** Workflow runs, by identifier. */
  workflow_run_ids?: string | readonly (string)[] | null;
  /** Conclusions of workflow runs. */
  run_conclusions?: 'success' | 'failure' | 'cancelled' | 'skipped' | 'timed_out' | readonly ('success' | 'failure' | 'cancelled' | 'skipped' | 'timed_out')[] | null;
  /** AI assistants. */
  ai_copilot_sources?: string | readonly (string)[] | null;
  /** AI coding session that rows are part of. */
  session_id?: string | null;
  /** Surveys, by identifier. */
  survey_ids?: string | readonly (string)[] | null;
  /** Questions, by identifier. */
  survey_template_question_ids?: string | readonly (string)[] | null;
  /** Kinds of answers. */
  survey_response_types?: string | readonly (string)[] | null;
}

/** Columns that the metrics of a table can be grouped by, with what they hold in a row of an answer. */
export interface ColumnTypes {
  pull_requests: { pr_id: string | null; pr_number: number | null; pr_title: string | null; pr_url: string | null; pr_body: string | null; pr_summary: string | null; pr_category: string | null; source: string | null; repository: string | null; repository_name: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; pr_state: string | null; is_draft: boolean | null; pr_created_at: string | null; ready_at: string | null; pr_merged_at: string | null; pr_closed_at: string | null; first_commit_at: string | null; last_commit_at: string | null; first_review_at: string | null; first_comment_at: string | null; merge_queue_entered_at: string | null; additions: number | null; deletions: number | null; changed_files: number | null; files: unknown; base_branch: string | null; head_branch: string | null; merge_commit_sha: string | null; labels: readonly string[] | null; ai_added_lines: number | null; coding_time: string | null; pickup_time: string | null; review_time: string | null; rework_time: string | null; cycle_time: string | null; time_to_first_comment: string | null; queue_time: string | null; is_reworked: boolean | null; review_rounds: number | null; review_rounds_bucket: string | null; reviews_count: number | null; reviewers_count: number | null; comments_count: number | null; commits_count: number | null; complexity_score: number | null; output_estimate: number | null; ai_pct_of_code: number | null; is_ai_assisted: boolean | null; ai_sources: readonly string[] | null; issue_ids: readonly string[] | null; is_hotfix: boolean | null; is_revert: boolean | null; is_promotion_pr: boolean | null; is_production_merge: boolean | null; branching_model: string | null; deployment_source: string | null; deployment_id: string | null; deployed_at: string | null; deployment_attribution_status: string | null; lead_time: string | null; merge_to_deploy: string | null; open_to_deploy: string | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  pull_request_reviews: { pr_review_id: string | null; pr_id: string | null; source: string | null; repository: string | null; repository_name: string | null; pr_number: number | null; pr_title: string | null; pr_url: string | null; pr_state: string | null; pr_category: string | null; pr_created_at: string | null; pr_merged_at: string | null; pr_closed_at: string | null; base_branch: string | null; head_branch: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; review_state: string | null; reviewed_at: string | null; review_url: string | null; review_body: string | null; review_hour_of_day: number | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  pull_request_comments: { comment_id: string | null; pr_id: string | null; source: string | null; repository: string | null; repository_name: string | null; pr_number: number | null; pr_title: string | null; pr_url: string | null; pr_state: string | null; pr_category: string | null; pr_created_at: string | null; pr_merged_at: string | null; pr_closed_at: string | null; base_branch: string | null; head_branch: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; comment: string | null; comment_url: string | null; commented_at: string | null; in_reply_to: string | null; file_path: string | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  pull_request_commits: { commit_id: string | null; pr_id: string | null; source: string | null; repository: string | null; repository_name: string | null; pr_number: number | null; pr_title: string | null; pr_url: string | null; pr_state: string | null; pr_category: string | null; pr_created_at: string | null; pr_merged_at: string | null; pr_closed_at: string | null; base_branch: string | null; head_branch: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; sha: string | null; commit_message: string | null; committed_at: string | null; authored_at: string | null; commit_url: string | null; additions: number | null; deletions: number | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  pull_request_events: { pr_id: string | null; source: string | null; repository: string | null; repository_name: string | null; pr_number: number | null; pr_title: string | null; pr_url: string | null; pr_state: string | null; pr_category: string | null; pr_created_at: string | null; pr_merged_at: string | null; pr_closed_at: string | null; base_branch: string | null; head_branch: string | null; event_type: string | null; event_at: string | null; event_url: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; details: unknown; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  issues: { issue_id: string | null; issue_key: string | null; issue_title: string | null; issue_url: string | null; issue_body: string | null; issue_type: string | null; source: string | null; project_id: string | null; project_name: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; ticket_status: string | null; status_name: string | null; priority: string | null; story_points: number | null; created_at: string | null; started_at: string | null; completed_at: string | null; closed_at: string | null; branch_name: string | null; labels: readonly string[] | null; creator_name: string | null; sprint_name: string | null; parent_issue_id: string | null; pr_ids: readonly string[] | null; issue_cycle_time: string | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  issue_comments: { issue_comment_id: string | null; issue_id: string | null; source: string | null; issue_key: string | null; issue_title: string | null; project_id: string | null; project_name: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; comment: string | null; created_at: string | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  release_details: { release_id: string | null; version: string | null; release_name: string | null; notes: string | null; source: string | null; repository: string | null; repository_name: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; release_url: string | null; created_at: string | null; release_date: string | null; is_prerelease: boolean | null; prs_included: number | null; pull_requests: unknown; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  workflow_runs: { workflow_run_id: string | null; workflow_name: string | null; source: string | null; repository: string | null; repository_name: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; branch: string | null; event: string | null; run_status: string | null; run_conclusion: string | null; run_number: number | null; run_attempt: number | null; run_created_at: string | null; run_started_at: string | null; run_updated_at: string | null; head_sha: string | null; environment: string | null; associated_pr_ids: readonly string[] | null; artifact_bytes: number | null; billable_ms: unknown; run_url: string | null; run_duration: string | null; estimated_cost: number | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  ai_copilot: { source: string | null; date: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; is_active: boolean | null; suggested_lines: number | null; accepted_lines: number | null; lines_added: number | null; lines_deleted: number | null; ai_lines: number | null; accepts: number | null; rejects: number | null; chat_requests: number | null; composer_requests: number | null; agent_requests: number | null; cmd_k_usages: number | null; tokens: number | null; cost_usd: number | null; model: string | null; language: string | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  posthook_sessions: { session_id: string | null; engineer_email: string | null; person_login: string | null; person_source: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; source: string | null; agent_slug: string | null; model_slug: string | null; repo_name: string | null; branch: string | null; started_at: string | null; ended_at: string | null; date: string | null; active_minutes: number | null; input_tokens: number | null; output_tokens: number | null; cache_read_tokens: number | null; cache_creation_tokens: number | null; total_tokens: number | null; generated_lines: number | null; committed_lines: number | null; files_edited: number | null; commits_contributed: number | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  posthook_session_messages: { message_id: string | null; session_id: string | null; engineer_email: string | null; merged_user_id: string | null; is_bot: boolean | null; agent_slug: string | null; model_slug: string | null; repo_name: string | null; date: string | null; message_seq: number | null; message_ts: string | null; role: string | null; source: string | null; message_text: string | null; tool_calls: number | null; turn_minutes: number | null; name: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  posthook_session_files: { session_id: string | null; engineer_email: string | null; merged_user_id: string | null; is_bot: boolean | null; agent_slug: string | null; model_slug: string | null; repo_name: string | null; date: string | null; file_path: string | null; generated_lines: number | null; committed_lines: number | null; edits: number | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  posthook_session_commits: { session_id: string | null; engineer_email: string | null; merged_user_id: string | null; is_bot: boolean | null; agent_slug: string | null; model_slug: string | null; repo_name: string | null; date: string | null; commit_id: string | null; committed_at: string | null; committed_lines: number | null; commit_url: string | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  survey_recipients: { survey_recipient_id: string | null; survey_id: string | null; survey_name: string | null; survey_status: string | null; recipient_type: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; created_at: string | null; sent_at: string | null; survey_email_sent_at: string | null; final_response_submitted_at: string | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  survey_responses: { survey_response_id: string | null; survey_id: string | null; survey_name: string | null; survey_status: string | null; section_id: string | null; section_title: string | null; survey_template_question_id: string | null; question_order: number | null; question_text: string | null; response_type: string | null; answer_value: string | null; answer_comment: string | null; answer_other_text: string | null; recipient_type: string | null; final_response_submitted_at: string | null; response_created_at: string | null; response_updated_at: string | null; sent_at: string | null; team_names: readonly string[] | null };
  deployments: { deployment_id: string | null; repository: string | null; repository_name: string | null; source: string | null; person_login: string | null; person_source: string | null; person_email: string | null; person_name: string | null; person_is_bot: boolean | null; merged_user_id: string | null; is_bot: boolean | null; deployed_at: string | null; started_at: string | null; status: string | null; environment: string | null; production: boolean | null; is_production: boolean | null; workflow_name: string | null; version: string | null; sha: string | null; deployment_source: string | null; run_url: string | null; pr_ids: readonly string[] | null; prs_included: number | null; pull_requests: unknown; failure_reason: string | null; failure_detected_at: string | null; remediation_merged_at: string | null; restored_at: string | null; time_to_restore: string | null; is_remediation: boolean | null; name: string | null; role: string | null; level: string | null; location: string | null; team_id: string | null; team_name: string | null; team_names: readonly string[] | null; department: string | null; departments: readonly string[] | null; manager_name: string | null; squad_name: string | null; squad_level: number | null };
  user_metrics: { merged_user_id: string | null; name: string | null; main_email: string | null; github_username: string | null; role: string | null; level: string | null; location: string | null; team_name: string | null; team_names: readonly string[] | null; departments: readonly string[] | null; manager_name: string | null; sources: readonly string[] | null; last_active_at: string | null; user_created_date: string | null; is_bot: boolean | null; team_id: string | null; department: string | null; squad_name: string | null; squad_level: number | null };
}

/** Filters that nearly every metric of a table takes. */
export interface TableFilters {
  pull_requests: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'repositories' | 'sources' | 'pr_states' | 'pr_categories' | 'pr_ids' | 'pull_requests_search_term' | 'review_hour_of_day' | 'review_rounds_bucket' | 'issue_ids';
  pull_request_reviews: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'repositories' | 'sources' | 'pr_states' | 'pr_categories' | 'pr_ids' | 'pull_requests_search_term' | 'review_rounds_bucket' | 'issue_ids' | 'review_hour_of_day';
  pull_request_comments: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'repositories' | 'sources' | 'pr_states' | 'pr_categories' | 'pr_ids' | 'pull_requests_search_term' | 'review_rounds_bucket' | 'issue_ids';
  pull_request_commits: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'repositories' | 'sources' | 'pr_states' | 'pr_categories' | 'pr_ids' | 'pull_requests_search_term' | 'review_rounds_bucket' | 'issue_ids';
  pull_request_events: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'repositories' | 'sources' | 'pr_states' | 'pr_categories' | 'pr_ids' | 'pull_requests_search_term' | 'review_rounds_bucket' | 'issue_ids';
  issues: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'ticket_status' | 'issue_ids' | 'pr_ids' | 'project_ids';
  issue_comments: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'ticket_status' | 'issue_ids' | 'pr_ids' | 'project_ids';
  release_details: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'repositories' | 'sources';
  workflow_runs: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'repositories' | 'workflow_names' | 'workflow_run_ids' | 'run_conclusions' | 'branches' | 'associated_pr_ids';
  ai_copilot: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'ai_copilot_sources';
  posthook_sessions: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'session_id' | 'repositories' | 'ai_copilot_sources';
  posthook_session_messages: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'session_id' | 'repositories' | 'ai_copilot_sources';
  posthook_session_files: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'session_id' | 'repositories' | 'ai_copilot_sources';
  posthook_session_commits: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'session_id' | 'repositories' | 'ai_copilot_sources';
  survey_recipients: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'survey_ids';
  survey_responses: 'start_date' | 'end_date' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'survey_ids' | 'survey_template_question_ids' | 'survey_response_types';
  deployments: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'repositories';
  user_metrics: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types';
}

/** Every metric that is asked of a table. */
export interface MetricTypes {
  /** Number of pull requests. */
  'pull-requests-count': { table: 'pull_requests'; aggregation: false; columns: 'pr_count'; value: number; filters: TableFilters['pull_requests']; dates: 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at' | 'first_review_at'; always: never };
  /** Lines added, lines deleted, and both together. A missing side is 0 when the other is known. */
  'pull-requests-size': { table: 'pull_requests'; aggregation: true; columns: 'additions' | 'deletions' | 'total_changes'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at' | 'first_review_at'; always: never };
  /** Pull requests reviewed by someone other than their author, divided by all. Bots do not review. */
  'review-rate': { table: 'pull_requests'; aggregation: false; columns: 'review_rate'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at' | 'first_review_at'; always: never };
  /** Complexity of merged pull requests, 0 to 100: the size and spread of the diff against what is usual in its repository. */
  'complexity-score': { table: 'pull_requests'; aggregation: true; columns: 'complexity_score'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at' | 'first_review_at'; always: never };
  /** Distinct authors of pull requests. Bots are left out. An unknown human login counts as one. */
  'contributors-count': { table: 'pull_requests'; aggregation: false; columns: 'contributors_count'; value: number; filters: TableFilters['pull_requests']; dates: 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at' | 'first_review_at'; always: never };
  /** Average number of review rounds: times that reviews by others were followed by new commits or by the merge. Never reviewed is 0. */
  'review-rounds': { table: 'pull_requests'; aggregation: false; columns: 'review_rounds'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at' | 'first_review_at'; always: never };
  /** Average number of distinct people, other than the author, who reviewed a pull request. */
  'reviewers-per-pr': { table: 'pull_requests'; aggregation: false; columns: 'reviewers_per_pr'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at' | 'first_review_at'; always: never };
  /** Average number of comments of people on a pull request, the author’s included. */
  'comments-per-pr': { table: 'pull_requests'; aggregation: false; columns: 'comments_per_pr'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at' | 'first_review_at'; always: never };
  /** Distinct pull requests that were reviewed. */
  'reviews-count': { table: 'pull_request_reviews'; aggregation: false; columns: 'reviews_count'; value: number; filters: TableFilters['pull_request_reviews']; dates: 'reviewed_at' | 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Number of reviews. */
  'review-interactions-count': { table: 'pull_request_reviews'; aggregation: false; columns: 'review_interactions_count'; value: number; filters: TableFilters['pull_request_reviews']; dates: 'reviewed_at' | 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Reviews that ask for changes, divided by all reviews. */
  'changes-requested-rate': { table: 'pull_request_reviews'; aggregation: false; columns: 'changes_requested_rate'; value: number | null; filters: TableFilters['pull_request_reviews']; dates: 'reviewed_at' | 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Distinct people who reviewed. An unknown human login counts as one. */
  'active-reviewers': { table: 'pull_request_reviews'; aggregation: false; columns: 'active_reviewers'; value: number; filters: TableFilters['pull_request_reviews']; dates: 'reviewed_at' | 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Number of reviews by hour of the day, in the organisation’s time zone. */
  'reviews-by-time-of-day': { table: 'pull_request_reviews'; aggregation: false; columns: 'reviews_by_time_of_day'; value: number; filters: TableFilters['pull_request_reviews']; dates: 'reviewed_at' | 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at'; always: 'review_hour_of_day' };
  /** Number of comments on pull requests, of bots too. */
  'comments-count': { table: 'pull_request_comments'; aggregation: false; columns: 'comments_count'; value: number; filters: TableFilters['pull_request_comments']; dates: 'commented_at' | 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Number of comments, to be grouped or filtered by who wrote them. */
  'comment-interactions-count': { table: 'pull_request_comments'; aggregation: false; columns: 'comment_interactions_count'; value: number; filters: TableFilters['pull_request_comments']; dates: 'commented_at' | 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Number of commits of pull requests. */
  'commits-count': { table: 'pull_request_commits'; aggregation: false; columns: 'commits_count'; value: number; filters: TableFilters['pull_request_commits']; dates: 'committed_at' | 'authored_at' | 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Number of commits, to be grouped or filtered by who made them. */
  'commit-interactions-count': { table: 'pull_request_commits'; aggregation: false; columns: 'commit_interactions_count'; value: number; filters: TableFilters['pull_request_commits']; dates: 'committed_at' | 'authored_at' | 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Number of events of pull requests. */
  'pull-request-events-count': { table: 'pull_request_events'; aggregation: false; columns: 'pull_request_events_count'; value: number; filters: TableFilters['pull_request_events']; dates: 'event_at' | 'pr_created_at' | 'created_at' | 'pr_merged_at' | 'merged_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** First commit to pull request opened. Promotions have none. */
  'coding-time': { table: 'pull_requests'; aggregation: true; columns: 'coding_time'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at' | 'first_review_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** First commit to pull request opened. Promotions have none. */
  'commit-to-open': { table: 'pull_requests'; aggregation: true; columns: 'commit_to_open'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at' | 'first_review_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Opened to the first review by someone other than the author. */
  'pickup-time': { table: 'pull_requests'; aggregation: true; columns: 'pickup_time'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at' | 'first_review_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Opened to the first review by someone other than the author. */
  'open-to-review': { table: 'pull_requests'; aggregation: true; columns: 'open_to_review'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at' | 'first_review_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** First review by someone other than the author to merged. */
  'review-time': { table: 'pull_requests'; aggregation: true; columns: 'review_time'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at' | 'first_review_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** First review by someone other than the author to merged. */
  'review-to-merge': { table: 'pull_requests'; aggregation: true; columns: 'review_to_merge'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at' | 'first_review_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** First review to the last commit after it and before the merge. 0 if no commit followed, nothing if never reviewed. */
  'rework-time': { table: 'pull_requests'; aggregation: true; columns: 'rework_time'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at' | 'first_review_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** First commit (else creation) to merged. Promotions have none. */
  'cycle-time': { table: 'pull_requests'; aggregation: true; columns: 'cycle_time'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at' | 'first_review_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Creation to the first comment or review by someone other than the author. */
  'time-to-first-comment': { table: 'pull_requests'; aggregation: true; columns: 'time_to_first_comment'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at' | 'first_review_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** 1 for a reviewed pull request of a person with a commit after its first review, 0 for one without. AVG is the share. */
  'rework-rate': { table: 'pull_requests'; aggregation: true; columns: 'rework_rate'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at' | 'first_review_at' | 'pr_closed_at' | 'closed_at'; always: never };
  /** Number of issues. */
  'issues-count': { table: 'issues'; aggregation: false; columns: 'issues_count'; value: number; filters: TableFilters['issues']; dates: 'created_at' | 'started_at' | 'completed_at' | 'closed_at'; always: never };
  /** Number of completed issues. */
  'completed-issues-count': { table: 'issues'; aggregation: false; columns: 'completed_issues_count'; value: number; filters: TableFilters['issues']; dates: 'completed_at' | 'created_at' | 'started_at' | 'closed_at'; always: never };
  /** Number of issues in progress. */
  'started-issues-count': { table: 'issues'; aggregation: false; columns: 'started_issues_count'; value: number; filters: TableFilters['issues']; dates: 'started_at' | 'created_at' | 'completed_at' | 'closed_at'; always: never };
  /** Number of issues in the backlog. */
  'backlog-issues-count': { table: 'issues'; aggregation: false; columns: 'backlog_issues_count'; value: number; filters: TableFilters['issues']; dates: 'created_at' | 'started_at' | 'completed_at' | 'closed_at'; always: never };
  /** Estimates of issues. SUM takes a missing one as 0. */
  'story-points': { table: 'issues'; aggregation: true; columns: 'story_points'; value: number | null; filters: TableFilters['issues']; dates: 'created_at' | 'started_at' | 'completed_at' | 'closed_at'; always: never };
  /** Estimates of completed issues. */
  'completed-story-points': { table: 'issues'; aggregation: true; columns: 'completed_story_points'; value: number | null; filters: TableFilters['issues']; dates: 'completed_at' | 'created_at' | 'started_at' | 'closed_at'; always: never };
  /** Estimates of issues in progress. */
  'started-story-points': { table: 'issues'; aggregation: true; columns: 'started_story_points'; value: number | null; filters: TableFilters['issues']; dates: 'started_at' | 'created_at' | 'completed_at' | 'closed_at'; always: never };
  /** Creation of an issue to its completion. */
  'issue-cycle-time': { table: 'issues'; aggregation: true; columns: 'issue_cycle_time'; value: number | null; filters: TableFilters['issues']; dates: 'completed_at' | 'created_at' | 'started_at' | 'closed_at'; always: never };
  /** Number of comments on issues. */
  'issue-comments-count': { table: 'issue_comments'; aggregation: false; columns: 'issue_comments_count'; value: number; filters: TableFilters['issue_comments']; dates: 'created_at'; always: never };
  /** Number of comments on issues, to be grouped or filtered by who wrote them. */
  'issue-comment-interactions-count': { table: 'issue_comments'; aggregation: false; columns: 'issue_comment_interactions_count'; value: number; filters: TableFilters['issue_comments']; dates: 'created_at'; always: never };
  /** Distinct people who used an AI assistant. A day on which a seat was not used counts 0. */
  'adopted-users': { table: 'ai_copilot'; aggregation: false; columns: 'adopted_users'; value: number; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** People who used an AI assistant, divided by everyone in metrics. */
  'adoption-rate': { table: 'ai_copilot'; aggregation: false; columns: 'adoption_rate'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** People who used an AI assistant, divided by those with any activity: a pull request, commit, review, comment, issue, AI use or coding session. */
  'ai-adoption-rate': { table: 'ai_copilot'; aggregation: false; columns: 'ai_adoption_rate'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Lines that assistants suggested. */
  'suggested-lines': { table: 'ai_copilot'; aggregation: true; columns: 'suggested_lines'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Suggested lines that were accepted. */
  'accepted-lines': { table: 'ai_copilot'; aggregation: true; columns: 'accepted_lines'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Accepted lines divided by suggested lines. */
  'ai-acceptance-rate': { table: 'ai_copilot'; aggregation: false; columns: 'ai_acceptance_rate'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Accepted suggestions divided by those accepted or rejected. */
  'acceptance-rate': { table: 'ai_copilot'; aggregation: false; columns: 'acceptance_rate'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Number of accepted suggestions. */
  'total-accepts': { table: 'ai_copilot'; aggregation: true; columns: 'total_accepts'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Number of rejected suggestions. */
  'total-rejects': { table: 'ai_copilot'; aggregation: true; columns: 'total_rejects'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Added lines that an assistant wrote. */
  'ai-total-loc': { table: 'ai_copilot'; aggregation: true; columns: 'ai_total_loc'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Added lines that an assistant wrote, divided by all added lines. */
  'ai-percent-ai-generated-code': { table: 'ai_copilot'; aggregation: false; columns: 'ai_percent_ai_generated_code'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Added lines that an assistant wrote, divided by all added lines. */
  'ai-code-ratio': { table: 'ai_copilot'; aggregation: false; columns: 'ai_code_ratio'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Lines that people with an assistant added, by any means. */
  'total-lines-added': { table: 'ai_copilot'; aggregation: true; columns: 'total_lines_added'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Lines that people with an assistant deleted. */
  'total-lines-deleted': { table: 'ai_copilot'; aggregation: true; columns: 'total_lines_deleted'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Number of chat requests. */
  'chat-requests': { table: 'ai_copilot'; aggregation: true; columns: 'chat_requests'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Number of composer requests. */
  'composer-requests': { table: 'ai_copilot'; aggregation: true; columns: 'composer_requests'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Number of agent requests. */
  'agent-requests': { table: 'ai_copilot'; aggregation: true; columns: 'agent_requests'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Number of inline edits asked for. */
  'cmd-k-usages': { table: 'ai_copilot'; aggregation: true; columns: 'cmd_k_usages'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Tokens used. */
  'ai-total-token-usage': { table: 'ai_copilot'; aggregation: true; columns: 'ai_total_token_usage'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Cost of assistants. */
  'ai-total-cost': { table: 'ai_copilot'; aggregation: true; columns: 'ai_total_cost'; value: number | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Model used on most days. Of several, the first by name. */
  'ai-favourite-model': { table: 'ai_copilot'; aggregation: false; columns: 'ai_favourite_model'; value: string | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Programming language used on most days. Of several, the first by name. */
  'most-used-programming-language': { table: 'ai_copilot'; aggregation: false; columns: 'most_used_programming_language'; value: string | null; filters: TableFilters['ai_copilot']; dates: 'date'; always: never };
  /** Merged pull requests in which AI wrote code, or whose author used AI between the first commit (else creation) and the merge. */
  'ai-pr-count': { table: 'pull_requests'; aggregation: false; columns: 'ai_pr_count'; value: number; filters: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'repositories' | 'ai_copilot_sources'; dates: 'pr_merged_at' | 'merged_at' | 'date'; always: never };
  /** Complexity of merged pull requests that were made with AI, 0 to 100. */
  'ai-complexity-score': { table: 'pull_requests'; aggregation: true; columns: 'ai_complexity_score'; value: number | null; filters: 'start_date' | 'end_date' | 'member' | 'team' | 'team_ids' | 'squad_ids' | 'squad_levels' | 'manager_ids' | 'manager_email' | 'departments' | 'locations' | 'levels' | 'source_types' | 'repositories' | 'ai_copilot_sources'; dates: 'pr_merged_at' | 'merged_at' | 'date'; always: never };
  /** AI coding sessions that generated or committed code. One with neither is there, and counts 0. */
  'posthook-sessions-count': { table: 'posthook_sessions'; aggregation: false; columns: 'posthook_sessions_count'; value: number; filters: TableFilters['posthook_sessions']; dates: 'date'; always: never };
  /** Messages of AI coding sessions. */
  'posthook-session-message-counts': { table: 'posthook_session_messages'; aggregation: false; columns: 'posthook_session_message_counts'; value: number; filters: TableFilters['posthook_session_messages']; dates: 'date'; always: never };
  /** Files that AI coding sessions edited. */
  'posthook-session-file-counts': { table: 'posthook_session_files'; aggregation: false; columns: 'posthook_session_file_counts'; value: number; filters: TableFilters['posthook_session_files']; dates: 'date'; always: never };
  /** Commits that AI coding sessions contributed to. */
  'posthook-session-commit-counts': { table: 'posthook_session_commits'; aggregation: false; columns: 'posthook_session_commit_counts'; value: number; filters: TableFilters['posthook_session_commits']; dates: 'date'; always: never };
  /** Number of workflow runs. */
  'workflow-runs-count': { table: 'workflow_runs'; aggregation: false; columns: 'workflow_runs_count'; value: number; filters: TableFilters['workflow_runs']; dates: 'run_created_at' | 'created_at' | 'run_updated_at' | 'updated_at'; always: never };
  /** Run started to finished. Nothing without a conclusion. */
  'workflow-run-duration': { table: 'workflow_runs'; aggregation: true; columns: 'workflow_run_duration'; value: number | null; filters: TableFilters['workflow_runs']; dates: 'run_created_at' | 'created_at' | 'run_updated_at' | 'updated_at'; always: never };
  /** 95th percentile of the time from a run’s start to its end. */
  'workflow-run-duration-p95': { table: 'workflow_runs'; aggregation: false; columns: 'workflow_run_duration_p95'; value: number | null; filters: TableFilters['workflow_runs']; dates: 'run_created_at' | 'created_at' | 'run_updated_at' | 'updated_at'; always: never };
  /** Successful runs divided by runs that have a conclusion. */
  'workflow-run-success-rate': { table: 'workflow_runs'; aggregation: false; columns: 'workflow_run_success_rate'; value: number | null; filters: TableFilters['workflow_runs']; dates: 'run_created_at' | 'created_at' | 'run_updated_at' | 'updated_at'; always: never };
  /** Size of the artifacts of a run. */
  'artifact-sizes': { table: 'workflow_runs'; aggregation: true; columns: 'artifact_sizes'; value: number | null; filters: TableFilters['workflow_runs']; dates: 'run_created_at' | 'created_at' | 'run_updated_at' | 'updated_at'; always: never };
  /** Billable minutes times the price of each kind of runner. */
  'estimated-workflow-run-cost': { table: 'workflow_runs'; aggregation: true; columns: 'estimated_workflow_run_cost'; value: number | null; filters: TableFilters['workflow_runs']; dates: 'run_created_at' | 'created_at' | 'run_updated_at' | 'updated_at'; always: never };
  /** Number of releases, prereleases included. */
  'releases-count': { table: 'release_details'; aggregation: false; columns: 'releases_count'; value: number; filters: TableFilters['release_details']; dates: 'release_date' | 'published_at' | 'created_at'; always: never };
  /** Distinct successful deployments to production. */
  'deployment-frequency': { table: 'deployments'; aggregation: false; columns: 'deployment_frequency'; value: number; filters: TableFilters['deployments']; dates: 'deployed_at'; always: never };
  /** Failed deployments divided by all that succeeded or failed, in production. Remediations are on neither side. */
  'change-failure-rate': { table: 'deployments'; aggregation: false; columns: 'change_failure_rate'; value: number | null; filters: TableFilters['deployments']; dates: 'deployed_at'; always: never };
  /** Successful deployments that put something right (only reverts and hotfixes, or a rollback) divided by all that succeeded or failed, in production. */
  'deployment-rework-rate': { table: 'deployments'; aggregation: false; columns: 'deployment_rework_rate'; value: number | null; filters: TableFilters['deployments']; dates: 'deployed_at'; always: never };
  /** Median. From the bad change live, the incident opened or the run failed, to restored. Also called failed deployment recovery time. Those not restored are left out. */
  'time-to-restore-p50': { table: 'deployments'; aggregation: false; columns: 'time_to_restore_p50'; value: number | null; filters: TableFilters['deployments']; dates: 'deployed_at'; always: never };
  /** From the bad change live, the incident opened or the run failed, to restored. Also called failed deployment recovery time. Those not restored are left out. */
  'time-to-restore': { table: 'deployments'; aggregation: true; columns: 'time_to_restore'; value: number | null; filters: TableFilters['deployments']; dates: 'deployed_at'; always: never };
  /** Successful deploy runs divided by all that succeeded or failed, in production. */
  'deployment-success-rate': { table: 'deployments'; aggregation: false; columns: 'deployment_success_rate'; value: number | null; filters: TableFilters['deployments']; dates: 'deployed_at'; always: never };
  /** Pull requests carried by a successful production deployment. Those that carried none are included. */
  'prs-per-deployment': { table: 'deployments'; aggregation: true; columns: 'prs_per_deployment'; value: number | null; filters: TableFilters['deployments']; dates: 'deployed_at'; always: never };
  /** First commit (else creation) to production. */
  'lead-time-for-changes': { table: 'pull_requests'; aggregation: true; columns: 'lead_time_for_changes'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at'; always: never };
  /** Median of first commit (else creation) to production. */
  'lead-time-for-changes-p50': { table: 'pull_requests'; aggregation: false; columns: 'lead_time_for_changes_p50'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at'; always: never };
  /** Merged to production. */
  'merge-to-deploy': { table: 'pull_requests'; aggregation: true; columns: 'merge_to_deploy'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at'; always: never };
  /** Median of merged to production. */
  'merge-to-deploy-p50': { table: 'pull_requests'; aggregation: false; columns: 'merge_to_deploy_p50'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at'; always: never };
  /** Opened to production. */
  'open-to-deploy': { table: 'pull_requests'; aggregation: true; columns: 'open_to_deploy'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at'; always: never };
  /** Last entry to the merge queue to merged. */
  'queue-time': { table: 'pull_requests'; aggregation: true; columns: 'queue_time'; value: number | null; filters: TableFilters['pull_requests']; dates: 'pr_merged_at' | 'merged_at' | 'pr_created_at' | 'created_at'; always: never };
  /** People in metrics, as the directory knows them now. */
  'users-count': { table: 'user_metrics'; aggregation: false; columns: 'number_of_users'; value: number; filters: TableFilters['user_metrics']; dates: never; always: never };
  /** Yearly salary of the people in metrics. */
  'salary': { table: 'user_metrics'; aggregation: true; columns: 'salary'; value: number | null; filters: TableFilters['user_metrics']; dates: never; always: never };
  /** Recipients of surveys. */
  'survey-recipients-count': { table: 'survey_recipients'; aggregation: false; columns: 'survey_recipients_count'; value: number; filters: TableFilters['survey_recipients']; dates: 'created_at' | 'sent_at' | 'survey_email_sent_at' | 'final_response_submitted_at'; always: never };
  /** Recipients who submitted their final answers. */
  'survey-completed-recipients-count': { table: 'survey_recipients'; aggregation: false; columns: 'survey_completed_recipients_count'; value: number; filters: TableFilters['survey_recipients']; dates: 'created_at' | 'sent_at' | 'survey_email_sent_at' | 'final_response_submitted_at'; always: never };
  /** Answers to questions. */
  'survey-responses-count': { table: 'survey_responses'; aggregation: false; columns: 'survey_responses_count'; value: number; filters: TableFilters['survey_responses']; dates: 'final_response_submitted_at' | 'response_created_at' | 'response_updated_at' | 'sent_at'; always: never };
  /** Distinct people who answered, those invited from outside included. */
  'survey-respondents-count': { table: 'survey_responses'; aggregation: false; columns: 'survey_respondents_count'; value: number; filters: TableFilters['survey_responses']; dates: 'final_response_submitted_at' | 'response_created_at' | 'response_updated_at' | 'sent_at'; always: never };
}

export type AggregationName = 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'MEDIAN' | 'P75' | 'P90' | 'P95';
export type DateLevelName = 'day' | 'week' | 'month' | 'quarter' | 'year';
