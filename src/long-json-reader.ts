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
import { isTurnLong, yieldIfDue } from './yield-to-event-loop.ts';

/** A longer text is put together from parts: six mebibytes of escapes are 25 milliseconds. */
const textLength = 262_144;
/** No number that means something is written longer; five million digits are 20 milliseconds. */
const plainLength = 1_000;

/** A long text read piece by piece: what fits into a piece is left to the engine, and the rest is put together here. */
export class LongJsonReader {
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
