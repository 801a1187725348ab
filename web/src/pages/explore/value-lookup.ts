import { columnLabel, valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import type { Exploration } from '../../ask/exploration.ts';
import { aboutMetric, type MetricName } from '../../ask/metric-facts.ts';
import { ask, askSeveral, type Question, type RequestFilters } from '../../ask/question.ts';
import type { Json, Row } from '../../ask/send.ts';
import type { View } from '../../ask/view.ts';
import type { ListedChoice } from '../../view/choice-list.tsx';
import type { FilterAbout } from './catalogue-answer.ts';

/** Where the values of a filter are found: the records of a metric, the column with the value, and the one that names it. */
interface Lookup {
  readonly metric: MetricName;
  readonly column: string;
  readonly name?: string;
  /** Further columns that tell one from another. */
  readonly more?: readonly string[];
  /** The records are too many to list: typing searches them, or the first are shown. */
  readonly isLong?: true;
}

const pullRequest: Lookup = {
  metric: 'pull-requests-count',
  column: 'pr_id',
  name: 'pr_title',
  more: ['repository_name', 'pr_number'],
  isLong: true,
};
const ofPeople = (column: string): Lookup => ({ metric: 'users-count', column });

const lookups: Readonly<Record<string, Lookup>> = {
  squad_levels: ofPeople('squad_level'),
  manager_ids: ofPeople('manager_name'),
  locations: ofPeople('location'),
  levels: ofPeople('level'),
  source_types: ofPeople('sources'),
  pr_categories: { metric: 'pull-requests-count', column: 'pr_category' },
  pr_ids: pullRequest,
  associated_pr_ids: pullRequest,
  branches: { metric: 'workflow-runs-count', column: 'branch' },
  workflow_names: { metric: 'workflow-runs-count', column: 'workflow_name' },
  workflow_run_ids: {
    metric: 'workflow-runs-count',
    column: 'workflow_run_id',
    name: 'workflow_name',
    more: ['repository_name', 'branch'],
    isLong: true,
  },
  ticket_status: { metric: 'issues-count', column: 'ticket_status' },
  issue_ids: { metric: 'issues-count', column: 'issue_id', name: 'issue_title', more: ['issue_key'], isLong: true },
  project_ids: { metric: 'issues-count', column: 'project_id', name: 'project_name' },
  session_id: {
    metric: 'posthook-sessions-count',
    column: 'session_id',
    name: 'name',
    more: ['agent_slug', 'repo_name'],
    isLong: true,
  },
  survey_ids: { metric: 'survey-recipients-count', column: 'survey_id', name: 'survey_name' },
  survey_template_question_ids: {
    metric: 'survey-responses-count',
    column: 'survey_template_question_id',
    name: 'question_text',
  },
  survey_response_types: { metric: 'survey-responses-count', column: 'response_type' },
};

const assistants = {
  sessions: { metric: 'posthook-sessions-count', column: 'agent_slug' },
  use: { metric: 'adopted-users', column: 'source' },
} as const satisfies Readonly<Record<string, Lookup>>;

/** Undefined where the data holds no list of the values: those are typed. */
export function lookupOf(filter: string, { metric }: Exploration): Lookup | undefined {
  if (filter !== 'ai_copilot_sources') return lookups[filter];
  return aboutMetric(metric).table.startsWith('posthook') ? assistants.sessions : assistants.use;
}

const maxLong = 100;

interface LookupScope {
  /** What is typed, where the server searches. */
  readonly search?: string;
  /** The values whose names are asked for; all of the window otherwise. */
  readonly named?: RequestFilters;
}

/** The question whose rows are the values that the data of the window has. */
export function lookupQuestion(view: View, lookup: Lookup, { search = '', named }: LookupScope = {}): Question {
  const { metric, column, name, more = [], isLong } = lookup;
  const { start, end } = view.windowFor(metric);
  const days = aboutMetric(metric).dateField === null ? {} : { start_date: start, end_date: end };
  const searched = search !== '' && metric === 'pull-requests-count' ? { pull_requests_search_term: search } : {};
  const filters = { ...days, ...searched, ...named };
  const group_by = [...new Set([column, ...(name ? [name] : []), ...more])] as never[];
  return isLong ? ask(metric, { filters, group_by, limit: maxLong }) : askSeveral([metric], { filters, group_by });
}

/** Values that searching on the server finds; all others are searched in the list. */
export const isSearchedByServer = ({ metric, isLong }: Lookup): boolean =>
  isLong === true && metric === 'pull-requests-count';

/** The rows of such an answer as choices, each value once, by name. */
export function choicesIn(rows: readonly Row[], { column, name, more = [] }: Lookup): readonly ListedChoice[] {
  const found = new Map<string, ListedChoice>();
  for (const row of rows) {
    for (const id of textsIn(row[column])) {
      const others = more.flatMap((one) => textsIn(row[one]).map((text) => (one === 'pr_number' ? `#${text}` : text)));
      const named = name ? textsIn(row[name])[0] : undefined;
      found.set(id, {
        id,
        name: named ?? valueName(column, id),
        ...(others.length > 0 ? { more: others.join(' · ') } : {}),
      });
    }
  }
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

const textsIn = (cell: Json | undefined): string[] =>
  cell === null || cell === undefined || cell === ''
    ? []
    : Array.isArray(cell)
      ? cell.flatMap(textsIn)
      : typeof cell === 'object'
        ? []
        : [String(cell)];

/** The columns whose labels name the values of a filter with a closed list. */
const columnOfClosed: Readonly<Record<string, string>> = {
  pr_states: 'pr_state',
  sources: 'source',
  run_conclusions: 'run_conclusion',
  review_rounds_bucket: 'review_rounds_bucket',
};

/** A value by its name for people, where it has one. */
function valueName(column: string, value: string): string {
  if (column === 'squad_level') return `${columnLabel('level')} ${value}`;
  return valueLabel(column === 'sources' ? 'source' : column, value);
}

/** The choices of a filter that takes a few values only. */
export const closedChoices = ({ name, one_of }: FilterAbout): readonly ListedChoice[] =>
  (one_of ?? []).map((value) => ({
    id: String(value),
    name:
      name === 'review_hour_of_day'
        ? `${String(value).padStart(2, '0')}:00`
        : valueLabel(columnOfClosed[name] ?? name, String(value)),
  }));
