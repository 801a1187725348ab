import { Payload } from '../../payload.ts';
import { personOf } from './account.ts';
import { numberedId } from './ids.ts';
import type { Repository } from './repository.ts';
import type { TimelineEvent } from './timeline.ts';

interface ConvertedFile {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
}

export function convertPullRequest(
  repository: Repository,
  payload: unknown,
  timeline: readonly TimelineEvent[],
  /** Unknown where the host no longer has the commits. */
  files: readonly unknown[] | undefined,
) {
  const pull = Payload.of(payload, 'pull request');
  const mergedAt = pull.timeOrNull('merged_at');
  const number = pull.integer('number');
  return {
    pr_id: numberedId(repository, number),
    source: 'github',
    repository: repository.name,
    pr_number: number,
    pr_title: pull.textOrNull('title'),
    pr_url: pull.text('html_url'),
    pr_body: pull.textOrNull('body'),
    ...personOf(pull.objectOrNull('user')),
    pr_state: mergedAt === null ? pull.text('state') : 'merged',
    is_draft: pull.isTrue('draft'),
    pr_created_at: pull.time('created_at'),
    ready_at: readyAt(timeline),
    pr_merged_at: mergedAt,
    pr_closed_at: pull.timeOrNull('closed_at'),
    additions: pull.integerOrNull('additions'),
    deletions: pull.integerOrNull('deletions'),
    changed_files: pull.integerOrNull('changed_files'),
    ...(files && { files: withinLimit(files.map(convertFile)) }),
    base_branch: pull.object('base').textOrNull('ref'),
    head_branch: pull.object('head').textOrNull('ref'),
    // Before the merge this is a commit that GitHub made to try it.
    merge_commit_sha: mergedAt === null ? null : pull.textOrNull('merge_commit_sha'),
    labels: pull.list('labels').map((label) => label.text('name')),
    merge_queue_entered_at: timeline.findLast(({ type }) => type === 'added_to_merge_queue')?.at ?? null,
  };
}

/** What was turned into a draft before it first became ready was not opened as one. */
function readyAt(timeline: readonly TimelineEvent[]): string | null {
  const first = timeline.find(({ type }) => type === 'ready_for_review' || type === 'convert_to_draft');
  return first?.type === 'ready_for_review' ? first.at : null;
}

function convertFile(payload: unknown): ConvertedFile {
  const file = Payload.of(payload, 'changed file');
  return { path: file.text('filename'), additions: file.integer('additions'), deletions: file.integer('deletions') };
}

/** A column holds 1 MiB of JSON. The largest changes are cut there, and `changed_files` still counts them all. */
function withinLimit(files: readonly ConvertedFile[]): readonly ConvertedFile[] {
  let bytes = 2;
  const end = files.findIndex((file) => {
    bytes += Buffer.byteLength(JSON.stringify(file)) + 1;
    return bytes > filesBytesMost;
  });
  return end === -1 ? files : files.slice(0, end);
}

const filesBytesMost = 1_000_000;
