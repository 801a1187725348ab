import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { didYouMean } from '../nearest.ts';
import type { DurationStyle } from '../query/request.ts';
import { Refusal } from '../refusal.ts';

/** The only parameter of questions. Described here, and read in one place with words of its own. */
export const durationsQuery = Type.Object({
  durations: Type.Optional(
    Type.String({
      enum: ['seconds'],
      description:
        'Write intervals that rows are grouped by as seconds. Otherwise they are ISO 8601 durations such as PT26H4M5S, except in Parquet, which always has seconds.',
    }),
  ),
});

/** How intervals are to be written. */
export function durationsIn({ query }: FastifyRequest): DurationStyle {
  const { durations, ...others } = query as Readonly<Record<string, unknown>>;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) {
    const shown = stranger.length > 100 ? `${stranger.slice(0, 100)}…` : stranger;
    throw new Refusal(
      'bad-input',
      `'${shown}' is not a query parameter.${didYouMean(shown, ['durations'])} Known: durations.`,
    );
  }
  if (durations === undefined) return 'iso';
  if (durations === 'seconds') return 'seconds';
  throw new Refusal('bad-input', "The query parameter durations takes 'seconds', once. Leave it out for PT26H4M5S.");
}
