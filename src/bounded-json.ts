import { Breath } from './breath.ts';

/** What a JSON text may be at most. It is found out before anything is made of the text. */
export interface JsonLimits {
  /** Lists and objects inside each other. */
  readonly depth: number;
  /** Values in all: everything between two commas, and every list and object. */
  readonly values: number;
}

export type JsonReading = { readonly value: unknown } | { readonly problem: string };

/**
 * The longest text that is parsed in one go. An engine takes up to ten milliseconds for that much of the worst kind:
 * objects of which no two have the same fields.
 */
const pieceLength = 65_536;
/** Characters that are looked at before others have their turn: three milliseconds. */
const windowLength = 524_288;

const code = (character: string): number => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const comma = code(',');
const colon = code(':');
const openBracket = code('[');
const closeBracket = code(']');
const openBrace = code('{');
const closeBrace = code('}');
const isBlank = (character: number): boolean =>
  character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09;

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
  // Every value takes two characters at least, and every level two.
  if (text.length <= 2 * Math.min(limits.depth, limits.values)) return undefined;
  return new Outline(text, limits, Number.POSITIVE_INFINITY).lookAt(text.length);
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

  /** Looks at so many characters more, and says what is too much about them. */
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
  const breath = new Breath();
  const outline = new Outline(text, limits, pieceMost);
  while (!outline.isDone) {
    const problem = outline.lookAt(windowLength);
    if (problem !== undefined) return { problem };
    await breath.take();
  }
  try {
    return { value: await new Pieces(text, outline.long, breath).whole() };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `is not JSON: ${error.message}` };
  }
}

/** A long text read piece by piece: what fits into a piece is left to the engine, and the rest is put together here. */
class Pieces {
  readonly #text: string;
  readonly #long: ReadonlyMap<number, number>;
  readonly #breath: Breath;
  #at = 0;

  constructor(text: string, long: ReadonlyMap<number, number>, breath: Breath) {
    this.#text = text;
    this.#long = long;
    this.#breath = breath;
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
    await this.#breath.take();
    return this.#piece();
  }

  /** What is short enough, or a single text or number. */
  #piece(): unknown {
    const begins = this.#at;
    this.#pass();
    try {
      return JSON.parse(this.#text.slice(begins, this.#at));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new SyntaxError(`in what begins at character ${begins + 1}: ${error.message}`);
    }
  }

  /** Goes to the end of a value. Whether it is one is for the engine to say. */
  #pass(): void {
    const text = this.#text;
    let depth = 0;
    for (; this.#at < text.length; this.#at += 1) {
      const character = text.charCodeAt(this.#at);
      if (character === quote) {
        this.#at = endOfText(text, this.#at);
        if (depth === 0) return;
        this.#at -= 1;
      } else if (character === openBrace || character === openBracket) {
        depth += 1;
      } else if (character === closeBrace || character === closeBracket) {
        if (depth === 0) return;
        depth -= 1;
        if (depth === 0) {
          this.#at += 1;
          return;
        }
      } else if (depth === 0 && (character === comma || character === colon || isBlank(character))) {
        return;
      }
    }
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
    return !this.#breath.isDue && !this.#long.has(this.#at);
  }

  #closed<T>(value: T): T {
    this.#at += 1;
    return value;
  }
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
