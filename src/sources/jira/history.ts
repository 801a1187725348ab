import { isoText } from '../../calendar.ts';
import { secondsOf } from '../paging.ts';
import { type Payload, UnknownShape } from '../payload.ts';

/** The three groups that Jira puts every status into; anything else is none of them. */
export type StatusCategory = 'new' | 'indeterminate' | 'done' | undefined;
export type CategoryOf = (statusId: string | null) => StatusCategory;

/** A status or a type that was changed. Times in seconds since 1970. */
interface ValueChange {
  readonly at: number;
  readonly order: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly fromName: string | null;
}

/** The changes of a field, the oldest first: Jira Cloud lists them the other way round. */
export function changesOf(field: 'status' | 'issuetype', histories: readonly Payload[]): readonly ValueChange[] {
  return histories
    .flatMap((history) =>
      history.list('items').flatMap((item) => {
        const isIt = (item.textOrNull('fieldId') ?? item.textOrNull('field')) === field;
        if (!isIt || item.textOrNull('fieldtype') === 'custom') return [];
        const [from, to, fromName] = [item.textOrNull('from'), item.textOrNull('to'), item.textOrNull('fromString')];
        return [{ at: momentOf(history), order: Number(history.textOrNull('id') ?? 0), from, to, fromName }];
      }),
    )
    .sort((one, other) => one.at - other.at || one.order - other.order);
}

/** Milliseconds since 1970 where histories are fetched in bulk, a text elsewhere. */
function momentOf(history: Payload): number {
  const value = history.raw('created');
  const at = typeof value === 'number' ? value / 1_000 : secondsOf(history.text('created'));
  if (Number.isFinite(at)) return Math.floor(at);
  throw new UnknownShape('history: created must be a time');
}

interface IssueNow {
  readonly createdAt: string;
  readonly resolvedAt: string | null;
  readonly statusId: string | null;
  readonly category: StatusCategory;
}

const earlier = (one: string, other: string | null): string => (other !== null && other < one ? other : one);

/**
 * When work on an issue began, which is its first entry into a status of progress, and when it was completed, which is the
 * entry into done that still holds. An issue has the status that it was created in from its creation on. A status that is
 * gone from Jira is of no group: who came to done from one was done when it was resolved, where that was before.
 */
export function workTimes(now: IssueNow, changes: readonly ValueChange[], categoryOf: CategoryOf) {
  const first = changes.length > 0 ? categoryOf(changes[0]?.from ?? null) : now.category;
  let startedAt = first === 'indeterminate' ? now.createdAt : null;
  let doneAt: string | null = null;
  let before = first;
  for (const { at, to } of changes) {
    const category = categoryOf(to);
    if (category === 'indeterminate') startedAt ??= isoText(at);
    if (category !== 'done') doneAt = null;
    else if (before === undefined) doneAt = earlier(isoText(at), now.resolvedAt);
    else if (before !== 'done') doneAt = isoText(at);
    before = category;
  }
  const sinceCreation = first === 'done' && changes.every(({ to }) => categoryOf(to) === 'done') ? now.createdAt : null;
  const completedAt = now.category === 'done' ? (doneAt ?? now.resolvedAt ?? sinceCreation) : null;
  return { startedAt, completedAt };
}
