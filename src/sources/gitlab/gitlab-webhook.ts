import type { Json } from '../../catalogue/record.ts';
import type { Payload } from '../payload.ts';
import type { ChangedObject, WebhookKind } from '../source.ts';
import { type DeliveryReader, objectsIn } from '../webhooks.ts';

const itself = (payload: Payload): Payload => payload.object('object_attributes');

/** Projects are asked by number, which all hooks have somewhere. */
function ofProject(payload: Payload, kind: string, reference: Json): ChangedObject {
  const project = payload.objectOrNull('project');
  const scope = project?.has('id')
    ? project.id('id')
    : payload.has('project_id')
      ? payload.id('project_id')
      : itself(payload).id('target_project_id');
  return { id: `${kind}@${scope}:${JSON.stringify(reference)}`, kind, scope, reference };
}

/** What people write about commits and snippets is not kept. */
const ofNote: DeliveryReader = (payload) => {
  for (const kind of ['merge_request', 'issue'] as const) {
    const about = payload.objectOrNull(kind);
    if (about) return ofProject(payload, kind, about.id('iid'));
  }
  return undefined;
};

const ofIssue: DeliveryReader = (payload) => ofProject(payload, 'issue', itself(payload).id('iid'));
const ofProjectItself: DeliveryReader = (payload) => ofProject(payload, 'repository', null);

/** A group that is gone is looked for in the one above it. */
const ofGroup: DeliveryReader = (payload) => {
  const scope = payload.has('parent_group_id') ? payload.id('parent_group_id') : payload.id('group_id');
  return { id: `directory@${scope}`, kind: 'directory', scope, reference: null };
};

/** By `object_kind`, else `event_name`: system hooks call themselves that in the header, whatever they are about. */
const readers: Readonly<Record<string, DeliveryReader>> = {
  merge_request: (payload) => ofProject(payload, 'merge_request', itself(payload).id('iid')),
  issue: ofIssue,
  work_item: ofIssue,
  note: ofNote,
  pipeline: (payload) => ofProject(payload, 'pipeline', itself(payload).id('id')),
  deployment: (payload) => ofProject(payload, 'deployment', payload.id('deployment_id')),
  release: (payload) => {
    const tag = payload.text('tag');
    // Else it would lead to the project.
    return /^\.{1,2}$/.test(tag) ? undefined : ofProject(payload, 'release', tag);
  },
  project_rename: ofProjectItself,
  project_transfer: ofProjectItself,
  project_update: ofProjectItself,
  user_add_to_group: ofGroup,
  user_update_for_group: ofGroup,
  user_remove_from_group: ofGroup,
  subgroup_create: ofGroup,
  subgroup_destroy: ofGroup,
};

export const gitlabWebhook: WebhookKind = {
  token: { header: 'x-gitlab-token' },
  deliveryHeader: 'x-gitlab-event-uuid',
  eventHeader: 'x-gitlab-event',
  objectsOf: objectsIn((_, payload) => {
    const name = payload.textOrNull('object_kind') ?? payload.textOrNull('event_name') ?? '';
    return Object.hasOwn(readers, name) ? readers[name]?.(payload) : undefined;
  }),
};
