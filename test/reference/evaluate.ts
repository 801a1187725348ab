import { chartAnswer } from './chart-answer.ts';
import { dateDetails } from './date-details.ts';
import { flatAnswer } from './flat-answer.ts';
import type { KnownHistory } from './judged-results.ts';
import { type Evaluation, rowsAsked } from './metric-groups.ts';
import { type QuestionBody, questionOf } from './question.ts';
import { resultsAnswer } from './results-answer.ts';
import { unmatchedIn } from './unmatched.ts';
import { viewOf } from './visibility.ts';
import type { Seeing, World } from './world.ts';

export interface Evaluated {
  /** What the service answers with. */
  readonly answer: unknown;
  /** How many rows (or series) there are, where some were left out. */
  readonly total: number | undefined;
  /** Values of filters that match nothing. */
  readonly unmatched?: Readonly<Record<string, readonly unknown[]>> | undefined;
  /** How many answers to surveys are left out, where they are anonymous and asked about. */
  readonly suppressed?: number | undefined;
}

interface EvaluateOptions {
  readonly showsN?: boolean | undefined;
  /** Where it is to be said of each change what may be said of it. */
  readonly history?: KnownHistory | undefined;
}

/**
 * What a metric is, in loops over rows: the whole meaning of a question, written to be checked by eye and not to be
 * fast. Shares nothing with the engine but the declarations of the catalogue.
 */
export function evaluate(
  world: World,
  seeing: Seeing,
  metric: string,
  body: QuestionBody,
  { showsN = false, history }: EvaluateOptions = {},
): Evaluated {
  if (metric === 'date-details') {
    const rows = dateDetails(world, body);
    return { answer: rows, total: undefined };
  }
  const question = questionOf(world, metric, body, showsN);
  const view = viewOf(world, seeing);
  const evaluation: Evaluation = { view, question, window: question.window, level: question.level };
  const unmatched = unmatchedIn(view, metric, body);
  const suppressed = suppressedIn(evaluation);
  const notes = { unmatched, suppressed, through: history?.through };
  if (body.time_series_data) return withMeta(chartAnswer(evaluation, body), notes);
  if (body.include_previous_period) return withMeta(resultsAnswer(evaluation, body, history), notes);
  return { ...flatAnswer(evaluation), unmatched, suppressed };
}

function suppressedIn(evaluation: Evaluation): number | undefined {
  const ofAnswers = evaluation.question.asked.filter(({ metric }) => metric.table.name === 'survey_responses');
  if (ofAnswers.length === 0) return undefined;
  const most = Math.max(...ofAnswers.map((asked) => rowsAsked(evaluation, asked).suppressed));
  return most > 0 || evaluation.view.world.minRespondents !== undefined ? most : undefined;
}

/** Where an answer speaks of itself, it also says what matches nothing. The unit comes last. */
function withMeta(
  { answer, total }: Evaluated,
  {
    unmatched,
    suppressed,
    through,
  }: Pick<Evaluated, 'unmatched' | 'suppressed'> & { readonly through?: number | undefined },
): Evaluated {
  const { meta, ...rest } = answer as { readonly meta: Record<string, unknown> };
  const { unit, ...others } = meta;
  const said = {
    ...others,
    ...(unmatched ? { unmatched_filters: unmatched } : {}),
    ...(suppressed === undefined ? {} : { suppressed }),
    ...(through === undefined ? {} : { data_through: `${new Date(through * 1_000).toISOString().slice(0, 19)}Z` }),
    ...(unit ? { unit } : {}),
  };
  return { answer: { ...rest, meta: said }, total, unmatched, suppressed };
}
