import { dateDetails, metrics } from '../catalogue/metrics/all-metrics.ts';
import { didYouMean } from '../nearest.ts';
import { readText } from '../query/reading/body.ts';
import { noSuchMetric } from '../query/reading/metric-request.ts';
import { Refusal } from '../refusal.ts';
import { maxNameLength, maxSearchLength } from '../text-limits.ts';
import type { ToolArguments } from './tool.ts';

export const metricArgument = {
  metric: {
    type: 'string',
    maxLength: maxNameLength,
    description: 'Name of the metric, such as cycle-time. find_metrics lists all of them.',
  },
} as const;

export const searchArgument = {
  search: {
    type: 'string',
    maxLength: maxSearchLength,
    description: 'Words that all have to occur, in any order. All rows when it is left out.',
  },
} as const;

/** The metric that a call names, and its other arguments: the fields of the body of a request. */
export interface NamedQuestion {
  readonly name: string;
  readonly body: ToolArguments;
}

export function metricIn({ metric, ...body }: ToolArguments): NamedQuestion {
  if (typeof metric !== 'string') {
    throw new Refusal('bad-input', 'metric must be the name of a metric, such as cycle-time. See find_metrics.');
  }
  if (metric !== dateDetails && !metrics.has(metric))
    throw noSuchMetric(metric, 'find_metrics finds metrics by words.');
  return { name: metric, body };
}

const maxArgumentsLength = 20_000;

/** Refuses arguments that are too long to look at, whichever tool they are for. */
export function refuseLong(given: ToolArguments): void {
  const { length } = JSON.stringify(given);
  if (length <= maxArgumentsLength) return;
  throw new Refusal(
    'bad-input',
    `The arguments of a tool take ${maxArgumentsLength} characters at most as JSON, not ${length}.`,
  );
}

/** Refuses arguments that a tool does not have. The fields of questions are checked where questions are read. */
export function refuseOthers(given: ToolArguments, known: readonly string[]): void {
  const other = Object.keys(given).find((name) => !known.includes(name));
  if (other === undefined) return;
  const takes = known.length === 0 ? 'It takes no arguments.' : `It takes ${known.join(', ')}.`;
  throw new Refusal('bad-input', `There is no argument '${other.slice(0, 60)}'.${didYouMean(other, known)} ${takes}`);
}

/** Whether a row has all words that are searched for in one of its texts, by the only argument of a tool that lists. */
export function searched(given: ToolArguments): (...texts: readonly (string | null)[]) => boolean {
  refuseOthers(given, Object.keys(searchArgument));
  const { search } = given;
  if (search === undefined || search === null) return () => true;
  const words = readText(search, 'search', maxSearchLength)
    .toLowerCase()
    .split(/[\s_-]+/u);
  return (...texts) => {
    const all = texts.join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  };
}
