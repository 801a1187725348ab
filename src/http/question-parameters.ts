import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { didYouMean } from '../nearest.ts';
import type { DurationStyle } from '../query/request.ts';
import { Refusal } from '../refusal.ts';

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

/** The parameters of questions. Described here, and read in one place with words of its own. */
export const questionQuery = Type.Object({ durations, n });
export const benchmarkQuery = Type.Object({ n });

/** What is asked beside the body. */
export interface QuestionParameters {
  /** How intervals are to be written. */
  readonly durations: DurationStyle;
  /** Whether every value is to come with how many rows have it. */
  readonly showsN: boolean;
}

export function parametersIn(
  { query }: FastifyRequest,
  known: readonly string[] = Object.keys(questionQuery.properties),
): QuestionParameters {
  const sent = query as Readonly<Record<string, unknown>>;
  const stranger = Object.keys(sent).find((name) => !known.includes(name));
  if (stranger !== undefined) {
    const shown = stranger.length > 100 ? `${stranger.slice(0, 100)}…` : stranger;
    throw new Refusal(
      'bad-input',
      `'${shown}' is not a query parameter.${didYouMean(shown, known)} Known: ${known.join(', ')}.`,
    );
  }
  if (sent.durations !== undefined && sent.durations !== 'seconds')
    throw new Refusal('bad-input', "The query parameter durations takes 'seconds', once. Leave it out for PT26H4M5S.");
  if (sent.n !== undefined && sent.n !== 'true')
    throw new Refusal('bad-input', "The query parameter n takes 'true', once. Leave it out for answers without n.");
  return { durations: sent.durations === undefined ? 'iso' : 'seconds', showsN: sent.n !== undefined };
}
