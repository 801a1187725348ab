import { isWithinDays } from '../annotations/annotation-kind.ts';
import type { CatalogueDocument, MetricEntry } from '../catalogue/catalogue-document.ts';
import { exampleQuestion } from '../catalogue/example-question.ts';
import { metricsCalled } from '../catalogue/synonyms.ts';
import { dayIn } from '../documents/document-fields.ts';
import { defaultGoalPeriods, goalPeriodsIn, maxGoalPeriods } from '../goals/goal-history.ts';
import { didYouMean, nearest } from '../nearest.ts';
import { catalogue } from '../query/date-details.ts';
import { Refusal } from '../refusal.ts';
import { maxNameLength } from '../text-limits.ts';
import { metricArgument, metricIn, refuseLong, refuseOthers, searchArgument, searched } from './arguments.ts';
import { explainMetric, listRows, queryMetric } from './question-tools.ts';
import { type ReadableAnswer, readableAnswer } from './readable-answer.ts';
import type { Tool, ToolArguments, ToolCaller, ToolParts } from './tool.ts';
import { repositories } from './unknown-names.ts';

const findMetrics: Tool = {
  title: 'Find metrics',
  description:
    'Finds metrics by words in their name, title, domain or meaning, such as "lead time" or "review": name, meaning, unit and whether an aggregation has to be chosen.',
  properties: searchArgument,
  answer: async (_parts, _caller, given) => {
    const matches = searched(given);
    const { metrics } = catalogue();
    const search = String(given.search);
    const meant = metricsCalled(search);
    const found = metrics.filter(
      ({ name, title, domain, meaning }) => meant.includes(name) || matches(name, title, domain, meaning),
    );
    if (found.length > 0) return { rows: found.map(inShort) };
    // A name that was probably mistyped.
    const near = nearest(
      search.trim().replace(/\s+/g, '-'),
      metrics.map(({ name }) => name),
    );
    return { rows: metrics.filter(({ name }) => near.includes(name)).map(inShort) };
  },
};

const inShort = ({ name, title, domain, meaning, unit, better, needs_aggregation, gate }: MetricEntry) => ({
  metric: name,
  title,
  domain,
  meaning,
  unit,
  better,
  needs_aggregation,
  gate,
});

const describeMetric: Tool = {
  title: 'Describe a metric',
  description:
    'Everything about one metric: its definition and unit, the columns it can be grouped by, its filters, date fields and aggregations, who may ask it, and arguments for query_metric to begin with.',
  properties: metricArgument,
  required: ['metric'],
  answer: async ({ now }, _caller, given) => {
    const { name, body } = metricIn(given);
    refuseOthers(body, []);
    const document = catalogue();
    const rows = document.metrics
      .filter((metric) => metric.name === name)
      .map((metric) => ({
        ...described(metric, document),
        example: { metric: name, ...exampleQuestion(metric, now()) },
      }));
    return { rows };
  },
};

function described(metric: MetricEntry, { tables, filters, aggregations, date_levels, gates }: CatalogueDocument) {
  const { group_columns_of: _table, gate, ...entry } = metric;
  const table = tables.find(({ name }) => name === metric.table);
  return {
    ...entry,
    gate: gates.find(({ name }) => name === gate) ?? null,
    filters: filters
      .filter(({ name }) => metric.filters.includes(name))
      .map(({ name, meaning, one_of }) => ({ name, meaning, ...(one_of ? { one_of } : {}) })),
    group_columns: table?.group_columns ?? [],
    record_key: table?.key ?? [],
    aggregations: metric.needs_aggregation ? aggregations.map(({ name }) => name) : [],
    date_levels: metric.table !== null && metric.default_date_field === null ? [] : date_levels,
  };
}

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

const historyProperties = {
  goal: {
    type: 'string',
    maxLength: maxNameLength,
    description: 'The name of the goal. Without one, every goal that the caller may see is listed with its state.',
  },
  periods: {
    type: 'integer',
    minimum: 1,
    maximum: maxGoalPeriods,
    description: `How many whole periods, ${defaultGoalPeriods} by default.`,
  },
};

const getGoalHistory: Tool = {
  title: 'Read the history of a goal',
  description:
    'The whole periods of a goal, earliest first, each with its value, how many values that is made of (n) and its state, and the state of the goal itself. limited means that the caller does not see everyone whom the goal is about. Without a name it lists the goals.',
  properties: historyProperties,
  answer: async ({ goals }, caller, given) => {
    refuseOthers(given, Object.keys(historyProperties));
    const { goal, periods } = given;
    if (goal === undefined) return { rows: await goals.list(caller) };
    if (typeof goal !== 'string') throw new Refusal('bad-input', 'goal must be the name of a goal.');
    const { periods: rows, ...notes } = await goals.history(caller, goal, goalPeriodsIn(periods ?? defaultGoalPeriods));
    return { rows, notes };
  },
};

const dayArgument = (description: string) => ({ type: 'string', maxLength: maxNameLength, description });
const annotationProperties = {
  start_date: dayArgument('Only what reaches into the days from this one on, such as 2026-03-02.'),
  end_date: dayArgument('Only what reaches into the days up to this one.'),
};

const listAnnotations: Tool = {
  title: 'List annotations',
  description:
    'What happened on which days: releases, incidents, reorganisations and rollouts that people have noted, as far as the caller may see them. That a number changed on such a day does not say why.',
  properties: annotationProperties,
  answer: async ({ documents }, caller, given) => {
    refuseOthers(given, Object.keys(annotationProperties));
    const days = { start: dayIn(given, 'start_date'), end: dayIn(given, 'end_date') };
    const seen = await documents.annotation.list(caller);
    return { rows: seen.filter(({ document }) => isWithinDays(document, days)).map(({ shown }) => shown) };
  },
};

const listBoards: Tool = {
  title: 'List boards',
  description:
    'The boards that the caller may see: title, range, filters and panels. A panel is a question: query_metric takes its metric and the fields of its request, with the days of the range and the filters of the board.',
  properties: searchArgument,
  answer: async ({ documents }, caller, given) => {
    const matches = searched(given);
    const seen = await documents.board.list(caller);
    return {
      rows: seen.filter(({ slug, document }) => matches(slug, document.title)).map(({ shown }) => shown),
    };
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
  list_boards: listBoards,
  get_goal_history: getGoalHistory,
  list_annotations: listAnnotations,
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
