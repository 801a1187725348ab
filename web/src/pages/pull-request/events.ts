import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { counted } from '../../view/format.ts';
import { timeIn } from './clock-words.ts';
import { eventsWords } from './words.ts';

/** One thing that happened to a pull request. */
export interface Happening {
  readonly key: string;
  readonly at: number;
  readonly what: string;
  readonly who: string | null;
  readonly url: string | null;
  /** Whether the timeline names it. The rest are dots there, and lines in the table. */
  readonly isMain: boolean;
}

/** What the reader may see of the parts of a pull request. */
export interface PullRequestParts {
  readonly reviews: readonly Row[];
  readonly comments: readonly Row[];
  readonly commits: readonly Row[];
  readonly events: readonly Row[];
  readonly deployment: Row | undefined;
}

const who = (row: Row): string | null => textOf(row.name) ?? textOf(row.person_login);
const address = (cell: unknown): string | null => (typeof cell === 'string' && /^https?:\/\//.test(cell) ? cell : null);

/** Events that the pull request itself knows: every reader sees these times. */
function ownHappenings(row: Row, deployment: Row | undefined): Happening[] {
  const author = who(row);
  const main = (what: string, column: string, by: string | null, from: Row = row): Happening[] => {
    const at = timeIn(from, column);
    return at === null ? [] : [{ key: `own:${what}`, at, what, who: by, url: null, isMain: true }];
  };
  const isDraft = timeIn(row, 'ready_at') !== null || row.is_draft === true;
  return [
    ...main(eventsWords.firstCommit, 'first_commit_at', null),
    ...main(isDraft ? eventsWords.openedAsDraft : 'opened', 'pr_created_at', author),
    ...main('ready', 'ready_at', null),
    ...main(eventsWords.firstReview, 'first_review_at', null),
    ...main('merged', 'pr_merged_at', null),
    ...(timeIn(row, 'pr_merged_at') === null ? main('closed', 'pr_closed_at', null) : []),
    ...main('deployed', 'deployed_at', null),
    ...(deployment?.failure_reason === 'revert_pr' ? main('reverted', 'remediation_merged_at', null, deployment) : []),
  ];
}

/** All events in the order of time. */
export function happenings(
  row: Row,
  { reviews, comments, commits, events, deployment }: PullRequestParts,
): Happening[] {
  const own = ownHappenings(row, deployment);
  const isOwn = (what: string, at: number): boolean => own.some((one) => one.what === what && one.at === at);
  const firstReview = timeIn(row, 'first_review_at');
  const approvedAt = Math.min(
    ...reviews
      .filter(({ review_state }) => review_state === 'approved')
      .map((one) => timeIn(one, 'reviewed_at') ?? Infinity),
  );
  const all: Happening[] = [
    ...own,
    ...reviews.flatMap((review) => {
      const at = timeIn(review, 'reviewed_at');
      if (at === null) return [];
      const state = textOf(review.review_state);
      const isFirstApproval = state === 'approved' && at === approvedAt && at !== firstReview;
      return part(
        review,
        'pr_review_id',
        at,
        isFirstApproval ? 'approved' : reviewWords(state),
        'review_url',
        isFirstApproval,
      );
    }),
    ...comments.flatMap((comment) =>
      part(comment, 'comment_id', timeIn(comment, 'commented_at'), 'commented', 'comment_url'),
    ),
    ...commits.flatMap((commit) => {
      const sha = textOf(commit.sha)?.slice(0, 7) ?? '';
      return part(commit, 'commit_id', timeIn(commit, 'committed_at'), eventsWords.commit(sha), 'commit_url');
    }),
    ...events.flatMap((event) => {
      const at = timeIn(event, 'event_at');
      const what = eventWords(event);
      const isKnown = at !== null && isOwn(what, at);
      return at === null || isKnown ? [] : part(event, 'event_url', at, what, 'event_url');
    }),
  ];
  return all.toSorted((a, b) => a.at - b.at || Number(b.isMain) - Number(a.isMain));
}

let nameless = 0;
function part(row: Row, key: string, at: number | null, what: string, url: string, isMain = false): Happening[] {
  if (at === null) return [];
  const id = textOf(row[key]) ?? String(nameless++);
  return [{ key: `${key} ${id}`, at, what, who: who(row), url: address(row[url]), isMain }];
}

const reviewWords = (state: string | null): string =>
  state === 'changes_requested'
    ? eventsWords.reviewChangesRequested
    : state === null
      ? 'review'
      : eventsWords.review(state.replaceAll('_', ' '));

const eventNames: Readonly<Record<string, string>> = {
  ready_for_review: 'ready',
  labeled: 'labelled',
  unlabeled: eventsWords.labelRemoved,
  added_to_merge_queue: eventsWords.enteredMergeQueue,
  head_ref_force_pushed: 'force-pushed',
};

function eventWords({ event_type, details }: Row): string {
  const name = textOf(event_type) ?? 'event';
  const reviewer =
    typeof details === 'object' && details !== null && 'reviewer' in details
      ? eventsWords.of(String(details.reviewer))
      : '';
  return `${eventNames[name] ?? name.replaceAll('_', ' ')}${reviewer}`;
}

/**
 * Kinds of parts that the pull request counts and the reader does not get: they are of people whom the reader may not
 * see.
 */
export function leftOut(row: Row, { reviews, comments, commits }: PullRequestParts): string[] {
  const isPerson = ({ is_bot }: Row): boolean => is_bot !== true;
  const author = textOf(row.merged_user_id);
  const others = reviews.filter((one) => isPerson(one) && (author === null || textOf(one.merged_user_id) !== author));
  const missing = (column: string, seen: number, one: string, many: string): string[] => {
    const count = (numberIn(row, column) ?? 0) - seen;
    return count > 0 ? [counted(count, one, many)] : [];
  };
  return [
    ...missing('reviews_count', others.length, 'review', 'reviews'),
    ...missing('comments_count', comments.filter(isPerson).length, 'comment', 'comments'),
    ...missing('commits_count', commits.length, 'commit', 'commits'),
  ];
}
