import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { refuseLong, searchArgument, searched } from './arguments.ts';
import { describeMetric, findMetrics } from './metric-tools.ts';
import { explainMetric, listRows, queryMetric } from './question-tools.ts';
import { type ReadableAnswer, readableAnswer } from './readable-answer.ts';
import type { Tool, ToolArguments, ToolCaller, ToolParts } from './tool.ts';
import { repositories } from './unknown-names.ts';

const listTeams: Tool = {
  title: 'List teams',
  description: 'The teams of the organisation with their onboarded members. Filters take their ids or names.',
  properties: searchArgument,
  answer: async ({ listings }, { principal }, given) => {
    const matches = searched(given);
    const teams = await listings.teams(principal.organisationId);
    return { rows: teams.filter(({ team_name, department }) => matches(team_name, department)) };
  },
};

const listPeople: Tool = {
  title: 'List people',
  description: 'The onboarded people of the organisation. Filters such as member take their ids, names or addresses.',
  properties: searchArgument,
  answer: async ({ listings }, { principal }, given) => {
    const matches = searched(given);
    const people = await listings.onboardedUsers(principal.organisationId);
    return { rows: people.filter(({ name, email, github_username }) => matches(name, email, github_username)) };
  },
};

const listRepositories: Tool = {
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

/** Every tool, in the order in which an agent reads about them. */
export const tools: Readonly<Record<string, Tool>> = {
  find_metrics: findMetrics,
  describe_metric: describeMetric,
  query_metric: queryMetric,
  explain_metric: explainMetric,
  list_teams: listTeams,
  list_people: listPeople,
  list_repositories: listRepositories,
  list_rows: listRows,
};

/** Answers a call of a tool in the caller's name. Refuses what the caller can put right. */
export async function callTool(
  parts: ToolParts,
  caller: ToolCaller,
  name: string,
  given: ToolArguments,
): Promise<ReadableAnswer> {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!tool) {
    const names = Object.keys(tools);
    throw new Refusal(
      'not-found',
      `There is no tool '${name.slice(0, 60)}'.${didYouMean(name, names)} There are ${names.join(', ')}.`,
    );
  }
  refuseLong(given);
  return readableAnswer(await tool.answer(parts, caller, given));
}
