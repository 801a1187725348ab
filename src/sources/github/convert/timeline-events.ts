import type { Json } from '../../../catalogue/record.ts';
import { Payload } from '../../payload.ts';
import { personOf, type RecordPerson } from './account.ts';

/** An event of a pull request. Reviews, comments and commits have tables of their own. */
export interface TimelineEvent {
  readonly type: string;
  readonly at: string;
  /** The provider's id, of which it makes no two. */
  readonly nodeId: string;
  readonly actor: RecordPerson;
  readonly details: Json;
}

/** Events that are kept. Others, such as mentions and subscriptions, say nothing about the work. */
export const keptEvents = [
  'added_to_merge_queue',
  'assigned',
  'auto_merge_disabled',
  'auto_merge_enabled',
  'base_ref_changed',
  'closed',
  'convert_to_draft',
  'demilestoned',
  'head_ref_deleted',
  'head_ref_force_pushed',
  'head_ref_restored',
  'labeled',
  'merged',
  'milestoned',
  'ready_for_review',
  'removed_from_merge_queue',
  'renamed',
  'reopened',
  'review_dismissed',
  'review_request_removed',
  'review_requested',
  'unassigned',
  'unlabeled',
] as const;
export type KeptEvent = (typeof keptEvents)[number];

const kept: ReadonlySet<string> = new Set(keptEvents);

/** Oldest first, as GitHub has them. */
export function convertTimeline(payloads: readonly unknown[]): TimelineEvent[] {
  const events = payloads.map((payload) => Payload.of(payload, 'timeline event'));
  return events.filter((event) => kept.has(event.textOrNull('event') ?? '')).map(convertEvent);
}

function convertEvent(event: Payload): TimelineEvent {
  const type = event.text('event') as KeptEvent;
  return {
    type,
    at: event.time('created_at'),
    nodeId: event.text('node_id'),
    actor: personOf(event.objectOrNull('actor')),
    details: detailsOf(type, event),
  };
}

function detailsOf(type: KeptEvent, event: Payload): Json {
  switch (type) {
    case 'labeled':
    case 'unlabeled':
      return { label: event.object('label').text('name') };
    case 'milestoned':
    case 'demilestoned':
      return { milestone: event.object('milestone').text('title') };
    case 'assigned':
    case 'unassigned':
      return { assignee: personOf(event.objectOrNull('assignee')).person_login };
    case 'review_requested':
    case 'review_request_removed':
      return requestedOf(event);
    case 'renamed':
      return { from: event.object('rename').textOrNull('from'), to: event.object('rename').textOrNull('to') };
    case 'review_dismissed': {
      const review = event.objectOrNull('dismissed_review');
      return {
        review_state: review?.textOrNull('state')?.toLowerCase() ?? null,
        message: review?.textOrNull('dismissal_message') ?? null,
      };
    }
    case 'merged':
      return { sha: event.textOrNull('commit_id') };
    default:
      return null;
  }
}

function requestedOf(event: Payload): Json {
  const team = event.objectOrNull('requested_team');
  if (team) return { team: team.text('name') };
  return { reviewer: personOf(event.objectOrNull('requested_reviewer')).person_login };
}

export const eventRecord = (prId: string, prUrl: string, { type, at, nodeId, actor, details }: TimelineEvent) => ({
  pr_id: prId,
  event_type: type,
  event_at: at,
  // Only some events have a page of their own; all have an id, which keeps two of one second apart.
  event_url: `${prUrl}#${nodeId}`,
  ...actor,
  details,
});
