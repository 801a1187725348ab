import { commitId } from '../../../catalogue/record-ids.ts';
import { type CountedFile, withinColumn } from '../../code-host/changed-files.ts';
import { type PullRequestRecords, recordsOfPullRequests } from '../../code-host/pull-request-records.ts';
import { convertEach, Payload, UnknownShape } from '../../payload.ts';
import type { ConvertedItems } from '../../streams/newest-first-stream.ts';
import { approversIn, commentsIn, convertNotes, eventsIn, readyAt, reviewRecord, reviewsIn } from './notes.ts';
import { authorOf, personOf } from './person.ts';
import { labelsOf, numberedId, type Project } from './project.ts';

/** How much a merge request changes. What is unknown is null. */
export interface ChangeSize {
  readonly additions: number | null;
  readonly deletions: number | null;
  readonly changedFiles: number | null;
  readonly files: readonly CountedFile[] | null;
}

/** A merge request with all that belongs to it, as the interface answers it. */
export interface MergeRequestFamily {
  readonly mergeRequest: unknown;
  /** Undefined where they are not known: then those that are stored stay. */
  readonly commits: readonly unknown[] | undefined;
  readonly notes: readonly unknown[];
  /** Asked for where somebody approved without a note. */
  readonly approvals: unknown;
  readonly size: ChangeSize;
  /** Its place on a merge train. */
  readonly car: unknown;
  /** Whether trains are refused to the token. */
  readonly isTrainHidden?: true;
}

export function convertFamilies(project: Project, families: readonly MergeRequestFamily[]): ConvertedItems {
  const { records, problems } = convertEach(families, (family) => convertFamily(project, family));
  return { records: recordsOfPullRequests(records), problems };
}

function convertFamily(project: Project, family: MergeRequestFamily): PullRequestRecords {
  const { mergeRequest, commits, notes: payloads, ...parts } = family;
  const payload = Payload.of(mergeRequest, 'merge request');
  const number = payload.integer('iid');
  try {
    const prId = numberedId(project, number);
    const [url, author, notes] = [
      payload.text('web_url'),
      payload.objectOrNull('author')?.textOrNull('username') ?? null,
      convertNotes(payloads),
    ];
    return {
      pull: { ...pullRecord(project, payload, parts), ready_at: readyAt(notes) },
      reviews: [...reviewsIn(prId, url, notes, author), ...silentApprovals(prId, parts.approvals, approversIn(notes))],
      comments: commentsIn(prId, url, notes),
      events: [...endsOf(prId, url, payload), ...eventsIn(prId, url, notes)],
      commits: (commits ?? []).map((commit) => commitRecord(prId, commit)),
      areCommitsCut: commits === undefined,
    };
  } catch (error) {
    // Half a merge request would look like one whose other children are gone.
    if (error instanceof UnknownShape) throw new UnknownShape(`${project.name}!${number}: ${error.message}`);
    throw error;
  }
}

/** A locked one is being merged, and is open until it is. */
const states: Readonly<Record<string, 'open' | 'merged' | 'closed'>> = {
  opened: 'open',
  locked: 'open',
  merged: 'merged',
  closed: 'closed',
};

function pullRecord(project: Project, payload: Payload, { size, car }: Pick<MergeRequestFamily, 'size' | 'car'>) {
  const number = payload.integer('iid');
  const state = states[payload.text('state')];
  if (state === undefined) throw new UnknownShape('merge request: state is none of the known ones');
  const mergedAt = payload.timeOrNull('merged_at');
  return {
    pr_id: numberedId(project, number),
    source: 'gitlab',
    repository: project.name,
    pr_number: number,
    pr_title: payload.textOrNull('title'),
    pr_url: payload.text('web_url'),
    pr_body: payload.textOrNull('description'),
    ...personOf(payload.objectOrNull('author')),
    pr_state: state,
    is_draft: payload.isTrue('draft') || payload.isTrue('work_in_progress'),
    pr_created_at: payload.time('created_at'),
    pr_merged_at: state === 'merged' ? mergedAt : null,
    pr_closed_at: state === 'open' ? null : (payload.timeOrNull('closed_at') ?? mergedAt),
    additions: size.additions,
    deletions: size.deletions,
    changed_files: size.changedFiles,
    ...(size.files && { files: withinColumn(size.files) }),
    base_branch: payload.textOrNull('target_branch'),
    head_branch: payload.textOrNull('source_branch'),
    merge_commit_sha: state === 'merged' ? mergeCommit(payload) : null,
    labels: labelsOf(payload),
    merge_queue_entered_at: car == null ? null : Payload.of(car, 'place on a merge train').time('created_at'),
  };
}

/** A fast-forward merge makes no commit: its last one is on the branch, or the one that it was squashed to. */
const mergeCommit = (payload: Payload): string | null =>
  payload.textOrNull('merge_commit_sha') ?? payload.textOrNull('squash_commit_sha') ?? payload.textOrNull('sha');

/** Newer versions write no notes of the end. */
const endsOf = (prId: string, url: string, payload: Payload) =>
  (
    [
      ['merged', 'merged_at', payload.objectOrNull('merge_user') ?? payload.objectOrNull('merged_by')],
      ['closed', 'closed_at', payload.objectOrNull('closed_by')],
    ] as const
  ).flatMap(([type, field, user]) => {
    const at = payload.timeOrNull(field);
    if (at === null) return [];
    return [{ pr_id: prId, event_type: type, event_at: at, event_url: url, ...personOf(user), details: null }];
  });

/** Approvals say who, and only newer versions when. One whose time nobody knows is no review. */
const silentApprovals = (prId: string, approvals: unknown, known: ReadonlySet<string>) =>
  (approvals == null ? [] : Payload.of(approvals, 'approvals').list('approved_by')).flatMap((approval) => {
    const [user, at] = [approval.object('user'), approval.timeOrNull('approved_at')];
    const login = user.text('username');
    return at === null || known.has(login) ? [] : [reviewRecord(prId, `approval-${login}`, user, 'approved', at)];
  });

function commitRecord(prId: string, payload: unknown) {
  const commit = Payload.of(payload, 'commit');
  const sha = commit.text('id');
  return {
    commit_id: commitId(prId, sha),
    pr_id: prId,
    ...authorOf(commit),
    sha,
    commit_message: commit.textOrNull('message') ?? commit.textOrNull('title'),
    committed_at: commit.timeOrNull('committed_date') ?? commit.timeOrNull('created_at'),
    authored_at: commit.timeOrNull('authored_date'),
    commit_url: commit.textOrNull('web_url'),
  };
}
