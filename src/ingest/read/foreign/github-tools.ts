import type { FieldValues } from '../../../catalogue/field-values.ts';
import { placeOfShortId, pullRequestId } from '../../../catalogue/record-ids.ts';
import { type RecordTable, recordShapeFor } from '../../../catalogue/record-tables.ts';
import { personOf } from '../../../sources/github/convert/account.ts';
import { Payload, UnknownShape } from '../../../sources/payload.ts';
import { isObject, type ToolRecord, toolRecordOf } from './github-kinds.ts';
import { apiConversions, listConversions, repositoryNamed } from './github-listings.ts';

/** What becomes of something that one of GitHub's own tools wrote: a record, something left out, or why it cannot be one. */
type ToolReading = { readonly record: FieldValues } | { readonly leftOut: string } | { readonly problem: string };

/**
 * A record as `gh api` or one of the lists of `gh` with `--json` write it, with the names that fields have here. Nothing for
 * any other. What these formats have beside it is left out: they are known, and nobody typed them. `set` is what is said of
 * every record.
 */
export function fromGithubTool(table: RecordTable, value: FieldValues, set: FieldValues): ToolReading | undefined {
  const unusable = unusableAnswer(value);
  if (unusable !== undefined) return { problem: unusable };
  const found = toolRecordOf(value);
  if (!found) return undefined;
  if (found.table !== undefined && found.table !== table) return ofAnotherTable(table, found.table);
  if (table === 'deployments') return { problem: withoutStatus };
  try {
    return converted(table, found, value, set);
  } catch (error) {
    if (error instanceof UnknownShape) return { problem: `${error.message}.${fieldsHint[found.tool]}` };
    throw error;
  }
}

/** GitHub lists these together. */
const listedTogether: readonly (readonly RecordTable[])[] = [
  ['pull_requests', 'issues'],
  ['pull_request_comments', 'issue_comments'],
];

function ofAnotherTable(table: RecordTable, other: RecordTable): ToolReading {
  const isExpected = listedTogether.some((tables) => tables.includes(table) && tables.includes(other));
  if (isExpected) return { leftOut: `of ${other}, which --table ${other} imports` };
  const { one } = recordShapeFor(other);
  return {
    problem: `is ${one} as GitHub writes it, and not ${recordShapeFor(table).one}: import it with --table ${other}`,
  };
}

const withoutStatus =
  'GitHub lists deployments without saying how they ended, so they cannot be imported: `plumb source add github` reads how each ended as well';

const fieldsHint: Readonly<Record<ToolRecord['tool'], string>> = {
  api: ' Hand over what GitHub answers as it is, without --jq',
  list: ' Add it to the fields after --json',
};

/** Answers of `gh api` that hold no records as they are. */
function unusableAnswer(value: FieldValues): string | undefined {
  if ('documentation_url' in value && typeof value.message === 'string') {
    return `GitHub refused what gh asked (${value.message.slice(0, 200)}): ask again with a token that may see it`;
  }
  const isGraphql = isObject(value.data) && Object.keys(value).every((name) => ['data', 'errors'].includes(name));
  return isGraphql
    ? "is an answer of GraphQL, whose form depends on its query: hand over its records alone, as --jq '.data.repository.pullRequests.nodes[]' does"
    : undefined;
}

function converted(
  table: RecordTable,
  { tool }: ToolRecord,
  value: FieldValues,
  set: FieldValues,
): ToolReading | undefined {
  const convert = (tool === 'api' ? apiConversions : listConversions)[table];
  if (convert && !(table === 'issues' && isPart(value))) {
    const address = tool === 'api' ? value.html_url : value.url;
    const name = repositoryIn(value) ?? repositoryAt(address) ?? textIn(set, 'repository');
    if (name === undefined && table !== 'pull_request_commits') return { problem: noRepository };
    const pullRequest = pullRequestAt(address) ?? githubId(textIn(set, 'pr_id'));
    if (pullRequest === undefined && table.startsWith('pull_request_')) return { problem: noPullRequest };
    const record = convert(repositoryNamed(name ?? '', value), value, pullRequest ?? '');
    return record === null ? { leftOut: 'that only their authors see yet (drafts)' } : { record };
  }
  if (table !== 'pull_requests' && table !== 'issues') return undefined;
  const named = tool === 'api' ? ofApi(value) : ofList(value);
  const isPlaced = repositoryIn(value) ?? repositoryAt(named.url) ?? textIn(set, 'repository');
  if (isPlaced === undefined && ['pr_id', 'pr_url', 'issue_id', 'issue_key'].every((name) => !textIn(set, name))) {
    return { problem: table === 'issues' ? noAddress : `${noAddress}, or --set repository=owner/name to the command` };
  }
  return { record: table === 'issues' ? issueOf(named) : pullRequestOf(named) };
}

const noRepository = 'does not say which repository it is of: add --set repository=owner/name';
const noAddress = 'does not say which repository it is of: add url to the fields after --json';
const noPullRequest = 'does not say which pull request it is of: add --set pr_id=owner/name#7';

/** An issue of which `--jq` has kept a part only. */
const isPart = (value: FieldValues): boolean =>
  !['number', 'state', 'created_at', 'labels'].every((name) => name in value);

const textIn = (fields: FieldValues, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
const repositoryIn = ({ repository }: FieldValues): string | undefined =>
  isObject(repository) ? (textIn(repository, 'full_name') ?? textIn(repository, 'nameWithOwner')) : undefined;
const repositoryAt = (address: unknown): string | undefined =>
  /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\//.exec(String(address))?.[1];

/** What GitHub's tools write is GitHub's: a short id is one there. */
function githubId(id: string | undefined): string | undefined {
  const place = placeOfShortId(id);
  return place ? pullRequestId('github', place.repository, place.number) : id;
}

function pullRequestAt(address: unknown): string | undefined {
  const [, number] = /\/pull\/(\d+)/.exec(String(address)) ?? [];
  const repository = repositoryAt(address);
  return number === undefined || repository === undefined ? undefined : `github:${repository}#${number}`;
}

/** Both formats with the same names. */
interface NamedFields {
  readonly repository: unknown;
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

function ofApi(value: FieldValues): NamedFields {
  return {
    repository: undefined,
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

function ofList(value: FieldValues): NamedFields {
  return {
    // Only searches name it.
    repository: repositoryIn(value),
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

function personIn(account: unknown): FieldValues {
  if (!isObject(account)) return {};
  if ('type' in account) return { ...personOf(Payload.of(account, 'account')) };
  // `gh` writes the login of an app as app/name, where the API has name[bot].
  const login = typeof account.login === 'string' ? account.login.replace(/^app\/(.+)$/, '$1[bot]') : undefined;
  return { person_login: login, person_name: account.name || undefined, person_is_bot: account.is_bot };
}

function pullRequestOf(named: NamedFields): FieldValues {
  return withoutUndefined({
    source: 'github',
    repository: named.repository,
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

function issueOf(named: NamedFields): FieldValues {
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

const withoutUndefined = (fields: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
