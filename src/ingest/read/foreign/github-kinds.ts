import type { FieldValues } from '../../../catalogue/field-values.ts';
import type { RecordTable } from '../../../catalogue/record-tables.ts';

export const isObject = (value: unknown): value is FieldValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the address of a page of GitHub shows. */
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
const shownAt = (address: unknown): RecordTable | undefined =>
  typeof address === 'string' ? pages.find(([page]) => page.test(address))?.[1] : undefined;

/** A record of one of GitHub's own tools: which of them wrote it, and the table that it is of, where it says so. */
export interface ToolRecord {
  readonly tool: 'api' | 'list';
  readonly table: RecordTable | undefined;
}

/** Nothing for what another tool wrote. */
export function toolRecordOf(value: FieldValues): ToolRecord | undefined {
  if (isOfApi(value)) return { tool: 'api', table: shownAt(value.html_url) };
  if (isDeployment(value)) return { tool: 'api', table: 'deployments' };
  if (isRunOfList(value)) return { tool: 'list', table: 'workflow_runs' };
  if (isReleaseOfList(value)) return { tool: 'list', table: 'release_details' };
  return isOfList(value) ? { tool: 'list', table: shownAt(value.url) } : undefined;
}

/** As `gh api` writes it: GitHub's REST interface. */
const isOfApi = (value: FieldValues): boolean =>
  typeof value.html_url === 'string' &&
  ('node_id' in value || ['user', 'actor', 'author'].some((name) => isObject(value[name])));

const isDeployment = (value: FieldValues): boolean =>
  'statuses_url' in value && 'environment' in value && 'sha' in value;

/** As `gh run list --json` writes it. */
const isRunOfList = (value: FieldValues): boolean =>
  'createdAt' in value && (typeof value.databaseId === 'number' || shownAt(value.url) === 'workflow_runs');

/** As `gh release list --json` and `gh release view --json` write it. */
const isReleaseOfList = (value: FieldValues): boolean =>
  typeof value.tagName === 'string' &&
  ['createdAt', 'publishedAt', 'isDraft', 'isPrerelease', 'isLatest'].some((name) => name in value);

/** As `gh pr list --json` and `gh issue list --json` write it. Rows of other tools have some of the same names, and texts where `gh` has numbers and objects. */
function isOfList(value: FieldValues): boolean {
  if (typeof value.number !== 'number') return false;
  if (['author', 'repo', 'repository'].some((name) => typeof value[name] === 'string')) return false;
  const isNamedSo = ['createdAt', 'isDraft', 'headRefName', 'stateReason'].some((name) => name in value);
  return isNamedSo || isObject(value.author) || Array.isArray(value.assignees);
}
