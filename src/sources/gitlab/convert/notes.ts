import { lineReviews } from '../../code-host/pull-request-records.ts';
import { secondsOf } from '../../paging.ts';
import { Payload } from '../../payload.ts';
import { personOf } from './person.ts';

/** A note of a merge request: a comment of somebody, or what GitLab writes when something happens. */
interface Note {
  readonly id: string;
  readonly body: string;
  readonly at: string;
  readonly author: Payload | null;
  readonly login: string | null;
  readonly isSystem: boolean;
  /** Of a comment on a line of the change. */
  readonly path: string | null;
  readonly isOnLine: boolean;
}

/** Oldest first. */
export function convertNotes(payloads: readonly unknown[]): Note[] {
  const notes = payloads.map((payload): Note => {
    const note = Payload.of(payload, 'note');
    const position = note.objectOrNull('position');
    return {
      id: note.id('id'),
      body: note.textOrNull('body') ?? '',
      at: note.time('created_at'),
      author: note.objectOrNull('author'),
      login: note.objectOrNull('author')?.textOrNull('username') ?? null,
      isSystem: note.isTrue('system'),
      path: position?.textOrNull('new_path') ?? position?.textOrNull('old_path') ?? null,
      isOnLine: note.textOrNull('type') === 'DiffNote',
    };
  });
  return notes.toSorted((one, other) => secondsOf(one.at) - secondsOf(other.at));
}

type ReviewState = 'approved' | 'changes_requested' | 'commented' | 'dismissed';

/** How GitLab begins the notes of decisions. */
const decisions: readonly (readonly [beginning: string, state: ReviewState])[] = [
  ['approved this merge request', 'approved'],
  ['unapproved this merge request', 'dismissed'],
  ['requested changes', 'changes_requested'],
];

/** How it begins the notes of what else happens, named as on other code hosts. Older versions say it in other words. */
const happenings: readonly (readonly [beginning: string, event: string])[] = [
  ['marked this merge request as **ready**', 'ready_for_review'],
  ['unmarked as a **Work In Progress**', 'ready_for_review'],
  ['unmarked this merge request as a **Work In Progress**', 'ready_for_review'],
  ['marked this merge request as **draft**', 'convert_to_draft'],
  ['marked as a **Work In Progress**', 'convert_to_draft'],
  ['marked this merge request as a **Work In Progress**', 'convert_to_draft'],
  ['requested review from', 'review_requested'],
  ['removed review request for', 'review_request_removed'],
  ['assigned to', 'assigned'],
  ['unassigned', 'unassigned'],
  ['changed title from', 'renamed'],
  ['changed target branch from', 'base_ref_changed'],
  ['restored source branch', 'head_ref_restored'],
  ['deleted source branch', 'head_ref_deleted'],
  ['enabled an automatic merge', 'auto_merge_enabled'],
  ['canceled the automatic merge', 'auto_merge_disabled'],
  ['aborted the automatic merge', 'auto_merge_disabled'],
  ['started a merge train', 'added_to_merge_queue'],
  ['added this merge request to the merge train', 'added_to_merge_queue'],
  ['removed this merge request from the merge train', 'removed_from_merge_queue'],
  ['aborted this merge request from the merge train', 'removed_from_merge_queue'],
  ['reopened', 'reopened'],
];

const saidBy = <T>(note: Note, table: readonly (readonly [string, T])[]): T | undefined =>
  note.isSystem ? table.find(([beginning]) => note.body.startsWith(beginning))?.[1] : undefined;

/** Who approved by a note. */
export const approversIn = (notes: readonly Note[]): Set<string> =>
  new Set(notes.flatMap((note) => (saidBy(note, decisions) === 'approved' ? (note.login ?? []) : [])));

/** A merge request that was turned into a draft before it first became ready was not opened as one. */
export function readyAt(notes: readonly Note[]): string | null {
  const turns = ['ready_for_review', 'convert_to_draft'];
  const first = notes.find((note) => turns.includes(saidBy(note, happenings) ?? ''));
  return first && saidBy(first, happenings) === 'ready_for_review' ? first.at : null;
}

export const reviewRecord = (prId: string, id: string, author: Payload | null, state: ReviewState, at: string) => ({
  pr_review_id: `${prId}:review:${id}`,
  pr_id: prId,
  ...personOf(author),
  review_state: state,
  reviewed_at: at,
});

/** Decisions, and comments on lines, of which those within a minute are one review. */
export function reviewsIn(prId: string, prUrl: string, notes: readonly Note[], author: string | null) {
  const comments = notes.filter(({ isSystem }) => !isSystem);
  const began = new Set(lineReviews(comments, author));
  return notes.flatMap((note) => {
    const state = began.has(note) ? 'commented' : saidBy(note, decisions);
    if (state === undefined) return [];
    return [{ ...reviewRecord(prId, note.id, note.author, state, note.at), review_url: `${prUrl}#note_${note.id}` }];
  });
}

export const commentsIn = (prId: string, prUrl: string, notes: readonly Note[]) =>
  notes
    .filter(({ isSystem }) => !isSystem)
    .map((note) => ({
      comment_id: `${prId}:comment:${note.id}`,
      pr_id: prId,
      ...personOf(note.author),
      comment: note.body,
      comment_url: `${prUrl}#note_${note.id}`,
      commented_at: note.at,
      file_path: note.path,
    }));

export const eventsIn = (prId: string, prUrl: string, notes: readonly Note[]) =>
  notes.flatMap((note) => {
    const event = saidBy(note, happenings);
    if (event === undefined) return [];
    const [text = ''] = note.body.split('\n', 1);
    const url = `${prUrl}#note_${note.id}`;
    return [
      {
        pr_id: prId,
        event_type: event,
        event_at: note.at,
        event_url: url,
        ...personOf(note.author),
        details: { text },
      },
    ];
  });
