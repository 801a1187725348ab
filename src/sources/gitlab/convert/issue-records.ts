import { Payload } from '../../payload.ts';
import { personOf } from './person.ts';
import { labelsOf, numberedId, type Project } from './project.ts';

export function issueRecord(project: Project, issue: Payload) {
  const number = issue.integer('iid');
  const closedAt = issue.timeOrNull('closed_at');
  const status = statusOf(issue);
  return {
    issue_id: numberedId(project, number),
    issue_key: `${project.name}#${number}`,
    issue_title: issue.textOrNull('title'),
    issue_url: issue.textOrNull('web_url'),
    issue_body: issue.textOrNull('description'),
    issue_type: issue.textOrNull('issue_type'),
    source: 'gitlab',
    project_id: `gitlab:${project.firstName}`,
    project_name: project.name,
    ...personOf(issue.list('assignees')[0] ?? issue.objectOrNull('assignee')),
    ticket_status: status,
    status_name: issue.text('state'),
    story_points: issue.integerOrNull('weight'),
    created_at: issue.time('created_at'),
    completed_at: status === 'completed' ? closedAt : null,
    closed_at: closedAt,
    labels: labelsOf(issue),
    creator_name: personOf(issue.objectOrNull('author')).person_login,
    sprint_name: sprintOf(issue.objectOrNull('iteration')),
  };
}

/** Whether work has begun stands in labels and boards of each company's own, which say it in its own words. */
function statusOf(issue: Payload): 'backlog' | 'completed' | 'canceled' {
  if (issue.text('state') !== 'closed') return 'backlog';
  const isElsewhere = issue.has('moved_to_id') || issue.objectOrNull('_links')?.has('closed_as_duplicate_of');
  return isElsewhere ? 'canceled' : 'completed';
}

/** Iterations that GitLab plans by itself have no title. */
const sprintOf = (iteration: Payload | null): string | null =>
  iteration && (iteration.textOrNull('title') ?? `Iteration ${iteration.integer('iid')}`);

/** What people wrote. Notes of GitLab itself are left out. */
export const issueCommentRecords = (issueId: string, payloads: readonly unknown[]) =>
  payloads
    .map((payload) => Payload.of(payload, 'note'))
    .filter((note) => !note.isTrue('system'))
    .map((note) => ({
      issue_comment_id: `${issueId}:comment:${note.id('id')}`,
      issue_id: issueId,
      source: 'gitlab',
      ...personOf(note.objectOrNull('author')),
      comment: note.textOrNull('body'),
      created_at: note.time('created_at'),
    }));
