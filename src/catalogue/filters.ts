import { maxNameLength, maxSearchLength } from '../text-limits.ts';
import { hasPerson } from './group-columns.ts';
import type { Metric } from './metric.ts';
import { codeHosts } from './record-ids.ts';
import type { RowOf, Table } from './table.ts';
import { aiCopilot } from './tables/ai-copilot.ts';
import { deployments } from './tables/deployments.ts';
import { issueComments, issues } from './tables/issues.ts';
import {
  posthookSessionCommits,
  posthookSessionFiles,
  posthookSessionMessages,
  posthookSessions,
} from './tables/posthook-sessions.ts';
import {
  pullRequestComments,
  pullRequestCommits,
  pullRequestEvents,
  pullRequestReviews,
} from './tables/pull-request-parts.ts';
import { prStates, pullRequests, reviewRoundsBuckets } from './tables/pull-requests.ts';
import { releaseDetails } from './tables/release-details.ts';
import { surveyRecipients, surveyResponses } from './tables/surveys.ts';
import { runConclusions, workflowRuns } from './tables/workflow-runs.ts';

/** How the values of a filter are written. A single value needs no list. */
export type FilterForm = 'texts' | 'integers' | 'repositories' | 'text';

export interface FilterDeclaration {
  readonly meaning: string;
  readonly form: FilterForm;
  /** The only valid values. Without them, unknown values match no rows and cause no error. */
  readonly oneOf?: readonly (string | number)[];
  readonly aliases?: readonly string[];
  /** The text of the filter is split into words to search for. */
  readonly isSearch?: true;
}

/** A filter by what the directory says about the person of a row. */
export interface PeopleFilterDeclaration extends FilterDeclaration {
  /** The subject of the filter. Filters of one kind of membership have to hold for the same membership. */
  readonly about: 'person' | 'team' | 'squad' | 'manager';
  /** Columns to group by whose values it finds, and no other rows. */
  readonly columns?: readonly string[];
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);

const texts = (meaning: string, oneOf?: readonly string[]) =>
  ({ meaning, form: 'texts', ...(oneOf ? { oneOf } : {}) }) as const;

/** Filters that choose rows by their person. */
export const peopleFilters = {
  member: {
    ...texts('People, by identifier, name or email address.'),
    about: 'person',
    columns: ['merged_user_id', 'name'],
  },
  team: {
    ...texts('Teams, by identifier or name.'),
    aliases: ['team_ids'],
    about: 'team',
    columns: ['team_id', 'team_name'],
  },
  squad_ids: { ...texts('Squads, by identifier or name. Squads below them are included.'), about: 'squad' },
  squad_levels: { meaning: 'Levels of squads.', form: 'integers', about: 'squad' },
  manager_ids: {
    ...texts('Everyone who reports to these managers (by identifier, name or email address), at any depth.'),
    about: 'manager',
  },
  manager_email: {
    ...texts('Everyone who reports to these managers (by any email address), at any depth.'),
    about: 'manager',
  },
  departments: { ...texts('Departments, by name.'), about: 'team', columns: ['department'] },
  locations: { ...texts('Places of work.'), about: 'person', columns: ['location'] },
  levels: { ...texts('Seniority levels.'), about: 'person', columns: ['level'] },
  source_types: { ...texts('Sources on which the person has a login, such as github or jira.'), about: 'person' },
} as const satisfies Readonly<Record<string, PeopleFilterDeclaration>>;
export type PeopleFilter = keyof typeof peopleFilters;
type PeopleFilters = typeof peopleFilters;
/** The filters that ask about one thing. */
export type PeopleFilterAbout<A extends PeopleFilterDeclaration['about']> = {
  [F in PeopleFilter]: PeopleFilters[F]['about'] extends A ? F : never;
}[PeopleFilter];
/** The choice of people that each filter of people asks for. */
export type PeopleChoice = {
  readonly [F in PeopleFilter]?: readonly (PeopleFilters[F]['form'] extends 'integers' ? number : string)[];
};
export const isPeopleFilter = (name: string): name is PeopleFilter => Object.hasOwn(peopleFilters, name);

/** Filters that choose rows by what they are about. */
const rowFilters = {
  repositories: { meaning: 'Repositories, by short or full name, without regard to case.', form: 'repositories' },
  sources: texts('Code hosts.', codeHosts),
  pr_states: texts('States of pull requests.', prStates),
  pr_categories: texts('Kinds of work.'),
  pr_ids: texts('Pull requests, by identifier. acme/web#7 means those of that repository and number on any code host.'),
  associated_pr_ids: texts('Pull requests that a workflow ran for, by identifier, as for pr_ids.'),
  pull_requests_search_term: {
    meaning:
      'Words that all occur in the title, body, summary or category of a pull request, in 200 characters at most.',
    form: 'text',
    isSearch: true,
  },
  branches: texts('Branches, without regard to case.'),
  review_hour_of_day: {
    meaning: 'Hours of the day, 0 to 23, at which a review was made.',
    form: 'integers',
    oneOf: hours,
  },
  review_rounds_bucket: texts('Review rounds of pull requests.', reviewRoundsBuckets),
  ticket_status: texts('States of issues.'),
  issue_ids: texts('Issues, by identifier. acme/web#7 means those of that repository and number on any code host.'),
  project_ids: texts('Projects, by identifier.'),
  workflow_names: texts('Workflows, by name, without regard to case.'),
  workflow_run_ids: texts('Workflow runs, by identifier.'),
  run_conclusions: texts('Conclusions of workflow runs.', runConclusions),
  ai_copilot_sources: texts('AI assistants.'),
  session_id: { meaning: 'AI coding session that rows are part of.', form: 'text' },
  survey_ids: texts('Surveys, by identifier.'),
  survey_template_question_ids: texts('Questions, by identifier.'),
  survey_response_types: texts('Kinds of answers.'),
} as const satisfies Readonly<Record<string, FilterDeclaration>>;
export type RowFilter = keyof typeof rowFilters;

export const filters: Readonly<Record<string, FilterDeclaration>> = { ...peopleFilters, ...rowFilters };

/** How a filter finds rows of a table with the columns `C`. */
export type FilterPredicate<C extends string = string> = (
  | /** The column has one of the values, exactly or without regard to case. */
  { readonly by: 'value'; readonly column: C; readonly lowerCased?: true }
  /** The column has one of the ids. One that is short (`acme/web#7`) means every row of that repository and number. */
  | { readonly by: 'id'; readonly column: C; readonly numbered: NumberColumns<C> }
  /** The repository's full name, or the part behind its last slash, without regard to case. */
  | { readonly by: 'repository'; readonly column: C }
  /** The list in the column holds one of the values. */
  | { readonly by: 'list'; readonly column: C }
  /** The list of ids in the column holds one of the values; ids may be short on both sides. */
  | { readonly by: 'ids'; readonly column: C }
  /** Every word occurs in one of the columns, of the row itself or of its parent row. */
  | { readonly by: 'words'; readonly columns: readonly C[]; readonly ofParent?: ParentTexts<C> }
) & {
  /** Only metrics that name the filter take it. All metrics of a table take its other filters. */
  readonly onlyWhereNamed?: true;
};

/** The columns of a row that a short id means: two columns, or one with a key such as `acme/web#7`. */
export type NumberColumns<C extends string = string> =
  | { readonly repository: C; readonly number: C }
  | { readonly key: C };

/** Columns of another table, whose column `theirs` has the value that `own` has here. */
export interface ParentTexts<C extends string = string> {
  readonly table: Table;
  readonly own: C;
  readonly theirs: string;
  readonly columns: readonly string[];
}

type FilterPredicates<C extends string = string> = { readonly [F in RowFilter]?: FilterPredicate<C> };

const value = <C extends string>(column: C) => ({ by: 'value', column }) as const;
const lowerCased = <C extends string>(column: C) => ({ by: 'value', column, lowerCased: true }) as const;
const repository = <C extends string>(column: C) => ({ by: 'repository', column }) as const;
const pullRequestId = {
  by: 'id',
  column: 'pr_id',
  numbered: { repository: 'repository', number: 'pr_number' },
} as const;
const issueId = { by: 'id', column: 'issue_id', numbered: { key: 'issue_key' } } as const;
const linkedIssues = { by: 'ids', column: 'issue_ids' } as const;
const linkedPullRequests = { by: 'ids', column: 'pr_ids' } as const;
const list = <C extends string>(column: C) => ({ by: 'list', column }) as const;

/** A table and its filters: only columns that it stores compile. */
const filtersOf = <T extends Table>(
  table: T,
  predicates: FilterPredicates<keyof RowOf<T> & string>,
): readonly [Table, FilterPredicates] => [table, predicates];

/**
 * Columns that a part has of its pull request are read in the part itself, also where the caller does not see the pull
 * request. Only long texts are looked for in the pull request, as far as the caller may see it.
 */
const partOfPullRequest = {
  repositories: repository('repository'),
  sources: value('source'),
  pr_states: value('pr_state'),
  pr_categories: value('pr_category'),
  pr_ids: pullRequestId,
  pull_requests_search_term: {
    by: 'words',
    columns: ['pr_title', 'pr_category'],
    ofParent: { table: pullRequests, own: 'pr_id', theirs: 'pr_id', columns: ['pr_body', 'pr_summary'] },
  },
  review_rounds_bucket: value('review_rounds_bucket'),
  issue_ids: linkedIssues,
} as const satisfies FilterPredicates;
const partOfSession = {
  session_id: value('session_id'),
  repositories: repository('repo_name'),
  ai_copilot_sources: value('agent_slug'),
} as const satisfies FilterPredicates;

export const predicates: ReadonlyMap<Table, FilterPredicates> = new Map([
  filtersOf(pullRequests, {
    repositories: repository('repository'),
    sources: value('source'),
    pr_states: value('pr_state'),
    pr_categories: value('pr_category'),
    pr_ids: pullRequestId,
    pull_requests_search_term: { by: 'words', columns: ['pr_title', 'pr_body', 'pr_summary', 'pr_category'] },
    review_hour_of_day: list('review_hours'),
    review_rounds_bucket: value('review_rounds_bucket'),
    issue_ids: linkedIssues,
    // The filter by assistant exists only where the metric is about AI.
    ai_copilot_sources: { ...list('ai_sources'), onlyWhereNamed: true },
  }),
  filtersOf(pullRequestReviews, { ...partOfPullRequest, review_hour_of_day: value('review_hour_of_day') }),
  filtersOf(pullRequestComments, partOfPullRequest),
  filtersOf(pullRequestCommits, partOfPullRequest),
  filtersOf(pullRequestEvents, partOfPullRequest),
  filtersOf(issues, {
    ticket_status: value('ticket_status'),
    issue_ids: issueId,
    pr_ids: linkedPullRequests,
    project_ids: value('project_id'),
  }),
  filtersOf(issueComments, {
    ticket_status: value('ticket_status'),
    issue_ids: issueId,
    pr_ids: linkedPullRequests,
    project_ids: value('project_id'),
  }),
  filtersOf(releaseDetails, { repositories: repository('repository'), sources: value('source') }),
  filtersOf(workflowRuns, {
    repositories: repository('repository'),
    workflow_names: lowerCased('workflow_name'),
    workflow_run_ids: value('workflow_run_id'),
    run_conclusions: value('run_conclusion'),
    branches: lowerCased('branch'),
    associated_pr_ids: { by: 'ids', column: 'associated_pr_ids' },
  }),
  filtersOf(deployments, { repositories: repository('repository') }),
  filtersOf(aiCopilot, { ai_copilot_sources: value('source') }),
  filtersOf(posthookSessions, partOfSession),
  filtersOf(posthookSessionMessages, partOfSession),
  filtersOf(posthookSessionFiles, partOfSession),
  filtersOf(posthookSessionCommits, partOfSession),
  filtersOf(surveyRecipients, { survey_ids: value('survey_id') }),
  filtersOf(surveyResponses, {
    survey_ids: value('survey_id'),
    survey_template_question_ids: value('survey_template_question_id'),
    survey_response_types: value('response_type'),
  }),
]);

/** The filters of a metric that choose rows by what they are about, each with how it finds them. */
export function predicatesOf({ table, filters: named }: Metric): FilterPredicates {
  const all = Object.entries(predicates.get(table) ?? {});
  return Object.fromEntries(
    all.filter(([name, { onlyWhereNamed }]) => (named ? named.includes(name) : !onlyWhereNamed)),
  );
}

/** A way to find one of some values, as opposed to words somewhere in a text. */
export type ValuePredicate = Exclude<FilterPredicate, { by: 'words' }>;

/** The places where values of a filter are stored. */
interface ValuePlace {
  readonly table: Table;
  readonly predicate: ValuePredicate;
}

/** The places besides the filtered tables in which a value of a filter is known. */
const alsoIn: Partial<Record<RowFilter, readonly ValuePlace[]>> = {
  associated_pr_ids: [{ table: pullRequests, predicate: pullRequestId }],
};

/**
 * Where to look up whether a value of a filter exists, several places at once: first the tables of the question, then
 * the others. A column that comes from a row of another table is left out, since that table has its values. Lists come
 * last: each has to be parsed.
 */
export function valuePlaces(filter: RowFilter, asked: readonly Table[]): ValuePlace[][] {
  const inTables = (tables: readonly Table[]): ValuePlace[] =>
    tables.flatMap((table) => {
      const predicate = predicates.get(table)?.[filter];
      return predicate && predicate.by !== 'words' ? [{ table, predicate }] : [];
    });
  const others = [...predicates.keys()].filter((table) => !table.parent && !asked.includes(table));
  const [near, far] = [inTables(asked), [...inTables(others), ...(alsoIn[filter] ?? [])]];
  const isList = ({ predicate }: ValuePlace): boolean => predicate.by === 'list' || predicate.by === 'ids';
  const steps = [
    near.filter((place) => !isList(place)),
    far.filter((place) => !isList(place)),
    [...near, ...far].filter(isList),
  ];
  return steps.filter((places) => places.length > 0);
}

/** Whether values of a filter are looked up. Values of a closed list and words to search for are not. */
export const isLookedUp = (filter: string): boolean =>
  filters[filter] !== undefined && !filters[filter].isSearch && !filters[filter].oneOf;

/** The filters of a metric that choose rows by their person. */
export function peopleFiltersOf({ table }: Pick<Metric, 'table'>): PeopleFilter[] {
  const all = Object.keys(peopleFilters) as PeopleFilter[];
  if (!hasPerson(table)) return [];
  return table.anonymous ? all.filter((name) => name !== 'member') : all;
}

/** A filter value of type text. A closed list of values limits the length by itself. */
export const textSchema = ({ oneOf, isSearch }: Pick<FilterDeclaration, 'oneOf' | 'isSearch'>) =>
  ({ type: 'string', ...(oneOf ? {} : { maxLength: isSearch ? maxSearchLength : maxNameLength }) }) as const;

/** A filter as a JSON schema, for callers that give repositories by their names and no nulls: addresses and agents. */
export function plainFilterSchema(declaration: FilterDeclaration): Readonly<Record<string, unknown>> {
  const { meaning, form, oneOf } = declaration;
  if (form === 'text') return { ...textSchema(declaration), description: meaning };
  const item = form === 'integers' ? { type: 'integer' } : textSchema(declaration);
  return { type: 'array', items: { ...item, ...(oneOf ? { enum: oneOf } : {}) }, description: meaning };
}
