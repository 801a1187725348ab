import { searchArgument, searched } from './arguments.ts';
import { repositories } from './repositories.ts';
import type { Tool } from './tool.ts';

export const listTeams: Tool = {
  title: 'List teams',
  description: 'The teams of the organisation with their onboarded members. Filters take their ids or names.',
  properties: searchArgument,
  answer: async ({ listings }, { principal }, given) => {
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
    const matches = searched(given);
    const rows = [];
    for await (const row of repositories(parts, caller)) if (matches(String(row.repository))) rows.push(row);
    return { rows };
  },
};
