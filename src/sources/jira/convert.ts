import type { FieldValues } from '../../catalogue/field-values.ts';
import { hostedId } from '../../catalogue/record-ids.ts';
import type { Payload } from '../payload.ts';
import { bodyText, lastSprint } from './forms-of-fields.ts';
import { type CategoryOf, changesOf, type StatusCategory, workTimes } from './history.ts';
import type { WholeIssue } from './search.ts';
import { categoryIn, type JiraSite } from './site.ts';

/** By the number: the key moves with the project. */
export const issueId = ({ host }: Pick<JiraSite, 'host'>, id: string): string => hostedId('jira', host, id);

/** The category decides, not the resolution. A status without one is not begun. */
const ticketStatus = (category: StatusCategory): string =>
  category === 'done' ? 'completed' : category === 'indeterminate' ? 'started' : 'backlog';

/** Pure: no request and no clock. */
export function issueRecord(
  site: JiraSite,
  { issue, histories }: Pick<WholeIssue, 'issue' | 'histories'>,
): FieldValues {
  const fields = issue.object('fields');
  const status = fields.object('status');
  const project = fields.object('project');
  const key = issue.text('key');
  const category = categoryIn(status);
  const now = {
    createdAt: fields.time('created'),
    resolvedAt: fields.timeOrNull('resolutiondate'),
    statusId: status.textOrNull('id'),
    category,
  };
  const { startedAt, completedAt } = workTimes(now, changesOf('status', histories), categoriesOf(site, now));
  const parent = fields.objectOrNull('parent');
  return {
    issue_id: issueId(site, issue.id('id')),
    issue_key: key,
    issue_title: fields.textOrNull('summary'),
    issue_url: `${site.url}/browse/${key}`,
    issue_body: bodyText(fields.raw('description')),
    issue_type: fields.objectOrNull('issuetype')?.textOrNull('name') ?? null,
    source: 'jira',
    project_id: project.text('key'),
    project_name: project.textOrNull('name'),
    ...personOf(fields.objectOrNull('assignee')),
    ticket_status: ticketStatus(category),
    status_name: status.textOrNull('name'),
    priority: fields.objectOrNull('priority')?.textOrNull('name') ?? null,
    story_points: firstNumber(fields, site.fields.storyPoints),
    created_at: now.createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    closed_at: category === 'done' ? (now.resolvedAt ?? completedAt) : null,
    labels: fields.texts('labels'),
    creator_name: fields.objectOrNull('creator')?.textOrNull('displayName') ?? null,
    sprint_name: site.fields.sprint === undefined ? null : lastSprint(fields.raw(site.fields.sprint)),
    parent_issue_id: parent?.has('id') ? issueId(site, parent.id('id')) : null,
  };
}

/** The present status is as the issue says; others are as they are now, since a history names their ids alone. */
function categoriesOf(
  { statuses }: JiraSite,
  now: { readonly statusId: string | null; readonly category: StatusCategory },
): CategoryOf {
  const known = new Map(statuses.map(({ id, category }) => [id, category]));
  return (id) => (id === null ? undefined : id === now.statusId ? now.category : known.get(id));
}

export function commentRecords(site: JiraSite, { issue, comments }: WholeIssue): readonly FieldValues[] {
  return (comments ?? []).map((comment) => ({
    issue_comment_id: hostedId('jira', site.host, comment.id('id')),
    issue_id: issueId(site, issue.id('id')),
    source: 'jira',
    ...personOf(comment.objectOrNull('author')),
    comment: bodyText(comment.raw('body')),
    created_at: comment.time('created'),
  }));
}

/** Jira Cloud knows people by an account id, and mostly hides their addresses; Data Center by a name. */
function personOf(account: Payload | null): FieldValues {
  const type = account?.textOrNull('accountType') ?? null;
  return {
    person_login: account?.textOrNull('accountId') ?? account?.textOrNull('name') ?? null,
    person_email: account?.textOrNull('emailAddress') ?? null,
    person_name: account?.textOrNull('displayName') ?? null,
    person_is_bot: type === null ? null : type === 'app',
  };
}

function firstNumber(fields: Payload, names: readonly string[]): number | null {
  const values = names.map((name) => fields.raw(name));
  return values.find((value): value is number => typeof value === 'number' && Number.isFinite(value)) ?? null;
}
