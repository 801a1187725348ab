import { Payload } from '../../payload.ts';
import { personOf } from './account.ts';
import { numberedId, partId, type Repository } from './repository.ts';

/** Null for a pull request: GitHub lists them as issues too. */
export function convertIssue(repository: Repository, payload: unknown) {
  const issue = Payload.of(payload, 'issue');
  if (issue.has('pull_request')) return null;
  const number = issue.integer('number');
  const closedAt = issue.timeOrNull('closed_at');
  const status = statusOf(issue);
  return {
    issue_id: numberedId(repository, number),
    issue_key: `${repository.name}#${number}`,
    issue_title: issue.textOrNull('title'),
    issue_url: issue.textOrNull('html_url'),
    issue_body: issue.textOrNull('body'),
    issue_type: issue.objectOrNull('type')?.textOrNull('name') ?? null,
    source: 'github',
    project_id: `github:${repository.firstName}`,
    project_name: repository.name,
    ...personOf(assigneeOf(issue)),
    ticket_status: status,
    status_name: issue.textOrNull('state_reason') ?? issue.text('state'),
    created_at: issue.time('created_at'),
    completed_at: status === 'completed' ? closedAt : null,
    closed_at: closedAt,
    labels: issue.list('labels').map((label) => label.text('name')),
    creator_name: personOf(issue.objectOrNull('user')).person_login,
    parent_issue_id: parentOf(repository, issue),
  };
}

/** Whether work on an open issue has started stands on a project board, which this interface does not have. */
function statusOf(issue: Payload): 'backlog' | 'completed' | 'canceled' {
  if (issue.text('state') === 'open') return 'backlog';
  const reason = issue.textOrNull('state_reason');
  return reason === 'not_planned' || reason === 'duplicate' ? 'canceled' : 'completed';
}

/** The first of several, whom the older field repeats. */
const assigneeOf = (issue: Payload): Payload | null => issue.list('assignees')[0] ?? issue.objectOrNull('assignee');

/** Only within the repository: the first name of another one is not known here. */
function parentOf(repository: Repository, issue: Payload): string | null {
  const [, name, number] =
    /\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)$/.exec(issue.textOrNull('parent_issue_url') ?? '') ?? [];
  return name?.toLowerCase() === repository.name.toLowerCase() ? numberedId(repository, Number(number)) : null;
}

/** Null for a comment on a pull request, which is read with it. */
export function convertIssueComment(repository: Repository, payload: unknown) {
  const comment = Payload.of(payload, 'issue comment');
  if (/\/pull\/\d+#/.test(comment.textOrNull('html_url') ?? '')) return null;
  const [, number] = /\/issues\/(\d+)$/.exec(comment.text('issue_url')) ?? [];
  const issueId = numberedId(repository, Number(number));
  return {
    issue_comment_id: partId(issueId, 'comment', comment.id('id')),
    issue_id: issueId,
    source: 'github',
    ...personOf(comment.objectOrNull('user')),
    comment: comment.textOrNull('body'),
    created_at: comment.time('created_at'),
  };
}
