import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from './json-characters.ts';
import { LongJsonReader, textPieceLength } from './long-json-reader.ts';
import { nextTurn, yieldIfDue } from './yield-to-event-loop.ts';

/** What a JSON text may be at most. It is found out before anything is made of the text. */
export interface JsonLimits {
  /** Lists and objects inside each other. */
  readonly depth: number;
  /** Values in all: everything between two commas, and every list and object. */
  readonly values: number;
}

export type JsonReading = { readonly value: unknown } | { readonly problem: string };

/**
 * The longest text that is parsed in one go. An engine takes up to three milliseconds for that much of the worst kind:
 * objects of which no two have the same fields.
 */
const pieceLength = 16_384;
/** Characters that are looked at before others may have their turn: a millisecond, or three the first time. */
const windowLength = 32_768;
/** After putting together and decoding such a text, the caller has held the event loop for long enough. */
const veryLong = 1_048_576;
/**
 * Reads JSON within limits. A short text is read at once; a long one in pieces, with the event loop left to others in
 * between. What is wrong is said as the end of a sentence: "is not JSON: …".
 */
export function readJson(
  text: string,
  limits: JsonLimits,
  pieceMost = pieceLength,
): JsonReading | Promise<JsonReading> {
  if (text.length > pieceMost) return readLong(text, limits, pieceMost);
  const problem = problemOf(text, limits);
  return problem === undefined ? parsed(text) : { problem };
}

/** What limits a text breaks, if any, whether or not it is JSON. */
export function problemOf(text: string, limits: JsonLimits): string | undefined {
  // A value takes a character at least, and a level an opening bracket: most texts have few of them, and the engine finds
  // these many times as quickly as they can be followed here.
  if (text.length <= limits.values && bracketsIn(text, limits.depth) <= limits.depth) return undefined;
  return new Outline(text, limits, Number.POSITIVE_INFINITY).lookAt(text.length);
}

/** Opening brackets, counted until there are more than matter. */
function bracketsIn(text: string, most: number): number {
  let brackets = 0;
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at !== -1 && brackets <= most; at = text.indexOf(bracket, at + 1))
      brackets += 1;
  }
  return brackets;
}

function parsed(text: string): JsonReading {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `is not JSON: ${error.message}` };
  }
}

/** Follows texts, brackets and commas, and nothing else. */
class Outline {
  /** Where the lists, objects and texts that are too long to be parsed in one go begin, and where each of them ends. */
  readonly long = new Map<number, number>();
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #pieceMost: number;
  /** Where each list and object that is open has begun, and where the text has. */
  readonly #begun: number[] = [];
  #textBegun = 0;
  #isInText = false;
  #at = 0;
  #values = 1;

  constructor(text: string, limits: JsonLimits, pieceMost: number) {
    this.#text = text;
    this.#limits = limits;
    this.#pieceMost = pieceMost;
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Whether something is open that nothing has closed. */
  get isOpen(): boolean {
    return this.#isInText || this.#begun.length > 0;
  }

  /** Looks at this many more characters, and returns the limit that they exceed, if any. */
  lookAt(characters: number): string | undefined {
    const text = this.#text;
    const { depth, values } = this.#limits;
    const end = Math.min(text.length, this.#at + characters);
    let at = this.#at;
    for (; at < end; at += 1) {
      const character = text.charCodeAt(at);
      if (this.#isInText) {
        if (character === backslash) at += 1;
        else if (character === quote) {
          this.#isInText = false;
          if (at - this.#textBegun >= textPieceLength) this.long.set(this.#textBegun, at + 1);
        }
      } else if (character === quote) {
        this.#isInText = true;
        this.#textBegun = at;
      } else if (character === comma) {
        this.#values += 1;
      } else if (character === openBrace || character === openBracket) {
        this.#begun.push(at);
        this.#values += 1;
        if (this.#begun.length > depth) return `is nested deeper than ${depth} levels`;
      } else if (character === closeBrace || character === closeBracket) {
        const begun = this.#begun.pop();
        if (begun !== undefined && at - begun >= this.#pieceMost) this.long.set(begun, at + 1);
      }
    }
    this.#at = at;
    return this.#values > values ? `has more than ${values.toLocaleString('en')} values` : undefined;
  }
}

async function readLong(text: string, limits: JsonLimits, pieceMost: number): Promise<JsonReading> {
  if (text.length > veryLong) await nextTurn();
  const outline = new Outline(text, limits, pieceMost);
  while (!outline.isDone) {
    const problem = outline.lookAt(windowLength);
    if (problem !== undefined) return { problem };
    await yieldIfDue();
  }
  if (outline.isOpen) return { problem: 'is not JSON: it ends too early' };
  try {
    const value = await new LongJsonReader(text, outline.long).whole();
    // The caller looks through all of it at once, which takes as long again as a turn may.
    await nextTurn();
    return { value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `is not JSON: ${error.message}` };
  }
}
