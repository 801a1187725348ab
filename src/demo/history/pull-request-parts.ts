import type { Json } from '../../catalogue/record.ts';
import { hour, isoText, minute } from './clock-text.ts';
import type { Account, Contributor } from './contributors.ts';
import type { Commit, Merge } from './pull-request.ts';
import type { PullRequest } from './pull-request-timeline.ts';
import { phrases } from './wording.ts';
import type { World } from './world.ts';

/** An app that reviews on GitHub once assistants are common. It is in no directory; its login says what it is. */
const reviewingApp: Account = { person_login: 'copilot-pull-request-reviewer[bot]', person_email: null };
const daysWithReviewingApp = 300;

export function writeCommits(world: World, pr: PullRequest): Commit[] {
  const { random } = world;
  const { timeline, change, author } = pr;
  const { forcePushedAt, commitTimes, reworkCommits } = timeline;
  let [addedLeft, deletedLeft] = [change.additions, change.deletions];
  return commitTimes.map((authoredAt, index) => {
    const left = commitTimes.length - index;
    const additions = left === 1 ? addedLeft : Math.floor((addedLeft / left) * random.between(0.5, 1.4));
    const deletions = Math.floor(deletedLeft / left);
    addedLeft -= additions;
    deletedLeft -= deletions;
    const message =
      index === 0 ? change.pr_title : random.pick(left <= reworkCommits ? phrases.rework : phrases.commit);
    const committedAt = Math.max(authoredAt, forcePushedAt ?? 0);
    const sha = random.hex(40);
    writeCommit(world, pr, author, { sha, message, authoredAt, committedAt, additions, deletions });
    return { sha, authoredAt, additions };
  });
}

/** A promotion brings the merges it carries. Each of them is a commit of two pull requests. */
export function writeCarriedCommits(world: World, pr: PullRequest, merges: readonly Merge[]): void {
  for (const { author, sha, number, head_branch, at, additions, deletions } of merges) {
    const message = `Merge pull request #${number} from ${head_branch}`;
    writeCommit(world, pr, author, { sha, message, authoredAt: at, committedAt: at, additions, deletions });
  }
}

function writeCommit(
  world: World,
  { id, host, commitUrl }: PullRequest,
  { emails, logins, accounts }: Contributor,
  commit: Commit & { readonly message: string; readonly committedAt: number; readonly deletions: number },
): void {
  const { random } = world;
  const email = emails.length > 1 ? random.pick(emails) : (emails[0] ?? null);
  const own = logins[host] ?? [];
  // Git knows an address; a host finds the account behind it, unless nobody told it about that address.
  const isUnlinked = email !== null && random.chance(0.1);
  world.add('pull_request_commits', {
    commit_id: `${id}:${commit.sha}`,
    pr_id: id,
    sha: commit.sha,
    commit_message: commit.message,
    authored_at: isoText(commit.authoredAt),
    committed_at: isoText(commit.committedAt),
    commit_url: commitUrl(commit.sha),
    additions: commit.additions,
    deletions: commit.deletions,
    person_login: isUnlinked ? null : own.length > 1 ? random.pick(own) : accounts[host].person_login,
    person_email: email,
  });
}

export function writeReviews(world: World, pr: PullRequest): void {
  const { random, calendar } = world;
  const { id, url, host, day, at: createdAt, timeline, author, change, silentAfter } = pr;
  const { reviews } = timeline;
  const put = (account: Account, at: number, review_state: string, body: string): void => {
    const number = world.nextNumber('review', 1_100_000_000);
    world.add('pull_request_reviews', {
      pr_review_id: `${id}/review/${number}`,
      pr_id: id,
      review_state,
      reviewed_at: isoText(Math.min(at, silentAfter)),
      review_url: `${url}#pullrequestreview-${number}`,
      review_body: body === '' ? null : body,
      ...account,
    });
  };
  const hasApp = host === 'github' && day >= calendar.days - daysWithReviewingApp && change.occasion === 'ordinary';
  if (hasApp && random.chance(0.15)) {
    put(
      reviewingApp,
      createdAt + random.integer(60, 6 * minute),
      'commented',
      'Reviewed the changed files. No comments.',
    );
  }
  for (const [index, { at, by, verdict }] of reviews.entries()) {
    // A later approval of the same person voids a request for changes.
    const isVoid = verdict === 'changes_requested' && reviews.slice(index + 1).some((later) => later.by === by);
    const state = isVoid && random.chance(0.08) ? 'dismissed' : verdict;
    put(by.accounts[host], at, state, random.pick(phrases[state]));
  }
  // Some authors answer in the form of a review of their own pull request, which does not count as one.
  const [first, second] = reviews;
  if (first && second && random.chance(0.05)) {
    put(author.accounts[host], first.at + random.integer(2, 30) * minute, 'commented', '');
  }
}

/** Comments at the lines with each review, in between, and by the bot that builds. */
export function writeComments(world: World, pr: PullRequest): void {
  const { random, workforce } = world;
  const { id, url, host, at: createdAt, timeline, author, change, silentAfter } = pr;
  const put = (by: Contributor, at: number, comment: string, file_path: string | null, in_reply_to: string | null) => {
    const number = world.nextNumber('comment', 600_000_000);
    world.add('pull_request_comments', {
      comment_id: `${id}/comment/${number}`,
      pr_id: id,
      comment,
      comment_url: `${url}#${file_path === null ? 'issuecomment-' : 'discussion_r'}${number}`,
      commented_at: isoText(Math.min(at, silentAfter)),
      in_reply_to,
      file_path,
      ...by.accounts[host],
    });
    return `${id}/comment/${number}`;
  };
  const builder = workforce.bots.at(-1);
  if (builder && random.chance(0.12)) {
    const coverage = `Coverage ${random.integer(61, 94)} %, all checks passed.`;
    put(builder, createdAt + random.integer(4, 25) * minute, coverage, null, null);
  }
  for (const { at, by, verdict } of timeline.reviews) {
    const fewest = verdict === 'changes_requested' ? 1 : 0;
    for (let left = random.integer(fewest, verdict === 'approved' ? 1 : 3); left > 0; left -= 1) {
      const path = random.pick(change.files).path;
      const remark = put(by, at, random.pick(phrases.comment), path, null);
      if (random.chance(0.55))
        put(author, at + random.integer(3, 90) * minute, random.pick(phrases.reply), path, remark);
    }
  }
  if (change.occasion === 'ordinary' && random.chance(0.25)) {
    put(author, createdAt + random.integer(0, 6 * hour), random.pick(phrases.comment), null, null);
  }
}

/** Writes what else a code host tells about a pull request. */
export function writeEvents(world: World, pr: PullRequest): void {
  const { id, url, host, at: createdAt, timeline, author, change } = pr;
  const { readyAt, reviews, forcePushedAt, queuedAt, mergedAt, closedAt } = timeline;
  const own = author.accounts[host];
  const put = (event_type: string, at: number | null, details: Json = null, by = own): void => {
    if (at === null) return;
    const event_url = `${url}#event-${world.nextNumber('event', 9_000_000_000)}`;
    world.add('pull_request_events', { pr_id: id, event_type, event_at: isoText(at), event_url, details, ...by });
  };
  for (const label of change.labels) put('labeled', createdAt, { label });
  put('ready_for_review', readyAt);
  for (const reviewer of new Set(reviews.map(({ by }) => by))) {
    const { person_login, person_email } = reviewer.accounts[host];
    put('review_requested', readyAt ?? createdAt, { reviewer: person_login ?? person_email });
  }
  put('head_ref_force_pushed', forcePushedAt);
  put('added_to_merge_queue', queuedAt);
  // A bot does not press the button: whoever approved does.
  const closer = (author.isBot && reviews.at(-1)?.by.accounts[host]) || own;
  put(mergedAt === null ? 'closed' : 'merged', closedAt, null, closer);
}
