import { inheritedColumns, type Row } from '../../catalogue/table.ts';
import type { PullRequestRow } from '../../catalogue/tables/pull-requests.ts';
import { factTables } from '../../catalogue/tables/tables.ts';
import { keyOf } from '../../directory/identifier.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import { type ChildEntry, inheritFrom, loadParents, nameChild, naming, strayChildren } from '../resolve/family.ts';
import { identify } from '../resolve/person-naming.ts';
import type { Mutable } from '../write/table-overlay.ts';
import { deriveAiShares } from './ai-shares.ts';
import { categoryOf } from './category.ts';
import { filesOf, rawComplexity } from './complexity.ts';
import { deriveComments, deriveConversation } from './pull-request-timings.ts';
import { isSomebodyElse, type Voice } from './record-author.ts';
import { repositoryName } from './repository-name.ts';
import { isHotfix, revertMarks } from './reverts.ts';

/** The parts of a pull request, the three that tell its conversation first. */
const parts = ['pull_request_reviews', 'pull_request_comments', 'pull_request_commits', 'pull_request_events'] as const;
type Part = (typeof parts)[number];

/** What a pull request needs of itself when only its parts have changed, and everything that may come of it. */
const partOfPullRequest = [
  'pr_id',
  'source',
  'merged_user_id',
  'is_bot',
  'actor',
  'repository',
  'repository_name',
  'repository_key',
  'pr_number',
  'pr_title',
  'pr_url',
  'pr_state',
  'pr_category',
  'pr_created_at',
  'pr_merged_at',
  'pr_closed_at',
  'base_branch',
  'head_branch',
  'merge_commit_sha',
  'ready_at',
  'merge_queue_entered_at',
  'additions',
  'ai_added_lines',
  'given_first_commit_at',
  'given_last_commit_at',
  'given_first_review_at',
  'given_first_comment_at',
  'opened_at',
  'first_commit_at',
  'last_commit_at',
  'first_review_at',
  'first_comment_at',
  'coding_time',
  'pickup_time',
  'review_time',
  'rework_time',
  'cycle_time',
  'time_to_first_comment',
  'queue_time',
  'is_reworked',
  'review_rounds',
  'review_rounds_bucket',
  'review_hours',
  'reviews_count',
  'reviewers_count',
  'comments_count',
  'commits_count',
  'ai_pct_of_code',
  'is_ai_assisted',
  'ai_sources',
  'merged_quarter',
  'raw_complexity',
  'is_hotfix',
  'revert_marks',
] as const satisfies readonly (keyof PullRequestRow)[];

/** What is read of the parts that a batch does not bring itself. */
const partColumns = {
  pull_request_reviews: [
    'pr_review_id',
    'pr_id',
    'source',
    'is_bot',
    'actor',
    'reviewed_at',
    'review_hour_of_day',
    'is_review',
  ],
  pull_request_comments: ['comment_id', 'pr_id', 'source', 'is_bot', 'actor', 'commented_at'],
  pull_request_commits: [
    'commit_id',
    'pr_id',
    'source',
    'is_bot',
    'actor',
    'authored_at',
    'committed_at',
    'additions',
    'sha',
    'merged_user_id',
  ],
  pull_request_events: ['pr_id', 'event_type', 'event_at', 'event_url', 'source', 'is_bot', 'actor'],
} as const satisfies Readonly<Record<Part, readonly string[]>>;

const withNames = (part: Part): string[] => [...new Set([...partColumns[part], ...naming])];
const namedPartColumns = byPart(withNames);
const adoptedPartColumns = byPart((part) => [...new Set([...withNames(part), ...inheritedColumns(factTables[part])])]);

function byPart(columns: (part: Part) => string[]): Readonly<Record<Part, readonly string[]>> {
  return Object.fromEntries(parts.map((part) => [part, columns(part)])) as Record<Part, string[]>;
}

/** Everything that a pull request is by itself. */
function deriveOwn(row: Mutable<PullRequestRow>, { zone }: Batch): void {
  const labels = textsOf(row.labels);
  row.repository_name = row.repository === null ? null : repositoryName(row.repository);
  row.repository_key = row.repository === null ? null : keyOf(row.repository);
  row.pr_category = row.given_pr_category ?? categoryOf({ labels, title: row.pr_title, headBranch: row.head_branch });
  row.is_hotfix = isHotfix({ title: row.pr_title, headBranch: row.head_branch, labels });
  row.revert_marks = revertMarks({
    headBranch: row.head_branch,
    body: row.pr_body,
    title: row.pr_title,
    repository: row.repository,
  });
  const isMerged = row.pr_merged_at !== null;
  row.merged_quarter = row.pr_merged_at === null ? null : zone.quarterAt(row.pr_merged_at);
  row.raw_complexity = isMerged
    ? rawComplexity({
        files: filesOf(row.files),
        additions: row.additions,
        deletions: row.deletions,
        changedFiles: row.changed_files,
      })
    : null;
}

/**
 * Pull requests and their parts: who acted, what the parts inherit, and every clock and count that follows from the
 * conversation. Touched are the pull requests of the batch, those whose parts are in it, and those named besides.
 */
export async function derivePullRequests(batch: Batch, besides: ReadonlySet<string>): Promise<void> {
  const { tables } = batch;
  const own = tables.pull_requests;
  for (const { after, part } of own.entries.values()) {
    if (!after || part) continue;
    identify(after, batch);
    deriveOwn(after, batch);
  }
  const changed = new Set([...besides, ...own.entries.keys()]);
  for (const id of parentsOf(batch, ['pull_request_commits'])) changed.add(id);
  const spoken = new Set(changed);
  for (const id of parentsOf(batch, ['pull_request_reviews'])) spoken.add(id);
  const commented = parentsOf(batch, ['pull_request_comments']);
  const touched = await loadParents(
    batch,
    tableOf({ tables }, 'pull_requests'),
    parts.map((part) => tableOf({ tables }, part)),
    partOfPullRequest,
    besides,
  );
  // An event says nothing that a clock depends on: where nothing else came, the conversation is as it was.
  const told = new Set([...touched].filter((id) => spoken.has(id) || !own.entries.get(id)?.before));
  const remarked = new Set([...commented].filter((id) => !told.has(id)));
  await loadParts(batch, told, parts);
  // Comments need nothing else of a pull request to be read, and most of them come when it is long known.
  await loadParts(batch, remarked, ['pull_request_comments']);
  const conversations = groupParts(batch);
  for (const id of touched) {
    const entry = own.entries.get(id);
    const conversation = conversations.get(id) ?? emptyConversation();
    nameParts(batch, entry?.after, conversation);
    if (entry?.after && told.has(id)) deriveFromParts(entry.after, conversation);
    else if (entry?.after && remarked.has(id)) deriveFromComments(entry.after, conversation.pull_request_comments);
    // Some of what a pull request hands down has only now come of its parts.
    for (const part of parts) {
      for (const child of conversation[part]) inheritFrom(entry?.after, factTables[part], child);
    }
  }
  await deriveAiShares(
    batch,
    [...changed].flatMap((id) => {
      const pr = own.entries.get(id)?.after;
      return pr ? [{ pr, commits: conversations.get(id)?.pull_request_commits ?? [] }] : [];
    }),
  );
}

/** The pull requests, before and after, of the parts in a batch. */
function parentsOf({ tables }: Batch, parts: readonly Part[]): Set<string> {
  const ids = new Set<string>();
  for (const table of parts) {
    for (const { before, after } of tableOf({ tables }, table).entries.values()) {
      for (const row of [before, after]) if (typeof row?.pr_id === 'string') ids.add(row.pr_id);
    }
  }
  return ids;
}

type ConversationParts = Record<Part, ChildEntry[]>;
const emptyConversation = (): ConversationParts => ({
  pull_request_reviews: [],
  pull_request_comments: [],
  pull_request_commits: [],
  pull_request_events: [],
});

/**
 * The parts that are kept already. A part carries the creation of its pull request, which keeps the engine from looking
 * through all of history for the parts of a few recent ones. One that came before its pull request has none.
 */
async function loadParts(batch: Batch, touched: ReadonlySet<string>, wanted: readonly Part[]): Promise<void> {
  const { tables, session } = batch;
  const { adopted, renamed } = strayChildren(batch, tableOf({ tables }, 'pull_requests'), touched);
  const strays = new Set([...adopted, ...renamed]);
  const known = [...touched].filter((id) => !strays.has(id));
  const created = known.flatMap((id) => tables.pull_requests.entries.get(id)?.before?.pr_created_at ?? []);
  const undated: Condition = { column: 'pr_created_at', isNull: true };
  const [first] = created;
  const around: Condition =
    first === undefined
      ? undated
      : {
          any: [
            undated,
            {
              all: [
                { column: 'pr_created_at', atLeast: created.reduce((a, b) => Math.min(a, b), first) },
                { column: 'pr_created_at', atMost: created.reduce((a, b) => Math.max(a, b), first) },
              ],
            },
          ],
        };
  for (const part of wanted) {
    const overlay = tableOf({ tables }, part);
    if (known.length > 0 && part !== 'pull_request_events') {
      await overlay.load(session, { all: [{ column: 'pr_id', in: known }, around] }, partColumns[part]);
    }
    if (adopted.length > 0) {
      await overlay.load(session, { all: [{ column: 'pr_id', in: adopted }, undated] }, adoptedPartColumns[part]);
    }
    if (renamed.length > 0) await overlay.load(session, { column: 'pr_id', in: renamed }, namedPartColumns[part]);
  }
}

function groupParts({ tables }: Batch): Map<string, ConversationParts> {
  const groups = new Map<string, ConversationParts>();
  for (const part of parts) {
    for (const entry of tableOf({ tables }, part).entries.values() as Iterable<ChildEntry>) {
      const id = entry.after?.pr_id;
      if (typeof id !== 'string') continue;
      const group = groups.get(id) ?? emptyConversation();
      if (group[part].length === 0) groups.set(id, group);
      group[part].push(entry);
    }
  }
  return groups;
}

/** Says on every part of a pull request whose it is, and which reviews are reviews. */
function nameParts(batch: Batch, pr: PullRequestRow | undefined, conversation: ConversationParts): void {
  const author: Voice | undefined = pr && { actor: pr.actor, isBot: pr.is_bot === true };
  for (const part of parts) for (const entry of conversation[part]) nameChild(batch, factTables[part], entry, pr);
  for (const { after } of conversation.pull_request_reviews) {
    if (!after) continue;
    const by = voiceOf(after);
    after.is_review = author ? isSomebodyElse(by, author) : !by.isBot;
    after.review_hour_of_day = typeof after.reviewed_at === 'number' ? batch.zone.hourAt(after.reviewed_at) : null;
  }
}

function deriveFromParts(pr: Mutable<PullRequestRow>, conversation: ConversationParts): void {
  const {
    pull_request_reviews: reviews,
    pull_request_comments: comments,
    pull_request_commits: commits,
  } = conversation;
  Object.assign(
    pr,
    deriveConversation(
      {
        author: { actor: pr.actor, isBot: pr.is_bot === true },
        createdAt: pr.pr_created_at,
        readyAt: pr.ready_at,
        mergedAt: pr.pr_merged_at,
        queuedAt: pr.merge_queue_entered_at,
        given: {
          firstCommitAt: pr.given_first_commit_at,
          lastCommitAt: pr.given_last_commit_at,
          firstReviewAt: pr.given_first_review_at,
          firstCommentAt: pr.given_first_comment_at,
        },
      },
      made(reviews, (row) => ({ by: voiceOf(row), at: number(row.reviewed_at) })),
      made(comments, (row) => ({ by: voiceOf(row), at: number(row.commented_at) })),
      made(commits, (row) => ({
        by: voiceOf(row),
        authoredAt: number(row.authored_at),
        committedAt: number(row.committed_at),
        additions: number(row.additions),
      })),
    ),
  );
  pr.review_hours = hoursOf(reviews);
}

/** Hours in which somebody else reviewed it, each once and in their order. JSON text, as lists are kept. */
function hoursOf(reviews: readonly ChildEntry[]): string {
  const hours = new Set<number>();
  for (const { after } of reviews) {
    if (after?.is_review === true && typeof after.review_hour_of_day === 'number') hours.add(after.review_hour_of_day);
  }
  return JSON.stringify([...hours].sort((a, b) => a - b).map(String));
}

function deriveFromComments(pr: Mutable<PullRequestRow>, comments: readonly ChildEntry[]): void {
  const author: Voice = { actor: pr.actor, isBot: pr.is_bot === true };
  const given = { firstCommentAt: pr.given_first_comment_at };
  const said = made(comments, (row) => ({ by: voiceOf(row), at: number(row.commented_at) }));
  Object.assign(pr, deriveComments({ author, createdAt: pr.pr_created_at, given }, said, pr.first_review_at));
}

const number = (value: Row[string] | undefined): number | null => (typeof value === 'number' ? value : null);
const voiceOf = (row: Row): Voice => ({ actor: row.actor as string | null, isBot: row.is_bot === true });

/** What is made of the rows that stay. Asked for every pull request, so nothing else is made on the way. */
function made<M>(entries: readonly ChildEntry[], make: (row: Row) => M): M[] {
  const all: M[] = [];
  for (const { after } of entries) if (after) all.push(make(after));
  return all;
}

const textsOf = (json: string | null): string[] => (json === null ? [] : (JSON.parse(json) as string[]));
