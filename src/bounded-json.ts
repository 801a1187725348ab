import { nextTurn, yieldIfDue } from './yield-to-event-loop.ts';

const code = (character: string): number => character.charCodeAt(0);

/** The characters that JSON is made of, by code. All are ASCII: a byte of UTF-8 is compared with them as well. */
export const quote = code('"');
export const backslash = code('\\');
export const comma = code(',');
export const colon = code(':');
export const openBracket = code('[');
export const closeBracket = code(']');
export const openBrace = code('{');
export const closeBrace = code('}');
export const newline = 0x0a;

export const isBlank = (character: number): boolean =>
  character === 0x20 || character === newline || character === 0x0d || character === 0x09;

/** Whether a number, or a word such as true, is over. */
export const endsPlain = (character: number): boolean =>
  isBlank(character) ||
  character === comma ||
  character === colon ||
  character === closeBracket ||
  character === closeBrace;

/** Whether a value that begins with this character is a number or a word, and so ends before what follows it. */
export const isPlain = (first: number): boolean => first !== quote && first !== openBrace && first !== openBracket;

/** The limits of a JSON text. They are checked before the parser builds more than that from the text. */
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
/** A longer text in quotes is put together from parts: six mebibytes of escapes are 25 milliseconds. */
const textPieceLength = 262_144;
/** No number that means something is written longer; five million digits are 20 milliseconds. */
const plainLength = 1_000;
/** Characters that are looked at before others may have their turn: a millisecond, or three the first time. */
const windowLength = 32_768;
/** After putting together and decoding such a text, the caller has held the event loop for long enough. */
const veryLong = 1_048_576;

/** The end of a sentence that says which limit a text breaks. */
class LimitExceeded extends Error {}

/**
 * Reads JSON within limits. A short text is read at once; a long one in pieces, with the event loop left to others in
 * between. What is wrong is said as the end of a sentence: "is not JSON: …".
 */
export function readJson(
  text: string,
  limits: JsonLimits,
  maxPieceLength = pieceLength,
): JsonReading | Promise<JsonReading> {
  if (text.length > maxPieceLength) return readLong(text, limits, maxPieceLength);
  const problem = problemOf(text, limits);
  if (problem !== undefined) return { problem };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: problemIn(error) };
  }
}

/** The limit that a text breaks, if any, whether or not it is JSON. */
export function problemOf(text: string, limits: JsonLimits): string | undefined {
  // A value takes a character at least, and a level an opening bracket: most texts have few of them, and the engine finds
  // these many times as quickly as they can be followed here.
  if (text.length <= limits.values && bracketsIn(text, limits.depth) <= limits.depth) return undefined;
  try {
    new OutlinedJson(text, limits, Number.POSITIVE_INFINITY).lookAt(text.length);
    return undefined;
  } catch (error) {
    return problemIn(error);
  }
}

/** Opening brackets, counted until there are more than matter. */
function bracketsIn(text: string, max: number): number {
  let brackets = 0;
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at !== -1 && brackets <= max; at = text.indexOf(bracket, at + 1))
      brackets += 1;
  }
  return brackets;
}

function problemIn(error: unknown): string {
  if (error instanceof LimitExceeded) return error.message;
  if (error instanceof SyntaxError) return `is not JSON: ${error.message}`;
  throw error;
}

async function readLong(text: string, limits: JsonLimits, maxPieceLength: number): Promise<JsonReading> {
  if (text.length > veryLong) await nextTurn();
  try {
    const value = await new OutlinedJson(text, limits, maxPieceLength).value();
    // The caller looks through all of it at once, which takes as long again as a turn may.
    await nextTurn();
    return { value };
  } catch (error) {
    return { problem: problemIn(error) };
  }
}

/** A list, an object or a text that is too long to be parsed in one go. */
interface Long {
  readonly begins: number;
  readonly ends: number;
  /** The positions of the commas of a list or an object. */
  readonly commas: readonly number[];
}

/**
 * A text of which only quotes, brackets and commas are followed here. What stands between them is left to the engine, piece
 * by piece: what is inside first, then what is around it.
 */
class OutlinedJson {
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #maxPieceLength: number;
  /** The beginning of each open list and object, and how many commas came before it. */
  readonly #open: { readonly begins: number; readonly commas: number }[] = [];
  readonly #commas: number[] = [];
  /** The values that are read already, while nothing around them is. */
  readonly #read: (Long & { readonly value: unknown })[] = [];
  #isInText = false;
  /** The last quote, bracket or comma. */
  #sign = -1;
  #at = 0;
  #values = 1;

  constructor(text: string, limits: JsonLimits, maxPieceLength: number) {
    this.#text = text;
    this.#limits = limits;
    this.#maxPieceLength = maxPieceLength;
  }

  async value(): Promise<unknown> {
    const text = this.#text;
    while (this.#at < text.length) {
      const long = this.lookAt(windowLength);
      if (long) this.#read.push({ ...long, value: await this.#valueOf(long) });
      await yieldIfDue();
    }
    if (this.#isInText || this.#open.length > 0) throw new SyntaxError('it ends too early');
    this.#refuseLongPlain(text.length);
    // The whole text is a list without brackets, of one item.
    const whole = { begins: -1, ends: text.length + 1, commas: this.#commas };
    const values = (await this.#items(whole, '[]')) as readonly unknown[];
    if (values.length !== 1) throw new SyntaxError('it must be one value');
    return values[0];
  }

  /** Looks at this many more characters, or up to the end of something long, and returns that. */
  lookAt(characters: number): Long | undefined {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + characters);
    let long: Long | undefined;
    let at = this.#at;
    for (; at < end && !long; at += 1) {
      const character = text.charCodeAt(at);
      if (this.#isInText) {
        if (character === backslash) at += 1;
        else if (character === quote) long = this.#endText(at);
      } else if (character === quote) {
        this.#refuseLongPlain(at);
        this.#isInText = true;
      } else if (character === comma) {
        this.#refuseLongPlain(at);
        this.#commas.push(at);
        this.#count();
      } else if (character === openBrace || character === openBracket) {
        this.#refuseLongPlain(at);
        this.#open.push({ begins: at, commas: this.#commas.length });
        this.#count();
        const { depth } = this.#limits;
        if (this.#open.length > depth) throw new LimitExceeded(`is nested deeper than ${depth} levels`);
      } else if (character === closeBrace || character === closeBracket) {
        this.#refuseLongPlain(at);
        long = this.#leave(at);
      }
    }
    this.#at = at;
    return long;
  }

  #endText(at: number): Long | undefined {
    const begins = this.#sign;
    this.#isInText = false;
    this.#sign = at;
    if (at - begins < textPieceLength) return undefined;
    nameEnd.lastIndex = at + 1;
    return nameEnd.test(this.#text) ? undefined : { begins, ends: at + 1, commas: [] };
  }

  #leave(at: number): Long | undefined {
    // A closing bracket that no bracket has opened is for the engine to find.
    const { begins, commas: before } = this.#open.pop() ?? { begins: at, commas: this.#commas.length };
    const commas = this.#commas.splice(before);
    return at > begins && at - begins >= this.#maxPieceLength ? { begins, ends: at + 1, commas } : undefined;
  }

  #count(): void {
    this.#values += 1;
    const { values } = this.#limits;
    if (this.#values > values) throw new LimitExceeded(`has more than ${values.toLocaleString('en')} values`);
  }

  /** A number between the last sign and this one. Nothing else that is right and long stands there but blanks. */
  #refuseLongPlain(until: number): void {
    const from = this.#sign + 1;
    this.#sign = until;
    if (until - from <= plainLength || this.#maxPieceLength === Number.POSITIVE_INFINITY) return;
    const plain = this.#text.slice(from, until).replace(/^\s*:?\s*/, '');
    if (plain.trimEnd().length <= plainLength) return;
    const begins = until - plain.length + 1;
    throw new SyntaxError(`what begins at character ${begins} has more than ${plainLength} characters`);
  }

  #valueOf(long: Long): Promise<unknown> {
    const { begins, ends } = long;
    const opening = this.#text.charCodeAt(begins);
    if (opening === quote) return this.#longText(long);
    const brackets = opening === openBracket ? '[]' : '{}';
    if (this.#text[ends - 1] === brackets[1]) return this.#items(long, brackets);
    throw new SyntaxError(`Unexpected '${this.#text[ends - 1]}' at character ${ends}`);
  }

  /** The items of a list or an object, as many at once as make a piece, and each long one by itself. */
  async #items({ begins, ends, commas }: Long, [open = '', close = '']: string): Promise<unknown> {
    const list: unknown[] = [];
    const object: Record<string, unknown> = {};
    const add = (from: number, items: string, long?: { readonly value: unknown }) => {
      const some = parsedPart(open + items + close, from) as object;
      if (Array.isArray(some)) for (const item of some) list.push(long ? long.value : item);
      else for (const [name, value] of Object.entries(some)) setField(object, name, long ? long.value : value);
    };
    const first = this.#read.findIndex((one) => one.begins > begins);
    const inside = first === -1 ? [] : this.#read.splice(first);
    const last = ends - 1;
    let [from, item] = [begins + 1, begins + 1];
    for (const until of [...commas, last]) {
      const long = inside[0] && inside[0].begins < until ? inside.shift() : undefined;
      if (long) {
        if (from < item) add(from, this.#text.slice(from, item - 1));
        add(item, `${this.#text.slice(item, long.begins)}null${this.#text.slice(long.ends, until)}`, long);
        from = until + 1;
        await yieldIfDue();
      } else if (until - from >= this.#maxPieceLength || until === last) {
        const items = this.#text.slice(from, until);
        if (commas.length > 0 && items.trim() === '') throw new SyntaxError(`nothing stands at character ${from + 1}`);
        add(from, items);
        from = until + 1;
        await yieldIfDue();
      }
      item = until + 1;
    }
    return open === '[' ? list : object;
  }

  /** A long text, part by part. */
  async #longText({ begins, ends }: Long): Promise<string> {
    const parts: string[] = [];
    for (let from = begins + 1; from < ends - 1; ) {
      const rest = this.#text.slice(from, Math.min(from + textPieceLength + 6, ends - 1));
      const part = rest.slice(0, behindEscapes(rest, textPieceLength));
      parts.push(parsedPart(`"${part}"`, from) as string);
      from += part.length;
      await yieldIfDue();
    }
    return parts.join('');
  }
}

/** The characters between the name of a field and its value. */
const nameEnd = /\s*:/y;

/** The one name that does not become a field by being set is `__proto__`. */
function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A part of a text that begins at this place, as the engine reads it. */
function parsedPart(part: string, from: number): unknown {
  try {
    return JSON.parse(part);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`in what begins at character ${from + 1}: ${error.message}`);
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
