import type { RecordTable } from '../../../catalogue/record-tables.ts';
import type { Fields } from './complete-record.ts';

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A record as `gh pr list --json`, `gh issue list --json` or `gh api` write it, with the names that fields have here.
 * Nothing for any other. What these formats have beside it is left out: they are known, and nobody typed them.
 */
export function fromGithubTool(table: RecordTable, value: unknown): Fields | undefined {
  if (!isObject(value) || (table !== 'pull_requests' && table !== 'issues')) return undefined;
  const isOfApi = 'html_url' in value && ('node_id' in value || 'user' in value);
  if (!isOfApi && !isOfList(value)) return undefined;
  const named = isOfApi ? ofApi(value) : ofList(value);
  return table === 'issues' ? issueOf(named) : pullRequestOf(named);
}

/** Rows of other tools have some of the same names, and texts where `gh` has numbers and objects. */
function isOfList(value: Fields): boolean {
  if (typeof value.number !== 'number') return false;
  if (['author', 'repo', 'repository'].some((name) => typeof value[name] === 'string')) return false;
  const isNamedSo = ['createdAt', 'isDraft', 'headRefName', 'stateReason'].some((name) => name in value);
  return isNamedSo || isObject(value.author) || Array.isArray(value.assignees);
}

/** Both formats with the same names. */
interface NamedFields {
  readonly number: unknown;
  readonly title: unknown;
  readonly url: unknown;
  readonly body: unknown;
  readonly state: unknown;
  readonly stateReason: unknown;
  readonly author: unknown;
  readonly assignee: unknown;
  readonly draft: unknown;
  readonly createdAt: unknown;
  readonly mergedAt: unknown;
  readonly closedAt: unknown;
  readonly additions: unknown;
  readonly deletions: unknown;
  readonly changedFiles: unknown;
  readonly base: unknown;
  readonly head: unknown;
  readonly mergeCommit: unknown;
  readonly labels: unknown;
  readonly files: unknown;
}

const inside = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

function ofApi(value: Fields): NamedFields {
  return {
    number: value.number,
    title: value.title,
    url: value.html_url,
    body: value.body,
    state: value.state,
    stateReason: value.state_reason,
    author: value.user,
    assignee: value.assignee ?? first(value.assignees),
    draft: value.draft,
    createdAt: value.created_at,
    // Pull requests among issues have their own times further in.
    mergedAt: 'merged_at' in value ? value.merged_at : inside(value.pull_request, 'merged_at'),
    closedAt: value.closed_at,
    additions: value.additions,
    deletions: value.deletions,
    changedFiles: value.changed_files,
    base: inside(value.base, 'ref'),
    head: inside(value.head, 'ref'),
    // Before the merge this is a commit that GitHub made to try it.
    mergeCommit: value.merged_at ? value.merge_commit_sha : undefined,
    labels: value.labels,
    files: undefined,
  };
}

function ofList(value: Fields): NamedFields {
  return {
    number: value.number,
    title: value.title,
    url: value.url,
    body: value.body,
    state: value.state,
    stateReason: value.stateReason,
    author: value.author,
    assignee: first(value.assignees),
    draft: value.isDraft,
    createdAt: value.createdAt,
    mergedAt: value.mergedAt,
    closedAt: value.closedAt,
    additions: value.additions,
    deletions: value.deletions,
    changedFiles: value.changedFiles,
    base: value.baseRefName,
    head: value.headRefName,
    mergeCommit: inside(value.mergeCommit, 'oid'),
    labels: value.labels,
    files: value.files,
  };
}

const labelNames = (labels: unknown): unknown =>
  Array.isArray(labels) ? labels.map((label) => (isObject(label) ? label.name : label)) : undefined;

const changedFiles = (files: unknown): unknown =>
  Array.isArray(files)
    ? files.filter(isObject).map(({ path, additions, deletions }) => ({ path, additions, deletions }))
    : undefined;

function personIn(account: unknown): Fields {
  if (!isObject(account)) return {};
  const isBot = account.is_bot ?? (account.type === undefined ? undefined : account.type === 'Bot');
  // `gh` writes the login of an app as app/name, where the API has name[bot].
  const login = typeof account.login === 'string' ? account.login.replace(/^app\/(.+)$/, '$1[bot]') : undefined;
  return { person_login: login, person_name: account.name || undefined, person_is_bot: isBot };
}

function pullRequestOf(named: NamedFields): Fields {
  return withoutUndefined({
    source: 'github',
    pr_number: named.number,
    pr_title: named.title,
    pr_url: named.url,
    pr_body: named.body,
    pr_state: named.state,
    ...personIn(named.author),
    is_draft: named.draft,
    pr_created_at: named.createdAt,
    pr_merged_at: named.mergedAt,
    pr_closed_at: named.closedAt,
    additions: named.additions,
    deletions: named.deletions,
    changed_files: named.changedFiles,
    base_branch: named.base,
    head_branch: named.head,
    merge_commit_sha: named.mergeCommit,
    labels: labelNames(named.labels),
    files: changedFiles(named.files),
  });
}

function issueOf(named: NamedFields): Fields {
  const isClosed = String(named.state).toLowerCase() === 'closed';
  const reason = String(named.stateReason ?? '').toLowerCase();
  const isCanceled = isClosed && (reason === 'not_planned' || reason === 'duplicate');
  const status = isCanceled ? 'canceled' : isClosed ? 'completed' : 'backlog';
  return withoutUndefined({
    source: 'github',
    issue_title: named.title,
    issue_url: named.url,
    issue_body: named.body,
    ticket_status: named.state === undefined ? undefined : status,
    ...personIn(named.assignee),
    created_at: named.createdAt,
    closed_at: named.closedAt,
    completed_at: status === 'completed' ? named.closedAt : undefined,
    labels: labelNames(named.labels),
  });
}

const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
