import { isUtf8 } from 'node:buffer';
import { closeBracket, comma, openBracket } from '../../bounded-json.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { BrokenInput } from './byte-source.ts';
import { JsonWalker, type RawValue } from './json-walker.ts';
import {
  checkLines,
  type FileLine,
  jsonLine,
  type LineLimit,
  maxLineBytes,
  ndjsonLines,
  notUtf8,
  tooLong,
} from './text-lines.ts';

/** The items of a body or file that must be one array, each under its place in it, from 1. */
export async function* jsonArrayItems(chunks: AsyncIterable<Buffer>, limit: LineLimit = {}): AsyncGenerator<FileLine> {
  const json = new JsonWalker(chunks);
  try {
    const kind = await json.kind();
    if (kind !== 'list') throw new BrokenInput(kind === 'nothing' ? 'it is empty' : 'it is no JSON array');
    let place = 0;
    for await (const item of arrayItems(json)) {
      place += 1;
      checkLines(place, limit);
      yield { ...item, line: place };
    }
  } finally {
    await json.close();
  }
}

/**
 * What calls itself JSON: an array of records when it begins with a bracket, objects one after another when the first of
 * them goes over several lines or is a page of a listing, else one record a line.
 */
export const jsonDocumentLines = (chunks: AsyncIterable<Buffer>): AsyncGenerator<FileLine> =>
  documentLines(chunks, true);

/** One record a line, unless the first object goes over several lines or is a page of a listing. */
export const objectLines = (chunks: AsyncIterable<Buffer>): AsyncGenerator<FileLine> => documentLines(chunks, false);

/** As `jq` writes objects, and `gh api --paginate` pages: one after another, without a break between them. */
const objectSequence = /^\s*\{\s*?(?:\n|"total_count"\s*:)/;

async function* documentLines(chunks: AsyncIterable<Buffer>, mayBeArray: boolean): AsyncGenerator<FileLine> {
  const json = new JsonWalker(chunks);
  try {
    const first = await json.next();
    if (first === undefined) return;
    if (mayBeArray && first === openBracket) yield* arrayItems(json);
    else if (objectSequence.test(json.head(200))) yield* objectsInSequence(json);
    else yield* ndjsonLines(json.rest(), { firstLine: json.line });
  } finally {
    await json.close();
  }
}

/** Objects, each with the number of the line that it begins on. */
async function* objectsInSequence(json: JsonWalker): AsyncGenerator<FileLine> {
  while ((await json.next()) !== undefined) {
    const { line } = json;
    const object = await json.take('object or line', maxLineBytes);
    if (!object) throw new BrokenInput('its last object is not closed');
    yield await itemRead(line, object);
  }
}

/**
 * The items of one array, each under the line it begins on, without holding more than one of them.
 * Only brackets and texts are followed here; whether an item is JSON is for the parser to say.
 */
async function* arrayItems(json: JsonWalker): AsyncGenerator<FileLine> {
  json.step();
  let end: number | undefined;
  do {
    const byte = await json.next();
    const { line } = json;
    if (byte !== undefined && byte !== comma && byte !== closeBracket) {
      const item = await json.take('item', maxLineBytes);
      if (item) yield await itemRead(line, item);
    } else if (byte === comma || (byte === closeBracket && end === comma)) {
      yield { line, problem: 'is empty: a record is missing beside a comma', raw: '' };
    }
    end = await json.next();
    if (end === undefined) throw new BrokenInput('its array is not closed');
    json.step();
    if (isTurnLong()) await nextTurn();
  } while (end === comma);
  if ((await json.next()) !== undefined) throw new BrokenInput('something follows the end of its array');
}

function itemRead(line: number, { bytes, cut }: RawValue): FileLine | Promise<FileLine> {
  const raw = bytes.toString('utf8').trimEnd();
  if (cut) return { line, problem: tooLong, raw: `${raw}…` };
  return isUtf8(bytes) ? jsonLine(line, raw) : { line, problem: notUtf8, raw };
}
