import { addDays, utcDay } from '../calendar.ts';
import { filters } from '../catalogue/filters.ts';
import { didYouMean } from '../nearest.ts';
import { rowReader } from '../query/answer-columns.ts';
import type { UnmatchedFilters } from '../query/empty-answer.ts';
import { shown } from '../query/reading/body.ts';
import { Refusal } from '../refusal.ts';
import type { ToolCaller, ToolParts } from './tool.ts';

/** The values of a filter, and where names of that kind can be found. */
interface NamedKind {
  readonly one: string;
  readonly tool?: string;
  readonly known: (parts: ToolParts, caller: ToolCaller) => Promise<readonly (string | null)[]>;
}

const people = async ({ listings }: ToolParts, { principal }: ToolCaller) =>
  (await listings.onboardedUsers(principal.organisationId)).flatMap(({ name, email }) => [name, email]);

const person: NamedKind = { one: 'person', tool: 'list_people', known: people };

/** Filters whose values are names of somebody or something. Values of other filters are properties, which none may have. */
const namedKinds: Readonly<Record<string, NamedKind>> = {
  member: person,
  manager_ids: person,
  manager_email: person,
  team: {
    one: 'team',
    tool: 'list_teams',
    known: async ({ listings }, { principal }) =>
      (await listings.teams(principal.organisationId)).flatMap(({ team_name, team_id }) => [team_name, team_id]),
  },
  departments: {
    one: 'department',
    tool: 'list_teams',
    known: async ({ listings }, { principal }) =>
      (await listings.teams(principal.organisationId)).map(({ department }) => department),
  },
  squad_ids: {
    one: 'squad',
    known: async (parts, caller) => {
      const names: (string | null)[] = [];
      for await (const { squad_name } of rowsByColumn(parts, caller, 'users-count', 'squad_name', {}))
        names.push(squad_name === null ? null : String(squad_name));
      return names;
    },
  },
  repositories: {
    one: 'repository',
    tool: 'list_repositories',
    known: async (parts, caller) => {
      const names: string[] = [];
      for await (const { repository } of repositories(parts, caller)) names.push(String(repository));
      return names.flatMap((name) => [name, name.slice(name.lastIndexOf('/') + 1)]);
    },
  },
};

/**
 * Refuses a question about a person, team or repository that does not exist or that the caller may not see. An agent
 * would take the number of the other names, or zero, for an answer.
 */
export async function refuseUnknownNames(
  parts: ToolParts,
  caller: ToolCaller,
  unmatched: UnmatchedFilters | undefined,
): Promise<void> {
  for (const [filter, values] of Object.entries(unmatched ?? {})) {
    const kind = namedKinds[nameOf(filter)];
    if (!kind) continue;
    const known = new Set((await kind.known(parts, caller)).filter((name) => name !== null));
    const sentences = values
      .slice(0, maxValues)
      .map(textOf)
      .map((value) => `No ${kind.one} that you may see matches '${shown(value)}'.${didYouMean(value, known)}`);
    const others =
      values.length > maxValues ? [`There are ${values.length - maxValues} more such values of ${filter}.`] : [];
    const advice = kind.tool === undefined ? [] : [`${kind.tool} lists what there is.`];
    throw new Refusal('not-found', [...sentences, ...others, ...advice].join(' '));
  }
}

/** More names make no readable sentence. */
const maxValues = 5;

/** A repository may be sent as an object. */
const textOf = (value: unknown): string =>
  String(typeof value === 'object' && value !== null ? Object.values(value)[0] : value);

/** The name of a filter that may have been sent under another one. */
const nameOf = (sent: string): string =>
  Object.entries(filters).find(([, { aliases = [] }]) => aliases.includes(sent))?.[0] ?? sent;

type ValueRow = Readonly<Record<string, unknown>>;

/** A metric grouped by one column: which values of it there are in rows that the caller may see. */
async function* rowsByColumn(
  { metrics }: ToolParts,
  { principal, ticket }: ToolCaller,
  metric: string,
  column: string,
  filters: object,
): AsyncGenerator<ValueRow> {
  const body = { metrics: [metric], filters, group_by: [column] };
  const { answer } = await metrics.multiple(principal, body, { ticket });
  if (answer.form === 'document') throw new Error(`there are no rows by ${column}`);
  const read = rowReader(answer.columns);
  const batches = answer.form === 'rows' ? [answer.rows] : answer.batches;
  for await (const batch of batches) for (const row of batch) yield read(row) as ValueRow;
}

/** The longest window is ten years. */
const windowDays = 3_650;

/** The repositories with pull requests that the caller may see, and how many. */
export async function* repositories(parts: ToolParts, caller: ToolCaller) {
  const start = addDays(utcDay(parts.now()), -windowDays);
  const rows = rowsByColumn(parts, caller, 'pull-requests-count', 'repository', { start_date: start });
  for await (const { repository, pr_count: pullRequests } of rows) yield { repository, pull_requests: pullRequests };
}
