import { dayNumber, isoText } from '../../calendar.ts';
import type { Json } from '../../catalogue/record.ts';
import type { MergedChange } from './code-changes.ts';
import type { Account, Contributor } from './contributors.ts';
import type { DemoWorld } from './demo-world.ts';
import type { PullRequest } from './pull-request-timeline.ts';
import type { HistoryRecord } from './record-batcher.ts';
import { phrases } from './wording.ts';
import { hour, minute } from './working-calendar.ts';

export type Commit = ReturnType<typeof writeCommits>[number];

/** An app that reviews on GitHub once assistants are common. It is in no directory; its login says what it is. */
const reviewingApp: Account = { person_login: 'copilot-pull-request-reviewer[bot]', person_email: null };
const reviewingAppSince = dayNumber('2025-03-10');

export function writeCommits(world: DemoWorld, pr: PullRequest) {
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
    const drawn = random.pick(left <= reworkCommits ? phrases.rework : phrases.commit);
    const sha = random.hex(40);
    const committed_at = isoText(Math.max(authoredAt, forcePushedAt ?? 0));
    const commit_message = index === 0 ? change.pr_title : drawn;
    const authored_at = isoText(authoredAt);
    writeCommit(world, pr, author, sha, { commit_message, authored_at, committed_at, additions, deletions });
    return { sha, authoredAt, additions };
  });
}

/** A promotion brings the merges it carries. Each of them is a commit of two pull requests. */
export function writeCarriedCommits(world: DemoWorld, pr: PullRequest, merges: readonly MergedChange[]): void {
  for (const { author, sha, number, head_branch, at, additions, deletions } of merges) {
    const commit_message = `Merge pull request #${number} from ${head_branch}`;
    const times = { authored_at: isoText(at), committed_at: isoText(at) };
    writeCommit(world, pr, author, sha, { commit_message, ...times, additions, deletions });
  }
}

function writeCommit(
  world: DemoWorld,
  pr: PullRequest,
  { emails, logins, accounts }: Contributor,
  sha: string,
  commit: HistoryRecord<'pull_request_commits'>,
): void {
  const { random } = world;
  const person_email = emails.length > 1 ? random.pick(emails) : (emails[0] ?? null);
  const own = logins[pr.host] ?? [];
  const login = own.length > 1 ? random.pick(own) : accounts[pr.host].person_login;
  world.give('pull_request_commits', {
    commit_id: `${pr.id}:${sha}`,
    pr_id: pr.id,
    sha,
    commit_url: pr.commitUrl(sha),
    ...commit,
    // Git knows an address; a host finds the account behind it, unless the account does not have that address.
    person_login: person_email !== null && random.chance(0.1) ? null : login,
    person_email,
  });
}

export function writeReviews(world: DemoWorld, pr: PullRequest): void {
  const { random } = world;
  const { id, url, host, day, at: createdAt, timeline, author, change, silentAfter } = pr;
  const { reviews } = timeline;
  const put = (account: Account, at: number, review_state: string, body: string): void => {
    const number = world.nextNumber('review', 1_100_000_000);
    world.give('pull_request_reviews', {
      pr_review_id: `${id}/review/${number}`,
      pr_id: id,
      review_state,
      reviewed_at: isoText(Math.min(at, silentAfter)),
      review_url: `${url}#pullrequestreview-${number}`,
      review_body: body || null,
      ...account,
    });
  };
  const hasApp = host === 'github' && day >= reviewingAppSince && change.occasion === 'ordinary';
  if (hasApp && random.chance(0.15)) {
    put(reviewingApp, createdAt + random.integer(60, 6 * minute), 'commented', 'Reviewed the changes. No comments.');
  }
  for (const [index, { at, by, verdict }] of reviews.entries()) {
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

export function writeComments(world: DemoWorld, pr: PullRequest): void {
  const { random, workforce } = world;
  const { id, url, host, at: createdAt, timeline, author, change, silentAfter } = pr;
  const put = (by: Contributor, at: number, comment: string, file_path: string | null, in_reply_to: string | null) => {
    const number = world.nextNumber('comment', 600_000_000);
    const comment_id = `${id}/comment/${number}`;
    world.give('pull_request_comments', {
      comment_id,
      pr_id: id,
      comment,
      comment_url: `${url}#${file_path === null ? 'issuecomment-' : 'discussion_r'}${number}`,
      commented_at: isoText(Math.min(at, silentAfter)),
      in_reply_to,
      file_path,
      ...by.accounts[host],
    });
    return comment_id;
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
      const answeredAt = at + random.integer(3, 90) * minute;
      if (random.chance(0.55)) put(author, answeredAt, random.pick(phrases.reply), path, remark);
    }
  }
  if (change.occasion === 'ordinary' && random.chance(0.25)) {
    put(author, createdAt + random.integer(0, 6 * hour), random.pick(phrases.comment), null, null);
  }
}

export function writeEvents(world: DemoWorld, pr: PullRequest): void {
  const { id: pr_id, url, host, at: createdAt, timeline, author, change } = pr;
  const { readyAt, reviews, forcePushedAt, queuedAt, mergedAt, closedAt } = timeline;
  const own = author.accounts[host];
  const put = (event_type: string, at: number | null, details: Json = null, account = own) => {
    if (at === null) return;
    const event_at = isoText(at);
    const event_url = `${url}#event-${world.nextNumber('event', 9_000_000_000)}`;
    world.give('pull_request_events', { pr_id, event_type, event_at, event_url, details, ...account });
  };
  for (const label of change.labels) put('labeled', createdAt, { label });
  put('ready_for_review', readyAt);
  for (const reviewer of new Set(reviews.map(({ by }) => by))) {
    const { person_login, person_email } = reviewer.accounts[host];
    put('review_requested', readyAt ?? createdAt, { reviewer: person_login ?? person_email });
  }
  put('head_ref_force_pushed', forcePushedAt);
  put('added_to_merge_queue', queuedAt);
  // A bot does not press the button: the person who approved does.
  const closer = (author.isBot && reviews.at(-1)?.by.accounts[host]) || own;
  put(mergedAt === null ? 'closed' : 'merged', closedAt, null, closer);
}
