import type { RecordShape } from '../../../catalogue/record.ts';
import type { RecordTable } from '../../../catalogue/record-tables.ts';
import { originOf, type Table } from '../../../catalogue/table.ts';
import { factTables, isFactTable } from '../../../catalogue/tables/all-tables.ts';
import { nearest } from '../../../nearest.ts';

/** A heading without regard to case, spaces and signs: `Created At`, `createdAt` and `created-at` are one. */
export const headingKey = (heading: string): string =>
  heading
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    // One at most is left at either end.
    .replace(/^_|_$/g, '')
    // `Created At (UTC)`: times without a zone are in UTC anyway.
    .replace(/_utc$/, '');

/** The keys of headings with commas between. */
export const headingKeys = (headings: string): readonly string[] => headings.split(',').map(headingKey);

const lettersOf = (key: string): string => key.replaceAll('_', '');

/** The names of things that tools write before the names of fields, or leave out. */
const subjects =
  /^(pull_request|merge_request|pr|mr|issue|ticket|workflow_run|run|release|deployment|incident|review|comment|commit)_(?=.)/;
const withoutSubject = (key: string): string => key.replace(subjects, '');

/** Somebody by email address, login or name: the fields of a person follow from the value. */
export const personHeading = 'person';
/** Headings of other tools, and the field that they mean: of several, the first that a table has. */
const otherNames: Readonly<Record<string, string>> = {
  iid: 'pr_number',
  'repo, repo_name, repository_name, repository_full_name, project_path': 'repository',
  project: 'repository, project_name',
  'host, provider, vendor': 'source',
  'html_url, web_url, link': 'pr_url, issue_url',
  description: 'pr_body, issue_body, review_body, notes',
  status: 'pr_state, ticket_status, run_status, review_state',
  state: 'ticket_status',
  draft: 'is_draft',
  'created, created_date': 'pr_created_at, created_at, run_created_at',
  'opened, opened_at, open_date, creation_date': 'pr_created_at, created_at',
  'merged, merged_date, merge_date': 'pr_merged_at',
  'closed, closed_date, close_date': 'pr_closed_at, closed_at',
  'resolved, resolved_at': 'completed_at, resolved_at',
  'first_commit, first_commit_date': 'first_commit_at',
  'first_review, first_review_date, first_reviewed_at': 'first_review_at',
  last_commit: 'last_commit_at',
  'ready_for_review, ready_for_review_at': 'ready_at',
  submitted_at: 'reviewed_at',
  published_at: 'release_date',
  'lines_added, added_lines': 'additions',
  'lines_deleted, lines_removed, deleted_lines': 'deletions',
  files_changed: 'changed_files',
  'base, base_ref, base_ref_name, target_branch': 'base_branch',
  'head, head_ref, head_ref_name, source_branch': 'head_branch',
  merge_commit: 'merge_commit_sha',
  tags: 'labels',
  key: 'issue_key',
  type: 'issue_type',
  summary: 'issue_title',
  'points, estimate': 'story_points',
  sprint: 'sprint_name',
  conclusion: 'run_conclusion',
  workflow: 'workflow_name',
  'tag, tag_name': 'version',
  'email, email_address': 'main_email, person_email',
  author_email: 'person_email',
  'github, github_login': 'github_username',
  login: `github_username, ${personHeading}`,
  'author_login, author_username, user_login': personHeading,
  author_name: 'person_name',
  full_name: 'name',
  job_title: 'role',
  team: 'teams, team_name',
  manager: 'manager_email',
};

/** Headings that name the person, in any table with people. The author of an issue is not the person it counts for. */
const people = ['author', 'user', 'username', 'user_name', 'developer', 'contributor', 'created_by', 'opened_by'];
const peopleOf: Readonly<Record<string, readonly string[]>> = {
  pull_requests: [...people, 'creator', 'owner'],
  pull_request_reviews: [...people, 'reviewer', 'reviewed_by'],
  pull_request_comments: [...people, 'commenter'],
  pull_request_commits: [...people, 'committer'],
  issues: ['user', 'username', 'assignee', 'assigned_to'],
  issue_comments: [...people, 'commenter'],
  workflow_runs: [...people, 'actor', 'triggered_by'],
  deployments: [...people, 'deployer', 'deployed_by'],
  release_details: [...people, 'publisher', 'published_by'],
};

/** The place of a part of a pull request: it gives the `pr_id`, and is not stored. */
const partPlaces = ['repository', 'pr_number', 'pr_url', 'source'];

/** The measures of pull requests that other tools call by names of their own. */
const measuredElsewhere = headingKeys(
  `comments, commits, deploy time, first approval to merge, first to last review, feature lead time, open to merge,
   pr size, progress time, review depth, reviews, size, time in merge, time in progress, time in review,
   time to deploy, time to first review, time to merge, total time`,
);
const unit = /_(?:h|hrs|hours|d|days|m|min|mins|minutes|s|sec|secs|seconds)$/;

/** Whether a heading names something that is worked out here from what else is known, and so is not imported. */
export function isMeasuredHere(table: RecordTable, heading: string): boolean {
  if (!isFactTable(table)) return false;
  const key = headingKey(heading).replace(unit, '');
  if (table === 'pull_requests' && measuredElsewhere.includes(key)) return true;
  const { columns }: Table = factTables[table];
  const column = Object.hasOwn(columns, key) ? columns[key] : undefined;
  return column !== undefined && ['derived', 'inherited', 'read'].includes(originOf(column));
}

/** A name that is understood, and the field that it means. */
interface LikelyName {
  readonly name: string;
  readonly field: string;
}

/** `title (pr_title)`, or the name alone where it is the field itself or one of several fields of a person. */
export const namedWithField = ({ name, field }: LikelyName): string =>
  field === name || field === personHeading ? name : `${name} (${field})`;

/** Finds the field that a heading means. */
export class HeadingNames {
  readonly #shape: RecordShape;
  readonly #known: ReadonlyMap<string, string>;
  /** Fields by the letters of their names alone, for headings without anything between words: `CREATEDAT`. */
  readonly #byLetters: ReadonlyMap<string, string>;

  /** `headings` are those of the file: where one is a field itself, the name that the field had once does not mean it. */
  constructor(shape: RecordShape, headings: readonly string[]) {
    this.#shape = shape;
    const known = new Map<string, string>();
    const add = (key: string, field: string) => known.has(key) || known.set(key, field);
    const own = [...Object.keys(shape.fields), ...Object.keys(shape.ignoredFields ?? {}), '_deleted'];
    for (const name of own) known.set(name === '_deleted' ? name : headingKey(name), name);
    for (const [alias, field] of Object.entries(shape.aliases ?? {})) add(headingKey(alias), field);
    const given = new Set(headings.map(headingKey));
    for (const [name, field] of Object.entries(shape.formerNames ?? {})) {
      if (!given.has(headingKey(field))) add(headingKey(name), field);
    }
    if (shape.key?.length === 1 && shape.key[0] !== undefined) add('id', shape.key[0]);
    const hasPerson = 'person_login' in shape.fields && 'person_email' in shape.fields;
    if (hasPerson) for (const key of peopleOf[shape.name] ?? people) add(key, personHeading);
    const isPart = 'pr_id' in shape.fields;
    if (isPart) for (const name of partPlaces) add(name, name);
    const isHere = (name: string) =>
      name in shape.fields || (isPart && partPlaces.includes(name)) || (hasPerson && name === personHeading);
    for (const [names, fields] of Object.entries(otherNames)) {
      const field = fields.split(', ').find(isHere);
      if (field !== undefined) for (const name of names.split(', ')) add(name, field);
    }
    for (const [key, field] of [...known]) add(withoutSubject(key), field);
    this.#known = known;
    this.#byLetters = new Map([...known].toReversed().map(([key, field]) => [lettersOf(key), field]));
  }

  fieldOf(heading: string): string | undefined {
    if (heading.trim() === '_deleted') return '_deleted';
    const key = headingKey(heading);
    return this.#known.get(key) ?? this.#known.get(withoutSubject(key)) ?? this.#byLetters.get(lettersOf(key));
  }

  /**
   * The fields that an unknown heading may mean: a name that is spelled alike, or else a field that shares a word with
   * it.
   */
  likely(heading: string): LikelyName | undefined {
    const key = headingKey(heading);
    const [alike] = nearest(key, this.#known.keys(), 1);
    if (alike !== undefined) return { name: alike, field: this.#known.get(alike) ?? alike };
    const words = key.split('_');
    const shared = (name: string) => name.split('_').filter((word) => word.length > 2 && words.includes(word)).length;
    const [best] = Object.keys(this.#shape.fields).toSorted((a, b) => shared(b) - shared(a));
    return best !== undefined && shared(best) > 0 ? { name: best, field: best } : undefined;
  }
}
