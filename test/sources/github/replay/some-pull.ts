import type { Fields, ReplayedPull } from './world.ts';

/** Accounts of the fixtures. GitHub calls an app a bot, and shows a deleted account as `ghost` or not at all. */
export const user = (login: string): Fields => ({ login, id: 1, type: 'User' });
export const bot = (name: string): Fields => ({ login: `${name}[bot]`, id: 2, type: 'Bot' });
export const ghost = user('ghost');

let lastId = 4_000_000_000;
/** Longer than GraphQL's integers, as the provider's are today. */
const nextId = (): number => {
  lastId += 1;
  return lastId;
};

/** A time of the fixtures: day of January 2024, hour, minute, second. */
export const at = (day: number, hour = 9, minute = 0, second = 0): string =>
  new Date(Date.UTC(2024, 0, day, hour, minute, second)).toISOString().replace('.000Z', 'Z');

export interface SomePull {
  readonly repository?: string;
  readonly number: number;
  readonly author?: Fields | null;
  readonly fields?: Fields;
  readonly updatedAt?: string;
}

/** A pull request with nothing below it. `parts` below add to it. */
export function somePull({
  repository = 'acme/web',
  number,
  author = user('ada'),
  fields,
  updatedAt,
}: SomePull): ReplayedPull {
  const url = `https://github.example/${repository}/pull/${number}`;
  return {
    pull: {
      id: nextId(),
      node_id: `PR_${repository}_${number}`,
      number,
      html_url: url,
      title: `Change ${number}`,
      body: `What change ${number} is for.`,
      state: 'open',
      draft: false,
      created_at: at(1),
      updated_at: updatedAt ?? at(1, 9, number),
      closed_at: null,
      merged_at: null,
      merge_commit_sha: `${'0'.repeat(36)}${String(number).padStart(4, '0')}`,
      additions: 10,
      deletions: 4,
      changed_files: 1,
      labels: [],
      base: { ref: 'main' },
      head: { ref: `change-${number}` },
      user: author,
      ...fields,
    },
    timeline: [],
    reviews: [],
    reviewComments: [],
    commits: [],
    files: [],
  };
}

export function addEvent(to: ReplayedPull, event: string, time: string, fields: Fields = {}): void {
  const id = nextId();
  to.timeline.push({ id, node_id: `EV_${id}`, event, created_at: time, actor: user('ada'), ...fields });
}

/** GitHub writes a review into the list of reviews and into the timeline. */
export function addReview(to: ReplayedPull, state: string, time: string | null, fields: Fields = {}): Fields {
  const id = nextId();
  const review = {
    id,
    node_id: `PRR_${id}`,
    user: user('grace'),
    body: '',
    state,
    html_url: `${to.pull.html_url}#pullrequestreview-${id}`,
    submitted_at: time,
    ...fields,
  };
  to.reviews.push(review);
  to.timeline.push({ ...review, event: 'reviewed', actor: null, created_at: null });
  return review;
}

export function addReviewComment(to: ReplayedPull, review: Fields, time: string, fields: Fields = {}): Fields {
  const id = nextId();
  const comment = {
    id,
    pull_request_review_id: review.id,
    user: review.user,
    body: 'Could this be shorter?',
    path: 'src/web.ts',
    created_at: time,
    updated_at: time,
    html_url: `${to.pull.html_url}#discussion_r${id}`,
    ...fields,
  };
  to.reviewComments.push(comment);
  return comment;
}

export function addComment(to: ReplayedPull, time: string, fields: Fields = {}): void {
  const id = nextId();
  to.timeline.push({
    event: 'commented',
    id,
    node_id: `IC_${id}`,
    user: user('grace'),
    actor: user('grace'),
    body: 'Thank you.',
    created_at: time,
    updated_at: time,
    html_url: `${to.pull.html_url}#issuecomment-${id}`,
    issue_url: `https://api.github.example/repos/acme/web/issues/${to.pull.number}`,
    ...fields,
  });
}

interface SomeCommit {
  readonly authored: string;
  readonly committed?: string;
  readonly account?: Fields | null;
  readonly email?: string;
}

export function addCommit(to: ReplayedPull, sha: string, { authored, committed, account, email }: SomeCommit): void {
  to.commits.push({
    sha,
    html_url: `https://github.example/acme/web/commit/${sha}`,
    author: account === undefined ? user('ada') : account,
    committer: user('web-flow'),
    commit: {
      message: `Commit ${sha}`,
      author: { name: 'Ada Lovelace', email: email ?? 'ada@example.com', date: authored },
      committer: { name: 'GitHub', email: 'noreply@github.com', date: committed ?? authored },
    },
    stats: { additions: 5, deletions: 2, total: 7 },
    files: [{ filename: 'src/web.ts', patch: '@@ -1 +1 @@' }],
  });
}

export function addFile(to: ReplayedPull, filename: string, additions = 5, deletions = 2): void {
  to.files.push({ sha: 'f', filename, status: 'modified', additions, deletions, changes: additions + deletions });
}
