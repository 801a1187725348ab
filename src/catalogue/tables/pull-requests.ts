import { deploymentSources } from '../directory-records.ts';
import { amount, boolean, duration, integer, json, longText, number, text, textList, timestamp } from '../record.ts';
import { fieldsOfPullRequest, idOfPullRequest } from '../record-ids.ts';
import { completed, derived, hidden, type RowOf, table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';

export const prStates = ['open', 'closed', 'merged'] as const;
export const prCategories = ['Feature Work', 'Bug Fixes', 'Tech Improvements'] as const;
export const attributionStatuses = [
  'deployed',
  'awaiting_deploy',
  'before_first_signal',
  'non_production_branch',
  'ignored',
] as const;
export const branchingModels = ['trunk', 'promotion'] as const;
export const reviewRoundsBuckets = ['0', '1', '2', '3+'] as const;

export const pullRequests = table({
  name: 'pull_requests',
  one: 'a pull request',
  meaning: 'Pull requests (merge requests), with their clocks, their size and how they reached production.',
  key: ['pr_id'],
  composedKey: {
    field: 'pr_id',
    from: 'source, repository and pr_number',
    example: 'github:acme/web#7',
    make: idOfPullRequest,
    fieldsOfShort: fieldsOfPullRequest,
  },
  person: 'author',
  naming: personNaming,
  activity: { at: ['pr_created_at'] },
  repository: ['repository'],
  dates: {
    created_at: 'pr_created_at',
    pr_created_at: 'pr_created_at',
    merged_at: 'pr_merged_at',
    pr_merged_at: 'pr_merged_at',
    closed_at: 'pr_closed_at',
    pr_closed_at: 'pr_closed_at',
    first_review_at: 'first_review_at',
  },
  needs: {
    coding_time: ['first_commit_at'],
    pickup_time: ['first_review_at'],
    review_time: ['first_review_at', 'pr_merged_at'],
    rework_time: ['first_review_at'],
    is_reworked: ['first_review_at'],
    cycle_time: ['pr_merged_at'],
    time_to_first_comment: ['first_comment_at'],
    queue_time: ['merge_queue_entered_at', 'pr_merged_at'],
    complexity_score: ['pr_merged_at'],
    lead_time: ['pr_merged_at', 'deployed_at'],
    merge_to_deploy: ['pr_merged_at', 'deployed_at'],
    open_to_deploy: ['pr_merged_at', 'deployed_at'],
  },
  columns: {
    pr_id: text('Identifier of the pull request, such as github:acme/web#7.'),
    pr_number: integer('Number of the pull request in its repository.'),
    pr_title: text('Title.'),
    pr_url: text('Address of its page.'),
    pr_body: longText('Description, in full.'),
    pr_summary: longText('Summary of the change, where a source writes one.'),
    pr_category: completed(
      text('Kind of work, worked out from labels, title and branch when no source says it.', prCategories),
    ),
    source: text('Code host, such as github, gitlab or bitbucket.'),
    repository: text('Repository, owner/name.'),
    repository_name: derived(text('Repository without its owner.')),
    repository_key: hidden(derived(text('Repository as it is matched, without regard to case.'))),
    ...personColumns,
    pr_state: text('State.', prStates),
    is_draft: boolean('Whether it is a draft now.'),
    pr_created_at: timestamp('When it was created.'),
    ready_at: timestamp('When it first became ready for review. Null unless it was opened as a draft.'),
    pr_merged_at: timestamp('When it was merged.'),
    pr_closed_at: timestamp('When it was closed, merged or not.'),
    opened_at: hidden(derived(timestamp('Creation, or the first time ready for a pull request opened as a draft.'))),
    first_commit_at: completed(
      timestamp('Earliest author date of the commits of people. The given time when no commit is known.'),
    ),
    last_commit_at: completed(
      timestamp('Latest committer date of the commits of people. The given time when no commit is known.'),
    ),
    first_review_at: completed(timestamp('First review by someone else. The given time when no review is known.')),
    first_comment_at: completed(
      timestamp('First comment or review by someone else. The given time when none is known.'),
    ),
    merge_queue_entered_at: timestamp('When it last entered the merge queue.'),
    additions: amount('Added lines.'),
    deletions: amount('Deleted lines.'),
    changed_files: amount('Changed files.'),
    files: json('Changed files: [{"path", "additions", "deletions"}].', 'list'),
    base_branch: text('Branch that it is merged into.'),
    head_branch: text('Branch that it comes from.'),
    merge_commit_sha: text('Commit that merging it made on its base branch.'),
    labels: textList('Labels.'),
    ai_added_lines: amount('Added lines that an AI assistant wrote, where a source says so.'),
    coding_time: derived(duration('First commit to opened. Null for promotions and steps towards one.')),
    pickup_time: derived(duration('Opened to the first review by someone else.')),
    review_time: derived(duration('First review by someone else to merged.')),
    rework_time: derived(
      duration('First review to the last commit after it and before the merge. 0 without one, null if never reviewed.'),
    ),
    cycle_time: derived(duration('First commit (else creation) to merged. Null for promotions and steps towards one.')),
    time_to_first_comment: derived(duration('Creation to the first comment or review by someone else.')),
    queue_time: derived(duration('Last entry to the merge queue to merged.')),
    is_reworked: derived(boolean('Whether a commit followed the first review. Null if never reviewed.')),
    review_rounds: derived(integer('Times that reviews by others were followed by new commits or by the merge.')),
    review_rounds_bucket: derived(text('Review rounds in buckets.', reviewRoundsBuckets)),
    review_hours: hidden(
      derived(textList('Hours of the day at which other people reviewed it, in the organisation’s time zone.')),
    ),
    reviews_count: derived(integer('Reviews by other people.')),
    reviewers_count: derived(integer('Distinct other people who reviewed it.')),
    approved_at: hidden(
      derived(timestamp('Last approval by someone else, null without one and while a reviewer asks for changes.')),
    ),
    comments_count: derived(integer('Comments of people, the author’s included.')),
    commits_count: derived(integer('Commits.')),
    raw_complexity: hidden(derived(number('Size and spread of the diff, before it is set against its repository.'))),
    merged_quarter: hidden(derived(integer('Calendar quarter of the merge, as year × 4 + quarter from 0.'))),
    complexity_score: completed(
      number(
        '0 to 100 for merged pull requests: the size and spread of the diff against what is usual in its repository.',
        [0, 100],
      ),
    ),
    output_estimate: derived(number('The same number as the complexity score.')),
    ai_pct_of_code: derived(number('Share of added lines that AI wrote, 0 to 1. Null where nothing is attributed.')),
    is_ai_assisted: derived(
      boolean('Whether AI wrote some of it, or its author used AI between the first commit and the merge.'),
    ),
    ai_sources: derived(textList('The AI assistants that it was made with.')),
    named_issues: hidden(derived(textList('Keys of issues that its branch, title and body name, stored or not.'))),
    issue_ids: derived(textList('Stored issues that its branch, title or body names, sorted.')),
    is_hotfix: derived(boolean('Whether title, branch or labels say hotfix.')),
    // Short, and so a text: rows with JSON are read one by one, and every attribution reads this of a whole repository.
    revert_marks: hidden(derived(text('What its branch, body and title say it reverts, as JSON.'))),
    reverts_pr_id: hidden(derived(text('The pull request that it takes back, where that is known.'))),
    is_revert: derived(
      boolean('Whether it takes back another pull request. Taking back a revert is an ordinary change.'),
    ),
    is_promotion_pr: derived(boolean('Whether it brings a long-lived branch into the production branch.')),
    is_promotion_step: hidden(
      derived(boolean('Whether it passes on the changes of others: a promotion, or a step towards one.')),
    ),
    is_production_merge: derived(boolean('Whether it was merged into the production branch.')),
    branching_model: derived(text('How its repository brings changes to production.', branchingModels)),
    production_merged_at: hidden(
      derived(timestamp('When it reached the production branch, by itself or by a promotion.')),
    ),
    release_id: hidden(
      derived(text('Release that brought it: the first full one after it reached the production branch.')),
    ),
    prerelease_id: hidden(derived(text('Prerelease that had it before.'))),
    deployment_source: derived(text('Where the deployments of its repository come from.', deploymentSources)),
    deployment_id: derived(text('Deployment that carried it.')),
    deployed_at: derived(timestamp('When it was deployed to production.')),
    deployment_attribution_status: derived(text('What became of it.', attributionStatuses)),
    lead_time: derived(duration('First commit (else creation) to production.')),
    merge_to_deploy: derived(duration('Merged to production.')),
    open_to_deploy: derived(duration('Opened to production.')),
  },
});
export type PullRequestRow = RowOf<typeof pullRequests>;

/**
 * A pull request as the row that brought it shows it: each field with the columns of which the first that is given
 * counts. An author who is in the directory goes by the name there.
 */
export const carriedFields = {
  id: ['pr_id'],
  title: ['pr_title'],
  author: ['person_name', 'person_login'],
  url: ['pr_url'],
  number: ['pr_number'],
  summary: ['pr_summary'],
  additions: ['additions'],
  deletions: ['deletions'],
} as const satisfies Readonly<Record<string, readonly (keyof PullRequestRow)[]>>;

/** The form of a list of them, for documentation. */
export const carriedListForm = `[{${Object.keys(carriedFields)
  .map((field) => `"${field}"`)
  .join(', ')}}]`;
