import { type FieldValues, isObject } from '../../../../catalogue/field-values.ts';
import { placeOfShortId, pullRequestId } from '../../../../catalogue/record-ids.ts';
import { type RecordTable, recordShapeFor } from '../../../../catalogue/record-tables.ts';
import { personOf } from '../../../../sources/github/convert/account.ts';
import { convertRelease, convertWorkflowRun } from '../../../../sources/github/convert/delivery.ts';
import { convertIssue, convertIssueComment } from '../../../../sources/github/convert/issue.ts';
import {
  convertComment,
  convertCommit,
  convertReview,
  convertReviewComment,
} from '../../../../sources/github/convert/pull-request.ts';
import type { Repository } from '../../../../sources/github/convert/repository.ts';
import { Payload, UnknownShape } from '../../../../sources/payload.ts';

/** `gh api` writes records as the REST interface does, lists such as `gh pr list --json` with names of their own. */
type GithubTool = 'api' | 'list';

/** The table of the record that the address of a page of GitHub shows. */
const pages: readonly (readonly [RegExp, RecordTable])[] = [
  [/\/pull\/\d+#pullrequestreview-\d+$/, 'pull_request_reviews'],
  [/\/pull\/\d+(?:\/\w+)?#(?:issuecomment-|discussion_r|r)\d+$/, 'pull_request_comments'],
  [/\/issues\/\d+#issuecomment-\d+$/, 'issue_comments'],
  [/\/pull\/\d+$/, 'pull_requests'],
  [/\/issues\/\d+$/, 'issues'],
  [/\/actions\/runs\/\d+$/, 'workflow_runs'],
  [/\/releases\/tag\/[^/]+$/, 'release_details'],
  [/\/commits?\/[0-9a-f]{7,64}$/, 'pull_request_commits'],
];

/** GitHub lists these together. */
const listedTogether: readonly (readonly RecordTable[])[] = [
  ['pull_requests', 'issues'],
  ['pull_request_comments', 'issue_comments'],
];

/** Null for what nobody but its author sees yet. */
type Convert = (repository: Repository, value: FieldValues, pullRequest: string) => FieldValues | null;

/** Payloads that the connector reads are converted as the connector does it. */
const conversions: Partial<Record<RecordTable, Convert>> = {
  issues: convertIssue,
  issue_comments: convertIssueComment,
  pull_request_reviews: (_, value, pullRequest) => convertReview(pullRequest, value),
  pull_request_comments: (_, value, pullRequest) =>
    'path' in value ? convertReviewComment(pullRequest, value) : convertComment(pullRequest, value),
  pull_request_commits: (_, value, pullRequest) => convertCommit(pullRequest, value),
  workflow_runs: convertWorkflowRun,
  release_details: convertRelease,
};

/** Keys that the service makes of other fields: it knows under which name it first saw a repository. */
const madeKeys: Partial<Record<RecordTable, string>> = {
  issues: 'issue_id',
  workflow_runs: 'workflow_run_id',
  release_details: 'release_id',
};

/** The fields of a record that count only where the list has the field from which conversions take them. */
const onlyWhereListed: ReadonlyMap<string, string> = new Map([
  ['run_conclusion', 'conclusion'],
  ['associated_pr_ids', 'pull_requests'],
  ['is_prerelease', 'isPrerelease'],
]);

const fieldsHint: Readonly<Record<GithubTool, string>> = {
  api: ' Hand over what GitHub answers as it is, without --jq',
  list: ' Add it to the fields after --json',
};
const withoutStatus =
  'GitHub lists deployments without saying how they ended, so they cannot be imported: `plumb source add github` reads how each ended as well';
const noRepository = 'does not say which repository it is of: add --set repository=owner/name';
const noAddress = 'does not say which repository it is of: add url to the fields after --json';
const noPullRequest = 'does not say which pull request it is of: add --set pr_id=owner/name#7';

/**
 * The outcome for an item that one of GitHub's own tools wrote: a record, something left out, or why it cannot be one.
 */
type ToolReading = { readonly record: FieldValues } | { readonly leftOut: string } | { readonly problem: string };

/**
 * A record of one of GitHub's own tools, with the names that fields have here. Nothing for any other. What these formats
 * have beside it is left out: they are known, and nobody typed them. `set` is what is said of every record.
 */
export function fromGithubTool(table: RecordTable, value: FieldValues, set: FieldValues): ToolReading | undefined {
  const unusable = unusableAnswer(value);
  if (unusable !== undefined) return { problem: unusable };
  const [tool, found] = writtenBy(value);
  if (!tool) return undefined;
  if (found !== undefined && found !== table) return ofAnotherTable(table, found);
  if (table === 'deployments') return { problem: withoutStatus };
  try {
    return tool === 'api' ? converted(table, value, set) : fromList(table, value, set);
  } catch (error) {
    if (error instanceof UnknownShape) return { problem: `${error.message}.${fieldsHint[tool]}` };
    throw error;
  }
}

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

/** The tool that wrote a record and the table that the record is of, where it says so. */
function writtenBy(value: FieldValues): readonly [tool?: GithubTool, table?: RecordTable | undefined] {
  const has = (...names: string[]) => names.some((name) => name in value);
  const shownAt = (address: unknown) =>
    typeof address === 'string' ? pages.find(([page]) => page.test(address))?.[1] : undefined;
  const isOfApi = has('node_id') || ['user', 'actor', 'author'].some((name) => isObject(value[name]));
  if (typeof value.html_url === 'string' && isOfApi) return ['api', shownAt(value.html_url)];
  if (['statuses_url', 'environment', 'sha'].every((name) => has(name))) return ['api', 'deployments'];
  const listed = shownAt(value.url);
  if (has('createdAt') && (typeof value.databaseId === 'number' || listed === 'workflow_runs')) {
    return ['list', 'workflow_runs'];
  }
  if (typeof value.tagName === 'string' && has('createdAt', 'publishedAt', 'isDraft', 'isPrerelease', 'isLatest')) {
    return ['list', 'release_details'];
  }
  // Rows of other tools have some of the names of pull requests and issues, and texts where `gh` has numbers and objects.
  if (typeof value.number !== 'number') return [];
  if (['author', 'repo', 'repository'].some((name) => typeof value[name] === 'string')) return [];
  const isOfList = has('createdAt', 'isDraft', 'headRefName', 'stateReason');
  return isOfList || isObject(value.author) || Array.isArray(value.assignees) ? ['list', listed] : [];
}

function ofAnotherTable(table: RecordTable, other: RecordTable): ToolReading {
  const isExpected = listedTogether.some((tables) => tables.includes(table) && tables.includes(other));
  if (isExpected) return { leftOut: `of ${other}, which --table ${other} imports` };
  const { one } = recordShapeFor(other);
  return {
    problem: `is ${one} as GitHub writes it, and not ${recordShapeFor(table).one}: import it with --table ${other}`,
  };
}

/** A record of a list holds only the fields of the request: others stay as they are stored. */
function fromList(table: RecordTable, value: FieldValues, set: FieldValues): ToolReading | undefined {
  const isMadeHere = table === 'pull_requests' || table === 'issues';
  if (isMadeHere) return gathered(table, restForm(value), set);
  if (table !== 'workflow_runs' && table !== 'release_details') return undefined;
  const reading = converted(table, restForm(value), set);
  if (!reading || !('record' in reading)) return reading;
  const said = Object.entries(reading.record).filter(([name, cell]) => {
    const listed = onlyWhereListed.get(name);
    return listed === undefined ? cell !== null : listed in value;
  });
  return { record: Object.fromEntries(said) };
}

/** A record of a list, with the names of the REST interface: `createdAt` is `created_at` there. No list has such names itself. */
function restForm(value: FieldValues): FieldValues {
  const [, runNumber] = /\/runs\/(\d+)/.exec(String(value.url)) ?? [];
  const underscored = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const own = Object.entries(value).filter(([name]) => !name.includes('_'));
  return {
    ...Object.fromEntries(own.map(([name, cell]) => [underscored(name), cell])),
    // Only searches have this field.
    nameWithOwner: repositoryIn(value),
    html_url: value.url,
    id: value.databaseId ?? runNumber,
    name: value.workflowName || value.name,
    user: value.author,
    assignee: undefined,
    draft: value.isDraft,
    prerelease: value.isPrerelease,
    created_at: value.createdAt ?? value.publishedAt,
    run_number: value.number,
    run_attempt: value.attempt,
    run_started_at: value.startedAt,
    base: { ref: value.baseRefName },
    head: { ref: value.headRefName },
  };
}

function converted(table: RecordTable, value: FieldValues, set: FieldValues): ToolReading | undefined {
  // `--jq` may have kept only a part of each issue.
  const isWhole = ['number', 'state', 'created_at', 'labels'].every((name) => name in value);
  if (table === 'pull_requests' || (table === 'issues' && !isWhole)) return gathered(table, value, set);
  const convert = conversions[table];
  if (!convert) return undefined;
  const name = repositoryOf(value, set);
  if (name === undefined && table !== 'pull_request_commits') return { problem: noRepository };
  const pullRequest = pullRequestAt(value.html_url) ?? githubId(textIn(set, 'pr_id'));
  if (pullRequest === undefined && table.startsWith('pull_request_')) return { problem: noPullRequest };
  const record = convert(repositoryNamed(name ?? '', value), value, pullRequest ?? '');
  if (record === null) return { leftOut: 'that only their authors see yet (drafts)' };
  // The number of a run is in its address; without the address the key has to say it.
  const isKeyNeeded = table === 'workflow_runs' && typeof value.html_url !== 'string';
  const { [isKeyNeeded ? '' : (madeKeys[table] ?? '')]: _made, ...others } = record;
  return { record: others };
}

/** A pull request or an issue, of as many fields as there are. */
function gathered(table: 'pull_requests' | 'issues', value: FieldValues, set: FieldValues): ToolReading {
  const isPlaced = ['pr_id', 'pr_url', 'issue_id', 'issue_key'].some((name) => textIn(set, name) !== undefined);
  if (!isPlaced && repositoryOf(value, set) === undefined) {
    return { problem: table === 'issues' ? noAddress : `${noAddress}, or --set repository=owner/name to the command` };
  }
  const fields = table === 'issues' ? issueOf(value) : pullRequestOf(value);
  return { record: Object.fromEntries(Object.entries(fields).filter(([, cell]) => cell !== undefined)) };
}

function pullRequestOf(value: FieldValues): FieldValues {
  const { labels, files } = value;
  return {
    source: 'github',
    repository: value.nameWithOwner,
    pr_number: value.number,
    pr_title: value.title,
    pr_url: value.html_url,
    pr_body: value.body,
    pr_state: value.state,
    ...personIn(value.user),
    is_draft: value.draft,
    pr_created_at: value.created_at,
    // Pull requests among issues have their own times further in.
    pr_merged_at: 'merged_at' in value ? value.merged_at : inside(value.pull_request, 'merged_at'),
    pr_closed_at: value.closed_at,
    additions: value.additions,
    deletions: value.deletions,
    changed_files: value.changed_files,
    base_branch: inside(value.base, 'ref'),
    head_branch: inside(value.head, 'ref'),
    // Before the merge the REST interface has a commit here that GitHub made to try it.
    merge_commit_sha: inside(value.merge_commit, 'oid') ?? (value.merged_at ? value.merge_commit_sha : undefined),
    labels: labelNames(labels),
    files: Array.isArray(files)
      ? files.filter(isObject).map(({ path, additions, deletions }) => ({ path, additions, deletions }))
      : undefined,
  };
}

function issueOf(value: FieldValues): FieldValues {
  const isClosed = String(value.state).toLowerCase() === 'closed';
  const isCanceled = isClosed && ['not_planned', 'duplicate'].includes(String(value.state_reason).toLowerCase());
  const status = isCanceled ? 'canceled' : isClosed ? 'completed' : 'backlog';
  return {
    source: 'github',
    issue_title: value.title,
    issue_url: value.html_url,
    issue_body: value.body,
    ticket_status: value.state === undefined ? undefined : status,
    ...personIn(value.assignee ?? (Array.isArray(value.assignees) ? value.assignees[0] : undefined)),
    created_at: value.created_at,
    closed_at: value.closed_at,
    completed_at: status === 'completed' ? value.closed_at : undefined,
    labels: labelNames(value.labels),
  };
}

function personIn(account: unknown): FieldValues {
  if (!isObject(account)) return {};
  if ('type' in account) return { ...personOf(Payload.of(account, 'account')) };
  // `gh` writes the login of an app as app/name, where the API has name[bot].
  const login = typeof account.login === 'string' ? account.login.replace(/^app\/(.+)$/, '$1[bot]') : undefined;
  return { person_login: login, person_name: account.name || undefined, person_is_bot: account.is_bot };
}

const labelNames = (labels: unknown): unknown =>
  Array.isArray(labels) ? labels.map((label) => (isObject(label) ? label.name : label)) : undefined;

const inside = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const textIn = (fields: FieldValues, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const repositoryOf = (value: FieldValues, set: FieldValues): string | undefined =>
  repositoryIn(value) ?? repositoryAt(value.html_url) ?? textIn(set, 'repository');
const repositoryIn = ({ repository }: FieldValues): string | undefined =>
  isObject(repository) ? (textIn(repository, 'full_name') ?? textIn(repository, 'nameWithOwner')) : undefined;
const repositoryAt = (address: unknown): string | undefined =>
  /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\//.exec(String(address))?.[1];

/** A repository as conversions need it. Its first name is looked up where ids are made. */
function repositoryNamed(name: string, value: FieldValues): Repository {
  const id = isObject(value.repository) ? String(value.repository.id ?? '') : '';
  return { id, name, firstName: name, defaultBranch: null, createdAt: '' };
}

/** Items of GitHub's tools are GitHub's: a short id is one there. */
function githubId(id: string | undefined): string | undefined {
  const place = placeOfShortId(id);
  return place ? pullRequestId('github', place.repository, place.number) : id;
}

function pullRequestAt(address: unknown): string | undefined {
  const [, number] = /\/pull\/(\d+)/.exec(String(address)) ?? [];
  const repository = repositoryAt(address);
  return number === undefined || repository === undefined ? undefined : `github:${repository}#${number}`;
}
