import { rowReader } from '../query/shape/rows.ts';
import { refuseOthers, searchArgument, searched } from './arguments.ts';
import type { Tool, ToolCaller, ToolParts } from './tool.ts';

const known = Object.keys(searchArgument);

export const listTeams: Tool = {
  title: 'List teams',
  description: 'The teams of the organisation with their onboarded members. Filters take their ids or names.',
  properties: searchArgument,
  answer: async ({ listings }, { principal }, given) => {
    refuseOthers(given, known);
    const matches = searched(given);
    const teams = await listings.teams(principal.organisationId);
    return { rows: teams.filter(({ team_name, department }) => matches(team_name, department)) };
  },
};

export const listPeople: Tool = {
  title: 'List people',
  description: 'The onboarded people of the organisation. Filters such as member take their ids, names or addresses.',
  properties: searchArgument,
  answer: async ({ listings }, { principal }, given) => {
    refuseOthers(given, known);
    const matches = searched(given);
    const people = await listings.onboardedUsers(principal.organisationId);
    return { rows: people.filter(({ name, email, github_username }) => matches(name, email, github_username)) };
  },
};

export const listRepositories: Tool = {
  title: 'List repositories',
  description:
    'The repositories with pull requests of the last ten years that the caller may see, and how many. The filter repositories takes their names.',
  properties: searchArgument,
  answer: async (parts, caller, given) => {
    refuseOthers(given, known);
    const matches = searched(given);
    const rows = [];
    for await (const row of repositories(parts, caller)) if (matches(String(row.repository))) rows.push(row);
    return { rows };
  },
};

const dayMs = 86_400_000;
/** The longest window is ten years. */
const windowDays = 3_650;

async function* repositories({ metrics, now }: ToolParts, { principal, signal }: ToolCaller) {
  const start = new Date(now().getTime() - windowDays * dayMs).toISOString().slice(0, 10);
  const body = { metrics: ['pull-requests-count'], filters: { start_date: start }, group_by: ['repository'] };
  const { answer } = await metrics.multiple(principal, body, signal);
  if (answer.form === 'document') throw new Error('there are no rows of repositories');
  const read = rowReader(answer.columns);
  const batches = answer.form === 'rows' ? [answer.rows] : answer.batches;
  for await (const batch of batches) {
    for (const row of batch) {
      const { repository, pr_count: pullRequests } = read(row);
      yield { repository, pull_requests: pullRequests };
    }
  }
}
