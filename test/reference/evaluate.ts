import { chartAnswer } from './chart-answer.ts';
import { dateDetails } from './date-details.ts';
import { flatAnswer } from './flat-answer.ts';
import type { Told } from './metric-groups.ts';
import { type Body, questionOf } from './question.ts';
import { resultsAnswer } from './results-answer.ts';
import { viewOf } from './sight.ts';
import type { Seeing, World } from './world.ts';

export interface Evaluated {
  /** What the service answers with. */
  readonly answer: unknown;
  /** How many rows (or series) there are, where some were left out. */
  readonly total: number | undefined;
}

/**
 * What a metric is, in loops over rows: the whole meaning of a question, written to be checked by eye and not to be
 * fast. Shares nothing with the engine but the declarations of the catalogue.
 */
export function evaluate(world: World, seeing: Seeing, metric: string, body: Body): Evaluated {
  if (metric === 'date-details') {
    const rows = dateDetails(world, body);
    return { answer: rows, total: undefined };
  }
  const question = questionOf(world, metric, body);
  const told: Told = { view: viewOf(world, seeing), question, window: question.window, level: question.level };
  if (body.time_series_data) return chartAnswer(told, body);
  if (body.include_previous_period) return resultsAnswer(told, body);
  return flatAnswer(told);
}
