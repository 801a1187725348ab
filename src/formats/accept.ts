import Negotiator from 'negotiator';
import { type AnswerFormat, answerFormats, mediaTypeOf } from './answer-formats.ts';

/** The media types that ask for a format. Of types that a caller likes alike, the first one wins. */
const formatOf: ReadonlyMap<string, AnswerFormat> = new Map<string, AnswerFormat>([
  ...answerFormats.map((format) => [mediaTypeOf(format), format] as const),
  ['application/ndjson', 'ndjson'],
]);
const mediaTypes = [...formatOf.keys()];

/** Comparing a header of 16 KB with every type takes a tenth of a second, and no program has so much to say. */
const acceptLongest = 2_000;
/** A parameter of a media type other than its weight: a client that wants CSV with some parameter still wants CSV. */
const parameter = /;\s*(?!q\s*=)[^;,="\s]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^;,]*)/gi;
/** Most callers send the same header again and again. */
const acceptsMost = 100;
const known = new Map<string, AnswerFormat>();

/** The format that a caller likes best. A caller who accepts none of the formats gets JSON. */
export function formatFor(accept: string | undefined): AnswerFormat {
  if (accept === undefined || accept.length > acceptLongest) return 'json';
  const before = known.get(accept);
  if (before) return before;
  const type = new Negotiator({ headers: { accept: accept.replaceAll(parameter, '') } }).mediaType(mediaTypes);
  const format = (type === undefined ? undefined : formatOf.get(type)) ?? 'json';
  if (known.size >= acceptsMost) known.clear();
  known.set(accept, format);
  return format;
}
