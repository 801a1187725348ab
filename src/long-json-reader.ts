import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  endsPlain,
  isBlank,
  isPlain,
  openBrace,
  openBracket,
  quote,
} from './json-characters.ts';
import { isTurnLong, yieldIfDue } from './yield-to-event-loop.ts';

/** A longer text is put together from parts: six mebibytes of escapes are 25 milliseconds. */
export const textPieceLength = 262_144;
/** No number that means something is written longer; five million digits are 20 milliseconds. */
const plainLength = 1_000;

/**
 * A long text read piece by piece: what fits into a piece is left to the engine, and the rest is put together here. `long`
 * says where what does not fit begins, and where it ends.
 */
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
    await yieldIfDue();
    const ends = this.#long.get(this.#at);
    if (ends === undefined) return this.#piece();
    return this.#text.charCodeAt(this.#at) === quote ? this.#longText(ends) : this.#listOrObject();
  }

  /** What is short enough, or a single text or number. */
  #piece(): unknown {
    const begins = this.#at;
    this.#at = endOfValue(this.#text, begins);
    return parsedPart(this.#text.slice(begins, this.#at), begins);
  }

  /** A long text, part by part. */
  async #longText(ends: number): Promise<string> {
    const parts: string[] = [];
    for (let from = this.#at + 1; from < ends - 1; ) {
      const rest = this.#text.slice(from, Math.min(from + textPieceLength + 6, ends - 1));
      const part = rest.slice(0, behindEscapes(rest, textPieceLength));
      parts.push(parsedPart(`"${part}"`, from) as string);
      from += part.length;
      await yieldIfDue();
    }
    this.#at = ends;
    return parts.join('');
  }

  async #listOrObject(): Promise<unknown> {
    const list: unknown[] = [];
    const object: Record<string, unknown> = {};
    const isList = this.#text.charCodeAt(this.#at) === openBracket;
    const close = isList ? closeBracket : closeBrace;
    this.#at += 1;
    for (let character = this.#next(); character !== close; ) {
      const name = isList ? '' : this.#name();
      this.#next();
      const value = isTurnLong() || this.#long.has(this.#at) ? await this.#value() : this.#piece();
      if (isList) list.push(value);
      // The one name that does not become a field by being set.
      else if (name === '__proto__') Object.defineProperty(object, name, { value, ...ordinary });
      else object[name] = value;
      character = this.#next();
      if (character === close) break;
      if (character !== comma) throw this.#unexpected();
      this.#at += 1;
    }
    this.#at += 1;
    return isList ? list : object;
  }

  #name(): string {
    if (this.#next() !== quote) throw this.#unexpected();
    const name = this.#piece() as string;
    if (this.#next() !== colon) throw this.#unexpected();
    this.#at += 1;
    return name;
  }
}

const ordinary = { writable: true, enumerable: true, configurable: true } as const;

/** Behind the value that begins here. Whether it is one is for the engine to say. */
function endOfValue(text: string, begins: number): number {
  if (isPlain(text.charCodeAt(begins))) return endOfPlain(text, begins);
  let depth = 0;
  for (let at = begins; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at);
    else if (character === openBrace || character === openBracket) depth += 1;
    else if (character === closeBrace || character === closeBracket) depth -= 1;
    if (depth === 0) return at + 1;
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

/** The closing quote of the text that begins here. */
function endOfText(text: string, begins: number): number {
  for (let at = text.indexOf('"', begins + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
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

/** This place, or the end of the escape that it is in the middle of. */
function behindEscapes(text: string, place: number): number {
  let at = 0;
  for (let begins = text.indexOf('\\'); begins !== -1 && begins < place; begins = text.indexOf('\\', at)) {
    at = begins + (text[begins + 1] === 'u' ? 6 : 2);
  }
  return Math.max(at, place);
}
