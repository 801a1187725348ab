import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  endsPlain,
  isBlank,
  openBrace,
  openBracket,
  quote,
} from './json-characters.ts';
import { isTurnLong, nextTurn, yieldIfDue } from './yield-to-event-loop.ts';

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
/** A longer text is put together from parts: six mebibytes of escapes are 25 milliseconds. */
const textLength = 262_144;
/** No number that means something is written longer; five million digits are 20 milliseconds. */
const plainLength = 1_000;

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
  /** Where the lists and objects that are too long to be parsed in one go begin, and where each of them ends. */
  readonly long = new Map<number, number>();
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #pieceMost: number;
  readonly #begun: number[] = [];
  #at = 0;
  #values = 1;
  #isInText = false;

  constructor(text: string, limits: JsonLimits, pieceMost: number) {
    this.#text = text;
    this.#limits = limits;
    this.#pieceMost = pieceMost;
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length;
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
        else if (character === quote) this.#isInText = false;
      } else if (character === quote) {
        this.#isInText = true;
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
  try {
    const value = await new Pieces(text, outline.long).whole();
    // The caller looks through all of it at once, which takes as long again as a turn may.
    await nextTurn();
    return { value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `is not JSON: ${error.message}` };
  }
}

/** A long text read piece by piece: what fits into a piece is left to the engine, and the rest is put together here. */
class Pieces {
  readonly #text: string;
  readonly #long: ReadonlyMap<number, number>;
  #at = 0;

  constructor(text: string, long: ReadonlyMap<number, number>) {
    this.#text = text;
    this.#long = long;
  }

  async whole(): Promise<unknown> {
    this.#next();
    const value = await this.#value();
    if (!Number.isNaN(this.#next())) throw this.#unexpected();
    return value;
  }

  /** The next character that is not blank, and NaN behind the end. */
  #next(): number {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at += 1;
    return this.#text.charCodeAt(this.#at);
  }

  #unexpected(): SyntaxError {
    const found = this.#text[this.#at];
    return new SyntaxError(
      found === undefined ? 'it ends too early' : `Unexpected '${found}' at character ${this.#at + 1}`,
    );
  }

  async #value(): Promise<unknown> {
    const begins = this.#at;
    if (this.#long.has(begins)) {
      return this.#text.charCodeAt(begins) === openBrace ? this.#object() : this.#list();
    }
    await yieldIfDue();
    return this.#isLongText() ? this.#longText() : this.#piece();
  }

  #isLongText(): boolean {
    if (this.#text.charCodeAt(this.#at) !== quote) return false;
    return endOfText(this.#text, this.#at) - this.#at > textLength;
  }

  /** A long text, part by part. */
  async #longText(): Promise<string> {
    const text = this.#text;
    const ends = endOfText(text, this.#at) - 1;
    const parts: string[] = [];
    for (let from = this.#at + 1; from < ends; ) {
      const to = Math.min(ends, beforeEscape(text, from, from + textLength));
      this.#at = from;
      parts.push(parsedPart(`"${text.slice(from, to)}"`, from) as string);
      from = to;
      await yieldIfDue();
    }
    this.#at = ends + 1;
    return parts.join('');
  }

  /** What is short enough, or a single text or number. */
  #piece(): unknown {
    const begins = this.#at;
    this.#at = endOfValue(this.#text, begins);
    return parsedPart(this.#text.slice(begins, this.#at), begins);
  }

  async #list(): Promise<unknown[]> {
    const list: unknown[] = [];
    this.#at += 1;
    if (this.#next() === closeBracket) return this.#closed(list);
    for (;;) {
      this.#next();
      list.push(this.#isQuick() ? this.#piece() : await this.#value());
      const character = this.#next();
      if (character === closeBracket) return this.#closed(list);
      if (character !== comma) throw this.#unexpected();
      this.#at += 1;
    }
  }

  async #object(): Promise<object> {
    const object: Record<string, unknown> = {};
    this.#at += 1;
    if (this.#next() === closeBrace) return this.#closed(object);
    for (;;) {
      if (this.#next() !== quote) throw this.#unexpected();
      const name = this.#piece() as string;
      if (this.#next() !== colon) throw this.#unexpected();
      this.#at += 1;
      this.#next();
      const value = this.#isQuick() ? this.#piece() : await this.#value();
      // The one name that does not become a field by being set.
      if (name === '__proto__') Object.defineProperty(object, name, { value, ...ordinary });
      else object[name] = value;
      const character = this.#next();
      if (character === closeBrace) return this.#closed(object);
      if (character !== comma) throw this.#unexpected();
      this.#at += 1;
    }
  }

  /** Nothing has to be waited for. */
  #isQuick(): boolean {
    return !isTurnLong() && !this.#long.has(this.#at) && !this.#isLongText();
  }

  #closed<T>(value: T): T {
    this.#at += 1;
    return value;
  }
}

/** Behind the value that begins here. Whether it is one is for the engine to say. */
function endOfValue(text: string, begins: number): number {
  const first = text.charCodeAt(begins);
  if (first === quote) return endOfText(text, begins);
  if (first !== openBrace && first !== openBracket) return endOfPlain(text, begins);
  let depth = 0;
  for (let at = begins; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at) - 1;
    else if (character === openBrace || character === openBracket) depth += 1;
    else if (character === closeBrace || character === closeBracket) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** Behind a number, or a word such as true. */
function endOfPlain(text: string, begins: number): number {
  let at = begins;
  while (at < text.length && !endsPlain(text.charCodeAt(at))) {
    at += 1;
    if (at - begins > plainLength) {
      throw new SyntaxError(`what begins at character ${begins + 1} has more than ${plainLength} characters`);
    }
  }
  return at;
}

/** A part of a text that begins at this character, as the engine reads it. */
function parsedPart(part: string, begins: number): unknown {
  try {
    return JSON.parse(part);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`in what begins at character ${begins + 1}: ${error.message}`);
  }
}

/** The place itself, or the beginning of the escape that it is in the middle of. Nothing before `from` matters. */
function beforeEscape(text: string, from: number, at: number): number {
  for (let begins = Math.max(from, at - 5); begins < at; begins += 1) {
    if (text.charCodeAt(begins) !== backslash) continue;
    let run = 1;
    while (begins - run >= from && text.charCodeAt(begins - run) === backslash) run += 1;
    // The second of two backslashes begins nothing.
    if (run % 2 === 0) continue;
    if (begins + (text[begins + 1] === 'u' ? 6 : 2) > at) return begins;
  }
  return at;
}

const ordinary = { writable: true, enumerable: true, configurable: true } as const;

/** Behind the closing quote of the text that begins here, or the end of everything. */
function endOfText(text: string, begins: number): number {
  for (let at = text.indexOf('"', begins + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}
