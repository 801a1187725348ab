import { addDays } from '../../../../src/calendar.ts';
import { longestWindow } from '../../ask/deployment.ts';
import { ask, askSeveral, type Question } from '../../ask/question.ts';

const inTime = (today: string) => {
  const { start, end } = longestWindow(today);
  return { start_date: start, end_date: end };
};

/** The pull request's own columns: its times are known also where the events behind them are not shown. */
export const thePullRequest = (id: string, today: string): Question =>
  ask('pull-requests-count', {
    filters: { ...inTime(today), pr_ids: [id] },
    group_by: [
      'pr_id',
      'pr_number',
      'pr_title',
      'pr_url',
      'repository',
      'repository_name',
      'name',
      'person_login',
      'merged_user_id',
      'is_bot',
      'pr_state',
      'is_draft',
      'pr_created_at',
      'ready_at',
      'pr_merged_at',
      'pr_closed_at',
      'first_commit_at',
      'last_commit_at',
      'first_review_at',
      'first_comment_at',
      'merge_queue_entered_at',
      'deployed_at',
      'deployment_id',
      'deployment_attribution_status',
      'deployment_source',
      'additions',
      'deletions',
      'changed_files',
      'base_branch',
      'pr_category',
      'is_promotion_pr',
      'is_revert',
      'is_hotfix',
      'coding_time',
      'pickup_time',
      'review_time',
      'rework_time',
      'cycle_time',
      'queue_time',
      'time_to_first_comment',
      'merge_to_deploy',
      'lead_time',
      'review_rounds',
      'reviews_count',
      'comments_count',
      'commits_count',
    ],
  });

/** The events of the pull request, as far as the reader may see the people behind them. */
export const reviewsOf = (id: string, today: string): Question =>
  askSeveral(['review-interactions-count'], {
    filters: { ...inTime(today), pr_ids: [id] },
    group_by: [
      'pr_review_id',
      'reviewed_at',
      'review_state',
      'review_url',
      'name',
      'person_login',
      'merged_user_id',
      'is_bot',
    ],
  });

export const commentsOf = (id: string, today: string): Question =>
  askSeveral(['comments-count'], {
    filters: { ...inTime(today), pr_ids: [id] },
    group_by: ['comment_id', 'commented_at', 'comment_url', 'name', 'person_login', 'is_bot'],
  });

export const commitsOf = (id: string, today: string): Question =>
  askSeveral(['commits-count'], {
    filters: { ...inTime(today), pr_ids: [id] },
    group_by: ['commit_id', 'sha', 'authored_at', 'committed_at', 'commit_url', 'name', 'person_login', 'is_bot'],
  });

export const eventsOf = (id: string, today: string): Question =>
  askSeveral(['pull-request-events-count'], {
    filters: { ...inTime(today), pr_ids: [id] },
    group_by: ['pr_id', 'event_type', 'event_at', 'event_url', 'name', 'person_login', 'details'],
  });

/** The usual times of its repository: the medians of the 90 days up to its merge. */
export const typicalTime = (repository: string, mergedOn: string): Question =>
  ask('cycle-time', {
    filters: { start_date: addDays(mergedOn, -89), end_date: mergedOn, repositories: [repository] },
    aggregation: 'MEDIAN',
  });
