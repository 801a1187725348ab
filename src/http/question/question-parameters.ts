import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Type } from 'typebox';
import { type AnswerFormat, answerFormats, mediaTypeOf } from '../../formats/answer-formats.ts';
import { didYouMean } from '../../nearest.ts';
import type { DurationStyle } from '../../query/request.ts';
import { Refusal } from '../../refusal.ts';

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
      'Add `n` to each row, result and chart point: how many rows have the value, as far as the caller may see them. Of a share of people, how many people it divides by. Rows of several metrics have one for each, `n_cycle_time`.',
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
/** The parameters of questions whose answer is always JSON. */
export const documentQuery = Type.Object({
  durations,
  n,
  format: Type.Optional(Type.String({ enum: ['json'], description: 'This answer is always JSON.' })),
});
export const parameterNames: readonly string[] = Object.keys(questionQuery.properties);

/** The options of a question that stand in the address beside the body. */
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

/** The options of a GET request whose other parameters are the question itself. */
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

/** The values that were sent under one name. */
export interface SentParameter {
  readonly values: readonly string[];
  /** Sent once, as `name=…`: commas separate values. `name[]=…` and repeated ones are taken whole. */
  readonly isOnce: boolean;
  /** Never as `name[]=…`. */
  readonly isPlain: boolean;
}

/** The parameters of an address by name, without `[]`, in the order in which they were sent. */
export function readQueryString(url: string): ReadonlyMap<string, SentParameter> {
  const start = url.indexOf('?');
  const sent = new Map<string, SentParameter>();
  if (start === -1) return sent;
  if (holdsKey(url)) throw keyInAddress;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const middle = pair.indexOf('=');
    const written = decoded(middle === -1 ? pair : pair.slice(0, middle));
    const value = middle === -1 ? '' : decoded(pair.slice(middle + 1));
    const name = written.replace(/\[\]$/, '');
    const before = sent.get(name);
    const isPlain = name === written;
    sent.set(name, {
      values: [...(before?.values ?? []), value],
      isOnce: !before && isPlain,
      isPlain: isPlain && before?.isPlain !== false,
    });
  }
  return sent;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal(
      'bad-input',
      'The query of the address has a % that two hexadecimal digits of UTF-8 do not follow. Write % itself as %25.',
    );
  }
}

/** Shorter ones are no secrets of ours, and a repository may be called plumb_core. */
const secretInside = /plumb(?:session|signin)?_[0-9A-Za-z]{12}/;

/** Where the key belongs, for callers who write it into an address: proxies and browsers keep addresses. */
const whereKeysGo =
  'An API key must not be in the address, where proxies and browsers keep it: send it in the header Authorization. ' +
  'Make a new key in place of this one.';

export const keyInAddress = new Refusal('bad-input', whereKeysGo);
export const onlyKeyInAddress = new Refusal('unauthenticated', whereKeysGo);

/** Whether the query of an address holds something that looks like a key, also where the rest of it cannot be read. */
export function holdsKey(url: string): boolean {
  const start = url.indexOf('?');
  return start !== -1 && secretInside.test(url.slice(start).replace(/%[0-7][0-9a-f]/gi, decodeURIComponent));
}

/** The media types that ask for a format. Of types that a caller likes alike, the first one wins. */
const formatOfType: ReadonlyMap<string, AnswerFormat> = new Map<string, AnswerFormat>([
  ...answerFormats.map((format) => [mediaTypeOf(format), format] as const),
  ['application/ndjson', 'ndjson'],
]);
const mediaTypes = [...formatOfType.keys()];

/** Comparing a header of 16 KB with every type takes a tenth of a second, and no program has so much to say. */
const acceptLongest = 2_000;
/** A parameter of a media type other than its weight: a client that wants CSV with some parameter still wants CSV. */
const parameter = /;\s*(?!q\s*=)[^;,="\s]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^;,]*)/gi;
/** Most callers send the same header again and again. */
const maxKnownAccepts = 100;
const known = new Map<string, AnswerFormat>();

/** The format that a caller likes best. A caller who accepts none of the formats gets JSON. */
export function formatFor(accept: string | undefined): AnswerFormat {
  if (accept === undefined || accept.length > acceptLongest) return 'json';
  const before = known.get(accept);
  if (before) return before;
  const type = new Negotiator({ headers: { accept: accept.replaceAll(parameter, '') } }).mediaType(mediaTypes);
  const format = (type === undefined ? undefined : formatOfType.get(type)) ?? 'json';
  if (known.size >= maxKnownAccepts) known.clear();
  known.set(accept, format);
  return format;
}
