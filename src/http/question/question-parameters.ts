import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AnswerFormat, answerFormats, formatFor } from '../../formats/answer-formats.ts';
import { didYouMean } from '../../nearest.ts';
import type { DurationStyle } from '../../query/request.ts';
import { Refusal } from '../../refusal.ts';
import { holdsKey, keyInAddress } from './query-string.ts';

const durations = Type.Optional(
  Type.String({
    enum: ['seconds'],
    description:
      'Write intervals that rows are grouped by as seconds. Otherwise they are ISO 8601 durations such as PT26H4M5S, except in Parquet, which always has seconds.',
  }),
);
const n = Type.Optional(
  Type.String({
    enum: ['true'],
    description:
      'Add `n` to each row, result and chart point: how many rows have the value, as far as the caller may see them; of a share of people, how many people it divides by. Rows of several metrics have one for each, `n_cycle_time`.',
  }),
);
const verdict = Type.Optional(
  Type.String({
    enum: ['true'],
    description:
      'Add to each result of a question with `include_previous_period` what may be said of its change: `n`, `previous_n`, `range`, `previous_range`, `verdict` and `is_better`. Everything else is 400.',
  }),
);
const format = Type.Optional(
  Type.String({
    enum: [...answerFormats],
    description: 'How rows are written. Wins over the header Accept. Everything that is no rows is JSON.',
  }),
);

/** The parameters of questions. Described here, and read in one place with words of its own. */
export const questionQuery = Type.Object({ durations, n, verdict, format });
/** Those of questions whose answer is always JSON. */
export const documentQuery = Type.Object({
  durations,
  n,
  format: Type.Optional(Type.String({ enum: ['json'], description: 'This answer is always JSON.' })),
});
export const parameterNames: readonly string[] = Object.keys(questionQuery.properties);

/** What is asked beside the body. */
export interface QuestionParameters {
  /** How intervals are to be written. */
  readonly durations: DurationStyle;
  /** Whether every value is to come with how many rows have it. */
  readonly showsN: boolean;
  /** Whether every value is to come with what may be said of its change. */
  readonly showsVerdict: boolean;
}

/** Reads the parameters of a request that has its question in its body. */
export function onlyParametersIn(request: FastifyRequest): QuestionParameters {
  if (holdsKey(request.raw.url ?? '')) throw keyInAddress;
  const stranger = Object.keys(request.query as object).find((name) => !parameterNames.includes(name));
  if (stranger === undefined) return parametersIn(request);
  const shown = stranger.length > 100 ? `${stranger.slice(0, 100)}…` : stranger;
  throw new Refusal(
    'bad-input',
    `'${shown}' is not a query parameter.${didYouMean(shown, parameterNames)} Known: ${parameterNames.join(', ')}.`,
  );
}

/** The same of a request whose other parameters are the question itself. */
export function parametersIn({ query }: FastifyRequest): QuestionParameters {
  const sent = query as Readonly<Record<string, unknown>>;
  if (sent.durations !== undefined && sent.durations !== 'seconds')
    throw new Refusal('bad-input', "The query parameter durations takes 'seconds', once. Leave it out for PT26H4M5S.");
  if (sent.n !== undefined && sent.n !== 'true')
    throw new Refusal('bad-input', "The query parameter n takes 'true', once. Leave it out for answers without n.");
  if (sent.verdict !== undefined && sent.verdict !== 'true')
    throw new Refusal(
      'bad-input',
      "The query parameter verdict takes 'true', once. Leave it out for answers without verdicts.",
    );
  if (sent.format !== undefined && !isFormat(sent.format))
    throw new Refusal(
      'bad-input',
      `The query parameter format takes one of ${answerFormats.join(', ')}, once.${typeof sent.format === 'string' ? didYouMean(sent.format, answerFormats) : ''}`,
    );
  return {
    durations: sent.durations === undefined ? 'iso' : 'seconds',
    showsN: sent.n !== undefined,
    showsVerdict: sent.verdict !== undefined,
  };
}

/** Refuses another format for an answer that is always JSON. */
export function refuseOtherThanJson({ query }: FastifyRequest): void {
  const { format: asked } = query as Readonly<Record<string, unknown>>;
  if (asked === undefined || asked === 'json') return;
  throw new Refusal('bad-input', "This answer is always JSON: the query parameter format takes 'json', once.");
}

const isFormat = (value: unknown): value is AnswerFormat => answerFormats.some((known) => known === value);

/** How rows are to be written: as the parameter says, else as the header does. A wrong parameter is refused later. */
export function formatOf({ query, headers }: FastifyRequest): AnswerFormat {
  const { format: asked } = query as Readonly<Record<string, unknown>>;
  return isFormat(asked) ? asked : formatFor(headers.accept);
}
