// Made from the catalogue by `npm run docs`: change src/catalogue/, not this file.

export const metrics = {
  'pull-requests-count': {
    title: 'Pull requests count',
    domain: 'Pull requests',
    table: 'pull_requests',
    kind: 'count',
    meaning: 'Number of pull requests.',
    unit: null,
    better: null,
    column: 'pr_count',
    needsAggregation: false,
    dateField: 'pr_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'pull-requests-size': {
    title: 'Pull requests size',
    domain: 'Pull requests',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'Lines added, lines deleted, and both together. A missing side is 0 when the other is known.',
    unit: 'lines',
    better: 'lower',
    column: '{aggregation}_total_changes',
    needsAggregation: true,
    dateField: 'pr_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'review-rate': {
    title: 'Review rate',
    domain: 'Pull requests',
    table: 'pull_requests',
    kind: 'fixed',
    meaning: 'Pull requests reviewed by somebody other than their author, divided by all. Bots do not review.',
    unit: null,
    better: 'higher',
    column: 'review_rate',
    needsAggregation: false,
    dateField: 'pr_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'complexity-score': {
    title: 'Complexity score',
    domain: 'Pull requests',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'Complexity of merged pull requests, 0 to 100: the size and spread of the diff against what is usual in its repository.',
    unit: null,
    better: null,
    column: '{aggregation}_complexity_score',
    needsAggregation: true,
    dateField: 'pr_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'contributors-count': {
    title: 'Contributors count',
    domain: 'Pull requests',
    table: 'pull_requests',
    kind: 'count',
    meaning: 'Distinct authors of pull requests. Bots are left out; an unknown human login counts as one.',
    unit: null,
    better: null,
    column: 'contributors_count',
    needsAggregation: false,
    dateField: 'pr_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'review-rounds': {
    title: 'Review rounds',
    domain: 'Pull requests',
    table: 'pull_requests',
    kind: 'fixed',
    meaning: 'Average number of review rounds: times that reviews by others were followed by new commits or by the merge. Never reviewed is 0.',
    unit: null,
    better: 'lower',
    column: 'review_rounds',
    needsAggregation: false,
    dateField: 'pr_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'reviewers-per-pr': {
    title: 'Reviewers per PR',
    domain: 'Pull requests',
    table: 'pull_requests',
    kind: 'fixed',
    meaning: 'Average number of distinct people, other than the author, who reviewed a pull request.',
    unit: null,
    better: null,
    column: 'reviewers_per_pr',
    needsAggregation: false,
    dateField: 'pr_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'comments-per-pr': {
    title: 'Comments per PR',
    domain: 'Pull requests',
    table: 'pull_requests',
    kind: 'fixed',
    meaning: 'Average number of comments of people on a pull request, the author’s included.',
    unit: null,
    better: null,
    column: 'comments_per_pr',
    needsAggregation: false,
    dateField: 'pr_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'reviews-count': {
    title: 'Reviews count',
    domain: 'Pull requests',
    table: 'pull_request_reviews',
    kind: 'count',
    meaning: 'Distinct pull requests that were reviewed.',
    unit: null,
    better: null,
    column: 'reviews_count',
    needsAggregation: false,
    dateField: 'reviewed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_rounds_bucket', 'review_hour_of_day'],
  },
  'review-interactions-count': {
    title: 'Review interactions count',
    domain: 'Pull requests',
    table: 'pull_request_reviews',
    kind: 'count',
    meaning: 'Number of reviews.',
    unit: null,
    better: null,
    column: 'review_interactions_count',
    needsAggregation: false,
    dateField: 'reviewed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_rounds_bucket', 'review_hour_of_day'],
  },
  'changes-requested-rate': {
    title: 'Changes requested rate',
    domain: 'Pull requests',
    table: 'pull_request_reviews',
    kind: 'fixed',
    meaning: 'Reviews that ask for changes, divided by all reviews.',
    unit: null,
    better: null,
    column: 'changes_requested_rate',
    needsAggregation: false,
    dateField: 'reviewed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_rounds_bucket', 'review_hour_of_day'],
  },
  'active-reviewers': {
    title: 'Active reviewers',
    domain: 'Pull requests',
    table: 'pull_request_reviews',
    kind: 'count',
    meaning: 'Distinct people who reviewed. An unknown human login counts as one.',
    unit: null,
    better: null,
    column: 'active_reviewers',
    needsAggregation: false,
    dateField: 'reviewed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_rounds_bucket', 'review_hour_of_day'],
  },
  'reviews-by-time-of-day': {
    title: 'Reviews by time of day',
    domain: 'Pull requests',
    table: 'pull_request_reviews',
    kind: 'count',
    meaning: 'Number of reviews by hour of the day, in the organisation’s time zone.',
    unit: null,
    better: null,
    column: 'reviews_by_time_of_day',
    needsAggregation: false,
    dateField: 'reviewed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_rounds_bucket', 'review_hour_of_day'],
  },
  'comments-count': {
    title: 'Comments count',
    domain: 'Pull requests',
    table: 'pull_request_comments',
    kind: 'count',
    meaning: 'Number of comments on pull requests, of bots too.',
    unit: null,
    better: null,
    column: 'comments_count',
    needsAggregation: false,
    dateField: 'commented_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_rounds_bucket'],
  },
  'comment-interactions-count': {
    title: 'Comment interactions count',
    domain: 'Pull requests',
    table: 'pull_request_comments',
    kind: 'count',
    meaning: 'Number of comments, to be grouped or filtered by who wrote them.',
    unit: null,
    better: null,
    column: 'comment_interactions_count',
    needsAggregation: false,
    dateField: 'commented_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_rounds_bucket'],
  },
  'commits-count': {
    title: 'Commits count',
    domain: 'Pull requests',
    table: 'pull_request_commits',
    kind: 'count',
    meaning: 'Number of commits of pull requests.',
    unit: null,
    better: null,
    column: 'commits_count',
    needsAggregation: false,
    dateField: 'committed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_rounds_bucket'],
  },
  'commit-interactions-count': {
    title: 'Commit interactions count',
    domain: 'Pull requests',
    table: 'pull_request_commits',
    kind: 'count',
    meaning: 'Number of commits, to be grouped or filtered by who made them.',
    unit: null,
    better: null,
    column: 'commit_interactions_count',
    needsAggregation: false,
    dateField: 'committed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_rounds_bucket'],
  },
  'pull-request-events-count': {
    title: 'Pull request events count',
    domain: 'Pull requests',
    table: 'pull_request_events',
    kind: 'count',
    meaning: 'Number of events of pull requests.',
    unit: null,
    better: null,
    column: 'pull_request_events_count',
    needsAggregation: false,
    dateField: 'event_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_rounds_bucket'],
  },
  'coding-time': {
    title: 'Coding time',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'First commit to pull request opened.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_coding_time',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'commit-to-open': {
    title: 'Commit to open',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'First commit to pull request opened.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_commit_to_open',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'pickup-time': {
    title: 'Pickup time',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'Opened to the first review by somebody other than the author.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_pickup_time',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'open-to-review': {
    title: 'Open to review',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'Opened to the first review by somebody other than the author.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_open_to_review',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'review-time': {
    title: 'Review time',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'First review by somebody other than the author to merged.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_review_time',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'review-to-merge': {
    title: 'Review to merge',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'First review by somebody other than the author to merged.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_review_to_merge',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'rework-time': {
    title: 'Rework time',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'First review to the last commit after it and before the merge; 0 if no commit followed, nothing if never reviewed.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_rework_time',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'cycle-time': {
    title: 'Cycle time',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'First commit (else creation) to merged.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_cycle_time',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'time-to-first-comment': {
    title: 'Time to first comment',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'Creation to the first comment or review by somebody other than the author.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_time_to_first_comment',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'rework-rate': {
    title: 'Rework rate',
    domain: 'Development',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: '1 for a reviewed pull request of a person with a commit after its first review, 0 for one without. AVG is the share.',
    unit: null,
    better: 'lower',
    column: '{aggregation}_rework_rate',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'issues-count': {
    title: 'Issues count',
    domain: 'Issues',
    table: 'issues',
    kind: 'count',
    meaning: 'Number of issues.',
    unit: null,
    better: null,
    column: 'issues_count',
    needsAggregation: false,
    dateField: 'created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ticket_status', 'issue_ids', 'project_ids'],
  },
  'completed-issues-count': {
    title: 'Completed issues count',
    domain: 'Issues',
    table: 'issues',
    kind: 'count',
    meaning: 'Number of completed issues.',
    unit: null,
    better: 'higher',
    column: 'completed_issues_count',
    needsAggregation: false,
    dateField: 'completed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ticket_status', 'issue_ids', 'project_ids'],
  },
  'started-issues-count': {
    title: 'Started issues count',
    domain: 'Issues',
    table: 'issues',
    kind: 'count',
    meaning: 'Number of issues in progress.',
    unit: null,
    better: null,
    column: 'started_issues_count',
    needsAggregation: false,
    dateField: 'started_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ticket_status', 'issue_ids', 'project_ids'],
  },
  'backlog-issues-count': {
    title: 'Backlog issues count',
    domain: 'Issues',
    table: 'issues',
    kind: 'count',
    meaning: 'Number of issues in the backlog.',
    unit: null,
    better: null,
    column: 'backlog_issues_count',
    needsAggregation: false,
    dateField: 'created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ticket_status', 'issue_ids', 'project_ids'],
  },
  'story-points': {
    title: 'Story points',
    domain: 'Issues',
    table: 'issues',
    kind: 'aggregated',
    meaning: 'Estimates of issues. SUM takes a missing one as 0.',
    unit: null,
    better: null,
    column: '{aggregation}_story_points',
    needsAggregation: true,
    dateField: 'created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ticket_status', 'issue_ids', 'project_ids'],
  },
  'completed-story-points': {
    title: 'Completed story points',
    domain: 'Issues',
    table: 'issues',
    kind: 'aggregated',
    meaning: 'Estimates of completed issues.',
    unit: null,
    better: 'higher',
    column: '{aggregation}_completed_story_points',
    needsAggregation: true,
    dateField: 'completed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ticket_status', 'issue_ids', 'project_ids'],
  },
  'started-story-points': {
    title: 'Started story points',
    domain: 'Issues',
    table: 'issues',
    kind: 'aggregated',
    meaning: 'Estimates of issues in progress.',
    unit: null,
    better: null,
    column: '{aggregation}_started_story_points',
    needsAggregation: true,
    dateField: 'started_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ticket_status', 'issue_ids', 'project_ids'],
  },
  'issue-cycle-time': {
    title: 'Issue cycle time',
    domain: 'Issues',
    table: 'issues',
    kind: 'aggregated',
    meaning: 'Creation of an issue to its completion.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_issue_cycle_time',
    needsAggregation: true,
    dateField: 'completed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ticket_status', 'issue_ids', 'project_ids'],
  },
  'issue-comments-count': {
    title: 'Issue comments count',
    domain: 'Issues',
    table: 'issue_comments',
    kind: 'count',
    meaning: 'Number of comments on issues.',
    unit: null,
    better: null,
    column: 'issue_comments_count',
    needsAggregation: false,
    dateField: 'created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ticket_status', 'issue_ids', 'project_ids'],
  },
  'issue-comment-interactions-count': {
    title: 'Issue comment interactions count',
    domain: 'Issues',
    table: 'issue_comments',
    kind: 'count',
    meaning: 'Number of comments on issues, to be grouped or filtered by who wrote them.',
    unit: null,
    better: null,
    column: 'issue_comment_interactions_count',
    needsAggregation: false,
    dateField: 'created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ticket_status', 'issue_ids', 'project_ids'],
  },
  'adopted-users': {
    title: 'Adopted users',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'count',
    meaning: 'Distinct people who used an AI assistant. A day on which a seat was not used counts 0.',
    unit: null,
    better: 'higher',
    column: 'adopted_users',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'adoption-rate': {
    title: 'Adoption rate',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'share',
    meaning: 'People who used an AI assistant, divided by everyone onboarded.',
    unit: null,
    better: 'higher',
    column: 'adoption_rate',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'ai-adoption-rate': {
    title: 'AI adoption rate',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'share',
    meaning: 'People who used an AI assistant, divided by those with any activity: a pull request, commit, review, comment, issue, AI use or coding session.',
    unit: null,
    better: 'higher',
    column: 'ai_adoption_rate',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'suggested-lines': {
    title: 'Suggested lines',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Lines that assistants suggested.',
    unit: 'lines',
    better: null,
    column: '{aggregation}_suggested_lines',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'accepted-lines': {
    title: 'Accepted lines',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Suggested lines that were accepted.',
    unit: 'lines',
    better: null,
    column: '{aggregation}_accepted_lines',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'ai-acceptance-rate': {
    title: 'AI acceptance rate',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'fixed',
    meaning: 'Accepted lines divided by suggested lines.',
    unit: null,
    better: 'higher',
    column: 'ai_acceptance_rate',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'acceptance-rate': {
    title: 'Acceptance rate',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'fixed',
    meaning: 'Accepted suggestions divided by those accepted or rejected.',
    unit: null,
    better: 'higher',
    column: 'acceptance_rate',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'total-accepts': {
    title: 'Total accepts',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Number of accepted suggestions.',
    unit: null,
    better: null,
    column: '{aggregation}_total_accepts',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'total-rejects': {
    title: 'Total rejects',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Number of rejected suggestions.',
    unit: null,
    better: null,
    column: '{aggregation}_total_rejects',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'ai-total-loc': {
    title: 'AI total loc',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Added lines that an assistant wrote.',
    unit: 'lines',
    better: null,
    column: '{aggregation}_ai_total_loc',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'ai-percent-ai-generated-code': {
    title: 'AI percent AI generated code',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'fixed',
    meaning: 'Added lines that an assistant wrote, divided by all added lines.',
    unit: null,
    better: null,
    column: 'ai_percent_ai_generated_code',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'ai-code-ratio': {
    title: 'AI code ratio',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'fixed',
    meaning: 'Added lines that an assistant wrote, divided by all added lines.',
    unit: null,
    better: null,
    column: 'ai_code_ratio',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'total-lines-added': {
    title: 'Total lines added',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Lines that people with an assistant added, by any means.',
    unit: 'lines',
    better: null,
    column: '{aggregation}_total_lines_added',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'total-lines-deleted': {
    title: 'Total lines deleted',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Lines that people with an assistant deleted.',
    unit: 'lines',
    better: null,
    column: '{aggregation}_total_lines_deleted',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'chat-requests': {
    title: 'Chat requests',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Number of chat requests.',
    unit: null,
    better: null,
    column: '{aggregation}_chat_requests',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'composer-requests': {
    title: 'Composer requests',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Number of composer requests.',
    unit: null,
    better: null,
    column: '{aggregation}_composer_requests',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'agent-requests': {
    title: 'Agent requests',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Number of agent requests.',
    unit: null,
    better: null,
    column: '{aggregation}_agent_requests',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'cmd-k-usages': {
    title: 'Cmd k usages',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Number of inline edits asked for.',
    unit: null,
    better: null,
    column: '{aggregation}_cmd_k_usages',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'ai-total-token-usage': {
    title: 'AI total token usage',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Tokens used.',
    unit: 'tokens',
    better: null,
    column: '{aggregation}_ai_total_token_usage',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'ai-total-cost': {
    title: 'AI total cost',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'aggregated',
    meaning: 'Cost of assistants.',
    unit: 'usd',
    better: 'lower',
    column: '{aggregation}_ai_total_cost',
    needsAggregation: true,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'ai-favourite-model': {
    title: 'AI favourite model',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'text',
    meaning: 'Model used on most days; of several the first by name.',
    unit: null,
    better: null,
    column: 'ai_favourite_model',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'most-used-programming-language': {
    title: 'Most used programming language',
    domain: 'AI assistants',
    table: 'ai_copilot',
    kind: 'text',
    meaning: 'Programming language used on most days; of several the first by name.',
    unit: null,
    better: null,
    column: 'most_used_programming_language',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'ai_copilot_sources'],
  },
  'ai-pr-count': {
    title: 'AI PR count',
    domain: 'AI assistants',
    table: 'pull_requests',
    kind: 'count',
    meaning: 'Merged pull requests in which AI wrote code, or whose author used AI between the first commit (else creation) and the merge.',
    unit: null,
    better: null,
    column: 'ai_pr_count',
    needsAggregation: false,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'ai_copilot_sources'],
  },
  'ai-complexity-score': {
    title: 'AI complexity score',
    domain: 'AI assistants',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'Complexity of merged pull requests that were made with AI, 0 to 100.',
    unit: null,
    better: null,
    column: '{aggregation}_ai_complexity_score',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'ai_copilot_sources'],
  },
  'posthook-sessions-count': {
    title: 'Posthook sessions count',
    domain: 'AI coding sessions',
    table: 'posthook_sessions',
    kind: 'count',
    meaning: 'AI coding sessions that generated or committed code. One with neither is there, and counts 0.',
    unit: null,
    better: null,
    column: 'posthook_sessions_count',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'session_id', 'repositories', 'ai_copilot_sources'],
  },
  'posthook-session-message-counts': {
    title: 'Posthook session message counts',
    domain: 'AI coding sessions',
    table: 'posthook_session_messages',
    kind: 'count',
    meaning: 'Messages of AI coding sessions.',
    unit: null,
    better: null,
    column: 'posthook_session_message_counts',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'session_id', 'repositories', 'ai_copilot_sources'],
  },
  'posthook-session-file-counts': {
    title: 'Posthook session file counts',
    domain: 'AI coding sessions',
    table: 'posthook_session_files',
    kind: 'count',
    meaning: 'Files that AI coding sessions edited.',
    unit: null,
    better: null,
    column: 'posthook_session_file_counts',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'session_id', 'repositories', 'ai_copilot_sources'],
  },
  'posthook-session-commit-counts': {
    title: 'Posthook session commit counts',
    domain: 'AI coding sessions',
    table: 'posthook_session_commits',
    kind: 'count',
    meaning: 'Commits that AI coding sessions contributed to.',
    unit: null,
    better: null,
    column: 'posthook_session_commit_counts',
    needsAggregation: false,
    dateField: 'date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'session_id', 'repositories', 'ai_copilot_sources'],
  },
  'workflow-runs-count': {
    title: 'Workflow runs count',
    domain: 'Workflows',
    table: 'workflow_runs',
    kind: 'count',
    meaning: 'Number of workflow runs.',
    unit: null,
    better: null,
    column: 'workflow_runs_count',
    needsAggregation: false,
    dateField: 'run_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'workflow_names', 'workflow_run_ids', 'run_conclusions', 'branches', 'associated_pr_ids'],
  },
  'workflow-run-duration': {
    title: 'Workflow run duration',
    domain: 'Workflows',
    table: 'workflow_runs',
    kind: 'aggregated',
    meaning: 'Run started to finished; nothing without a conclusion.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_workflow_run_duration',
    needsAggregation: true,
    dateField: 'run_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'workflow_names', 'workflow_run_ids', 'run_conclusions', 'branches', 'associated_pr_ids'],
  },
  'workflow-run-duration-p95': {
    title: 'Workflow run duration (p95)',
    domain: 'Workflows',
    table: 'workflow_runs',
    kind: 'fixed',
    meaning: '95th percentile of the time from a run’s start to its end.',
    unit: 'seconds',
    better: 'lower',
    column: 'workflow_run_duration_p95',
    needsAggregation: false,
    dateField: 'run_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'workflow_names', 'workflow_run_ids', 'run_conclusions', 'branches', 'associated_pr_ids'],
  },
  'workflow-run-success-rate': {
    title: 'Workflow run success rate',
    domain: 'Workflows',
    table: 'workflow_runs',
    kind: 'fixed',
    meaning: 'Successful runs divided by runs that have a conclusion.',
    unit: null,
    better: 'higher',
    column: 'workflow_run_success_rate',
    needsAggregation: false,
    dateField: 'run_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'workflow_names', 'workflow_run_ids', 'run_conclusions', 'branches', 'associated_pr_ids'],
  },
  'artifact-sizes': {
    title: 'Artifact sizes',
    domain: 'Workflows',
    table: 'workflow_runs',
    kind: 'aggregated',
    meaning: 'Size of the artifacts of a run.',
    unit: 'bytes',
    better: null,
    column: '{aggregation}_artifact_sizes',
    needsAggregation: true,
    dateField: 'run_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'workflow_names', 'workflow_run_ids', 'run_conclusions', 'branches', 'associated_pr_ids'],
  },
  'estimated-workflow-run-cost': {
    title: 'Estimated workflow run cost',
    domain: 'Workflows',
    table: 'workflow_runs',
    kind: 'aggregated',
    meaning: 'Billable minutes times the price of each kind of runner.',
    unit: 'usd',
    better: 'lower',
    column: '{aggregation}_estimated_workflow_run_cost',
    needsAggregation: true,
    dateField: 'run_created_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'workflow_names', 'workflow_run_ids', 'run_conclusions', 'branches', 'associated_pr_ids'],
  },
  'releases-count': {
    title: 'Releases count',
    domain: 'Releases and deployments',
    table: 'release_details',
    kind: 'count',
    meaning: 'Number of releases, prereleases included.',
    unit: null,
    better: null,
    column: 'releases_count',
    needsAggregation: false,
    dateField: 'release_date',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources'],
  },
  'deployment-frequency': {
    title: 'Deployment frequency',
    domain: 'Releases and deployments',
    table: 'deployments',
    kind: 'count',
    meaning: 'Distinct successful deployments to production.',
    unit: null,
    better: 'higher',
    column: 'deployment_frequency',
    needsAggregation: false,
    dateField: 'deployed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories'],
  },
  'change-failure-rate': {
    title: 'Change failure rate',
    domain: 'Releases and deployments',
    table: 'deployments',
    kind: 'fixed',
    meaning: 'Failed deployments divided by all that succeeded or failed, in production. Remediations are on neither side.',
    unit: null,
    better: 'lower',
    column: 'change_failure_rate',
    needsAggregation: false,
    dateField: 'deployed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories'],
  },
  'time-to-restore-p50': {
    title: 'Time to restore (median)',
    domain: 'Releases and deployments',
    table: 'deployments',
    kind: 'fixed',
    meaning: 'Median. From the bad change live, the incident opened or the run failed, to restored. Those not restored are left out.',
    unit: 'seconds',
    better: 'lower',
    column: 'time_to_restore_p50',
    needsAggregation: false,
    dateField: 'deployed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories'],
  },
  'time-to-restore': {
    title: 'Time to restore',
    domain: 'Releases and deployments',
    table: 'deployments',
    kind: 'aggregated',
    meaning: 'From the bad change live, the incident opened or the run failed, to restored. Those not restored are left out.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_time_to_restore',
    needsAggregation: true,
    dateField: 'deployed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories'],
  },
  'deployment-success-rate': {
    title: 'Deployment success rate',
    domain: 'Releases and deployments',
    table: 'deployments',
    kind: 'fixed',
    meaning: 'Successful deploy runs divided by all that succeeded or failed, in production.',
    unit: null,
    better: 'higher',
    column: 'deployment_success_rate',
    needsAggregation: false,
    dateField: 'deployed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories'],
  },
  'prs-per-deployment': {
    title: 'PRs per deployment',
    domain: 'Releases and deployments',
    table: 'deployments',
    kind: 'aggregated',
    meaning: 'Pull requests carried by a successful production deployment; those that carried none are included.',
    unit: null,
    better: 'lower',
    column: '{aggregation}_prs_per_deployment',
    needsAggregation: true,
    dateField: 'deployed_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories'],
  },
  'lead-time-for-changes': {
    title: 'Lead time for changes',
    domain: 'Releases and deployments',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'First commit (else creation) to production.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_lead_time_for_changes',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'lead-time-for-changes-p50': {
    title: 'Lead time for changes (median)',
    domain: 'Releases and deployments',
    table: 'pull_requests',
    kind: 'fixed',
    meaning: 'Median of first commit (else creation) to production.',
    unit: 'seconds',
    better: 'lower',
    column: 'lead_time_for_changes_p50',
    needsAggregation: false,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'merge-to-deploy': {
    title: 'Merge to deploy',
    domain: 'Releases and deployments',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'Merged to production.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_merge_to_deploy',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'merge-to-deploy-p50': {
    title: 'Merge to deploy (median)',
    domain: 'Releases and deployments',
    table: 'pull_requests',
    kind: 'fixed',
    meaning: 'Median of merged to production.',
    unit: 'seconds',
    better: 'lower',
    column: 'merge_to_deploy_p50',
    needsAggregation: false,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'open-to-deploy': {
    title: 'Open to deploy',
    domain: 'Releases and deployments',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'Opened to production.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_open_to_deploy',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'queue-time': {
    title: 'Queue time',
    domain: 'Releases and deployments',
    table: 'pull_requests',
    kind: 'aggregated',
    meaning: 'Last entry to the merge queue to merged.',
    unit: 'seconds',
    better: 'lower',
    column: '{aggregation}_queue_time',
    needsAggregation: true,
    dateField: 'pr_merged_at',
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'repositories', 'sources', 'pr_states', 'pr_categories', 'pr_ids', 'pull_requests_search_term', 'review_hour_of_day', 'review_rounds_bucket'],
  },
  'users-count': {
    title: 'Users count',
    domain: 'People',
    table: 'user_metrics',
    kind: 'count',
    meaning: 'Onboarded people, as the directory knows them now.',
    unit: null,
    better: null,
    column: 'number_of_users',
    needsAggregation: false,
    dateField: null,
    gate: null,
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types'],
  },
  'salary': {
    title: 'Salary',
    domain: 'People',
    table: 'user_metrics',
    kind: 'aggregated',
    meaning: 'Yearly salary of onboarded people.',
    unit: 'usd',
    better: null,
    column: '{aggregation}_salary',
    needsAggregation: true,
    dateField: null,
    gate: 'salary',
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types'],
  },
  'survey-recipients-count': {
    title: 'Survey recipients count',
    domain: 'Surveys',
    table: 'survey_recipients',
    kind: 'count',
    meaning: 'Recipients of surveys.',
    unit: null,
    better: null,
    column: 'survey_recipients_count',
    needsAggregation: false,
    dateField: 'created_at',
    gate: 'survey',
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'survey_ids'],
  },
  'survey-completed-recipients-count': {
    title: 'Survey completed recipients count',
    domain: 'Surveys',
    table: 'survey_recipients',
    kind: 'count',
    meaning: 'Recipients who submitted their final answers.',
    unit: null,
    better: 'higher',
    column: 'survey_completed_recipients_count',
    needsAggregation: false,
    dateField: 'created_at',
    gate: 'survey',
    filters: ['start_date', 'end_date', 'member', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'survey_ids'],
  },
  'survey-responses-count': {
    title: 'Survey responses count',
    domain: 'Surveys',
    table: 'survey_responses',
    kind: 'count',
    meaning: 'Answers to questions.',
    unit: null,
    better: null,
    column: 'survey_responses_count',
    needsAggregation: false,
    dateField: 'final_response_submitted_at',
    gate: 'survey',
    filters: ['start_date', 'end_date', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'survey_ids', 'survey_template_question_ids', 'survey_response_types'],
  },
  'survey-respondents-count': {
    title: 'Survey respondents count',
    domain: 'Surveys',
    table: 'survey_responses',
    kind: 'count',
    meaning: 'Distinct people who answered, those invited from outside included.',
    unit: null,
    better: null,
    column: 'survey_respondents_count',
    needsAggregation: false,
    dateField: 'final_response_submitted_at',
    gate: 'survey',
    filters: ['start_date', 'end_date', 'team', 'squad_ids', 'squad_levels', 'manager_ids', 'manager_email', 'departments', 'locations', 'levels', 'source_types', 'survey_ids', 'survey_template_question_ids', 'survey_response_types'],
  },
} as const;

export const tables = {
  pull_requests: { key: ['pr_id'] },
  pull_request_reviews: { key: ['pr_review_id'] },
  pull_request_comments: { key: ['comment_id'] },
  pull_request_commits: { key: ['commit_id'] },
  pull_request_events: { key: ['pr_id', 'event_type', 'event_at', 'event_url'] },
  issues: { key: ['issue_id'] },
  issue_comments: { key: ['issue_comment_id'] },
  release_details: { key: ['release_id'] },
  workflow_runs: { key: ['workflow_run_id'] },
  ai_copilot: { key: ['merged_user_id', 'source', 'date'] },
  posthook_sessions: { key: ['session_id'] },
  posthook_session_messages: { key: ['message_id'] },
  posthook_session_files: { key: ['session_id', 'file_path'] },
  posthook_session_commits: { key: ['session_id', 'commit_id'] },
  survey_recipients: { key: ['survey_recipient_id'] },
  survey_responses: { key: ['survey_response_id'] },
  deployments: { key: ['deployment_id'] },
  user_metrics: { key: ['merged_user_id'] },
} as const;

export interface ColumnsOfTable {
  pull_requests:
    | 'pr_id'
    | 'pr_number'
    | 'pr_title'
    | 'pr_url'
    | 'pr_body'
    | 'pr_summary'
    | 'pr_category'
    | 'source'
    | 'repository'
    | 'repository_name'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'pr_state'
    | 'is_draft'
    | 'pr_created_at'
    | 'ready_at'
    | 'pr_merged_at'
    | 'pr_closed_at'
    | 'first_commit_at'
    | 'last_commit_at'
    | 'first_review_at'
    | 'first_comment_at'
    | 'merge_queue_entered_at'
    | 'additions'
    | 'deletions'
    | 'changed_files'
    | 'files'
    | 'base_branch'
    | 'head_branch'
    | 'merge_commit_sha'
    | 'labels'
    | 'ai_added_lines'
    | 'coding_time'
    | 'pickup_time'
    | 'review_time'
    | 'rework_time'
    | 'cycle_time'
    | 'time_to_first_comment'
    | 'queue_time'
    | 'is_reworked'
    | 'review_rounds'
    | 'review_rounds_bucket'
    | 'reviews_count'
    | 'reviewers_count'
    | 'comments_count'
    | 'commits_count'
    | 'complexity_score'
    | 'output_estimate'
    | 'ai_pct_of_code'
    | 'is_ai_assisted'
    | 'ai_sources'
    | 'is_hotfix'
    | 'is_revert'
    | 'is_promotion_pr'
    | 'is_production_merge'
    | 'branching_model'
    | 'deployment_source'
    | 'deployment_id'
    | 'deployed_at'
    | 'deployment_attribution_status'
    | 'lead_time'
    | 'merge_to_deploy'
    | 'open_to_deploy'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  pull_request_reviews:
    | 'pr_review_id'
    | 'pr_id'
    | 'source'
    | 'repository'
    | 'repository_name'
    | 'pr_number'
    | 'pr_title'
    | 'pr_url'
    | 'pr_state'
    | 'pr_category'
    | 'pr_created_at'
    | 'pr_merged_at'
    | 'pr_closed_at'
    | 'base_branch'
    | 'head_branch'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'review_state'
    | 'reviewed_at'
    | 'review_url'
    | 'review_body'
    | 'review_hour_of_day'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  pull_request_comments:
    | 'comment_id'
    | 'pr_id'
    | 'source'
    | 'repository'
    | 'repository_name'
    | 'pr_number'
    | 'pr_title'
    | 'pr_url'
    | 'pr_state'
    | 'pr_category'
    | 'pr_created_at'
    | 'pr_merged_at'
    | 'pr_closed_at'
    | 'base_branch'
    | 'head_branch'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'comment'
    | 'comment_url'
    | 'commented_at'
    | 'in_reply_to'
    | 'file_path'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  pull_request_commits:
    | 'commit_id'
    | 'pr_id'
    | 'source'
    | 'repository'
    | 'repository_name'
    | 'pr_number'
    | 'pr_title'
    | 'pr_url'
    | 'pr_state'
    | 'pr_category'
    | 'pr_created_at'
    | 'pr_merged_at'
    | 'pr_closed_at'
    | 'base_branch'
    | 'head_branch'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'sha'
    | 'commit_message'
    | 'committed_at'
    | 'authored_at'
    | 'commit_url'
    | 'additions'
    | 'deletions'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  pull_request_events:
    | 'pr_id'
    | 'source'
    | 'repository'
    | 'repository_name'
    | 'pr_number'
    | 'pr_title'
    | 'pr_url'
    | 'pr_state'
    | 'pr_category'
    | 'pr_created_at'
    | 'pr_merged_at'
    | 'pr_closed_at'
    | 'base_branch'
    | 'head_branch'
    | 'event_type'
    | 'event_at'
    | 'event_url'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'details'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  issues:
    | 'issue_id'
    | 'issue_key'
    | 'issue_title'
    | 'issue_url'
    | 'issue_body'
    | 'issue_type'
    | 'source'
    | 'project_id'
    | 'project_name'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'ticket_status'
    | 'status_name'
    | 'priority'
    | 'story_points'
    | 'created_at'
    | 'started_at'
    | 'completed_at'
    | 'closed_at'
    | 'branch_name'
    | 'labels'
    | 'creator_name'
    | 'sprint_name'
    | 'parent_issue_id'
    | 'issue_cycle_time'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  issue_comments:
    | 'issue_comment_id'
    | 'issue_id'
    | 'source'
    | 'issue_key'
    | 'issue_title'
    | 'project_id'
    | 'project_name'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'comment'
    | 'created_at'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  release_details:
    | 'release_id'
    | 'version'
    | 'release_name'
    | 'notes'
    | 'source'
    | 'repository'
    | 'repository_name'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'release_url'
    | 'created_at'
    | 'release_date'
    | 'is_prerelease'
    | 'prs_included'
    | 'pull_requests'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  workflow_runs:
    | 'workflow_run_id'
    | 'workflow_name'
    | 'source'
    | 'repository'
    | 'repository_name'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'branch'
    | 'event'
    | 'run_status'
    | 'run_conclusion'
    | 'run_number'
    | 'run_attempt'
    | 'run_created_at'
    | 'run_started_at'
    | 'run_updated_at'
    | 'head_sha'
    | 'environment'
    | 'associated_pr_ids'
    | 'artifact_bytes'
    | 'billable_ms'
    | 'run_url'
    | 'run_duration'
    | 'estimated_cost'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  ai_copilot:
    | 'source'
    | 'date'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'is_active'
    | 'suggested_lines'
    | 'accepted_lines'
    | 'lines_added'
    | 'lines_deleted'
    | 'ai_lines'
    | 'accepts'
    | 'rejects'
    | 'chat_requests'
    | 'composer_requests'
    | 'agent_requests'
    | 'cmd_k_usages'
    | 'tokens'
    | 'cost_usd'
    | 'model'
    | 'language'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  posthook_sessions:
    | 'session_id'
    | 'engineer_email'
    | 'person_login'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'source'
    | 'agent_slug'
    | 'model_slug'
    | 'repo_name'
    | 'branch'
    | 'started_at'
    | 'ended_at'
    | 'date'
    | 'active_minutes'
    | 'input_tokens'
    | 'output_tokens'
    | 'cache_read_tokens'
    | 'cache_creation_tokens'
    | 'total_tokens'
    | 'generated_lines'
    | 'committed_lines'
    | 'files_edited'
    | 'commits_contributed'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  posthook_session_messages:
    | 'message_id'
    | 'session_id'
    | 'engineer_email'
    | 'merged_user_id'
    | 'is_bot'
    | 'agent_slug'
    | 'model_slug'
    | 'repo_name'
    | 'date'
    | 'message_seq'
    | 'message_ts'
    | 'role'
    | 'source'
    | 'message_text'
    | 'tool_calls'
    | 'turn_minutes'
    | 'name'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  posthook_session_files:
    | 'session_id'
    | 'engineer_email'
    | 'merged_user_id'
    | 'is_bot'
    | 'agent_slug'
    | 'model_slug'
    | 'repo_name'
    | 'date'
    | 'file_path'
    | 'generated_lines'
    | 'committed_lines'
    | 'edits'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  posthook_session_commits:
    | 'session_id'
    | 'engineer_email'
    | 'merged_user_id'
    | 'is_bot'
    | 'agent_slug'
    | 'model_slug'
    | 'repo_name'
    | 'date'
    | 'commit_id'
    | 'committed_at'
    | 'committed_lines'
    | 'commit_url'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  survey_recipients:
    | 'survey_recipient_id'
    | 'survey_id'
    | 'survey_name'
    | 'survey_status'
    | 'recipient_type'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'created_at'
    | 'sent_at'
    | 'survey_email_sent_at'
    | 'final_response_submitted_at'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  survey_responses:
    | 'survey_response_id'
    | 'survey_id'
    | 'survey_name'
    | 'survey_status'
    | 'section_id'
    | 'section_title'
    | 'survey_template_question_id'
    | 'question_order'
    | 'question_text'
    | 'response_type'
    | 'answer_value'
    | 'answer_comment'
    | 'answer_other_text'
    | 'recipient_type'
    | 'final_response_submitted_at'
    | 'response_created_at'
    | 'response_updated_at'
    | 'sent_at'
    | 'team_names';
  deployments:
    | 'deployment_id'
    | 'repository'
    | 'repository_name'
    | 'source'
    | 'person_login'
    | 'person_email'
    | 'person_name'
    | 'person_is_bot'
    | 'merged_user_id'
    | 'is_bot'
    | 'deployed_at'
    | 'started_at'
    | 'status'
    | 'environment'
    | 'is_production'
    | 'workflow_name'
    | 'version'
    | 'sha'
    | 'deployment_source'
    | 'run_url'
    | 'pr_ids'
    | 'prs_included'
    | 'pull_requests'
    | 'failure_reason'
    | 'failure_detected_at'
    | 'remediation_merged_at'
    | 'restored_at'
    | 'time_to_restore'
    | 'is_remediation'
    | 'name'
    | 'role'
    | 'level'
    | 'location'
    | 'team_id'
    | 'team_name'
    | 'team_names'
    | 'department'
    | 'departments'
    | 'manager_name'
    | 'squad_name'
    | 'squad_level';
  user_metrics:
    | 'merged_user_id'
    | 'name'
    | 'main_email'
    | 'github_username'
    | 'role'
    | 'level'
    | 'location'
    | 'team_name'
    | 'team_names'
    | 'departments'
    | 'manager_name'
    | 'sources'
    | 'last_active_at'
    | 'user_created_date'
    | 'is_bot'
    | 'team_id'
    | 'department'
    | 'squad_name'
    | 'squad_level';
}

export type FilterName =
  | 'start_date'
    | 'end_date'
    | 'member'
    | 'team'
    | 'squad_ids'
    | 'squad_levels'
    | 'manager_ids'
    | 'manager_email'
    | 'departments'
    | 'locations'
    | 'levels'
    | 'source_types'
    | 'repositories'
    | 'sources'
    | 'pr_states'
    | 'pr_categories'
    | 'pr_ids'
    | 'associated_pr_ids'
    | 'pull_requests_search_term'
    | 'branches'
    | 'review_hour_of_day'
    | 'review_rounds_bucket'
    | 'ticket_status'
    | 'issue_ids'
    | 'project_ids'
    | 'workflow_names'
    | 'workflow_run_ids'
    | 'run_conclusions'
    | 'ai_copilot_sources'
    | 'session_id'
    | 'survey_ids'
    | 'survey_template_question_ids'
    | 'survey_response_types';

export const aggregations = ['SUM', 'AVG', 'MIN', 'MAX', 'MEDIAN', 'P75', 'P90', 'P95'] as const;
