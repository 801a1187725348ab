import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { refuseLong } from './arguments.ts';
import { listPeople, listRepositories, listTeams } from './listing-tools.ts';
import { describeMetric, findMetrics } from './metric-tools.ts';
import { explainMetric, listRows, queryMetric } from './question-tools.ts';
import { type ReadableAnswer, readableAnswer } from './readable-answer.ts';
import type { Tool, ToolArguments, ToolCaller, ToolParts } from './tool.ts';

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
