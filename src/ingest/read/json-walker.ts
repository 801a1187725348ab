import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  endsPlain,
  isBlank,
  isPlain,
  newline,
  openBrace,
  openBracket,
  quote,
} from '../../bounded-json.ts';
import { Refusal } from '../../refusal.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { HeldBytes } from './text-lines.ts';

/** A name that only the engine reads right, or finds wrong. */
const needsParsing = /[\\\p{Cc}]/u;
/** The longest name of a field that is read. */
const maxNameBytes = 1_000;

type JsonKind = 'object' | 'list' | 'value' | 'nothing';
export type RawValue = ReturnType<HeldBytes['take']>;

/**
 * The piece to take: a value; an item of a list with everything up to the next comma or bracket; or the piece that the
 * end of an object or line closes.
 */
type WalkedExtent = 'value' | 'item' | 'object or line';

/**
 * JSON walked through while its bytes come in. What is walked into is an object or a list; a value that is not is handed
 * over as its bytes, and whether these are JSON is for their reader to find out.
 */
export class JsonWalker {
  /** The line of the byte that comes next, from 1. */
  line = 1;
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  #passed = 0;
  /** How deep inside the brackets of what is taken the next byte is, and whether it is in a text or follows a backslash. */
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The kind of the next value. */
  async kind(): Promise<JsonKind> {
    const byte = await this.next();
    if (byte === undefined) return 'nothing';
    return byte === openBrace ? 'object' : byte === openBracket ? 'list' : 'value';
  }

  /** The names of the fields of the object that comes next. The value of each has to be read before the next name. */
  async *fields(): AsyncGenerator<string> {
    await this.#expect(openBrace);
    if ((await this.next()) === closeBrace) return this.step();
    for (;;) {
      if ((await this.next()) !== quote) throw this.#unexpected();
      const name = await this.#name();
      await this.#expect(colon);
      yield name;
      if ((await this.next()) === closeBrace) return this.step();
      await this.#expect(comma);
    }
  }

  /** The places, from 1, of the items of the list that comes next. Each has to be read before the next. */
  async *items(): AsyncGenerator<number> {
    await this.#expect(openBracket);
    if ((await this.next()) === closeBracket) return this.step();
    for (let place = 1; ; place += 1) {
      yield place;
      if ((await this.next()) === closeBracket) return this.step();
      await this.#expect(comma);
    }
  }

  /** The bytes of the value that comes next: all of them up to a limit, beyond it only the head. */
  async value(maxBytes: number): Promise<RawValue> {
    const first = await this.next();
    if (first === undefined || endsPlain(first)) throw this.#unexpected();
    const taken = this.take('value', maxBytes);
    const raw = taken instanceof Promise ? await taken : taken;
    if (raw === undefined) throw this.#unexpected();
    return raw;
  }

  /** Called at the end: no text may follow. */
  async end(): Promise<void> {
    if ((await this.next()) !== undefined) throw this.#unexpected();
  }

  /** Lets go of where the bytes come from. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** The next byte that is not blank. It stays where it is. */
  async next(): Promise<number | undefined> {
    for (;;) {
      while (this.#at < this.#chunk.length) {
        const byte = this.#chunk[this.#at] ?? 0;
        if (!isBlank(byte)) return byte;
        this.step();
      }
      if (!(await this.#more())) return undefined;
    }
  }

  step(): void {
    if (this.#chunk[this.#at] === newline) this.line += 1;
    this.#at += 1;
  }

  /** The bytes from here to where this extent ends. Nothing where it does not end. To be waited for if they are not here yet. */
  take(extent: WalkedExtent, maxBytes: number): RawValue | Promise<RawValue | undefined> {
    const held = new HeldBytes(maxBytes);
    const until = extent === 'value' && isPlain(this.#chunk[this.#at] ?? 0) ? 'plain' : extent;
    this.#depth = 0;
    this.#isInText = false;
    this.#isEscaped = false;
    return this.#hold(until, held) ? held.take() : this.#takeOn(until, held);
  }

  /** The first of the bytes that come next, as far as they are here. */
  head(bytes: number): string {
    return this.#chunk.toString('latin1', this.#at, this.#at + bytes);
  }

  /** The rest of the text, for another reader. */
  async *rest(): AsyncGenerator<Buffer> {
    do yield this.#chunk.subarray(this.#at);
    while (await this.#more());
  }

  async #takeOn(extent: WalkedExtent | 'plain', held: HeldBytes): Promise<RawValue | undefined> {
    while (await this.#more()) if (this.#hold(extent, held)) return held.take();
    return extent === 'plain' ? held.take() : undefined;
  }

  /** Holds what is in this chunk, and says whether it ends here. */
  #hold(extent: WalkedExtent | 'plain', held: HeldBytes): boolean {
    const from = this.#at;
    const hasEnded = extent === 'plain' ? this.#passPlain() : this.#pass(extent);
    held.hold(this.#chunk.subarray(from, this.#at));
    return hasEnded;
  }

  #passPlain(): boolean {
    while (this.#at < this.#chunk.length && !endsPlain(this.#chunk[this.#at] ?? 0)) this.#at += 1;
    return this.#at < this.#chunk.length;
  }

  /** Follows texts and brackets, and nothing else. What no bracket has opened, none closes. */
  #pass(extent: WalkedExtent): boolean {
    const chunk = this.#chunk;
    let depth = this.#depth;
    let isInText = this.#isInText;
    for (let at = this.#at; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === newline) this.line += 1;
      if (isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) isInText = false;
      } else if (byte === quote) isInText = true;
      else if (byte === openBrace || byte === openBracket) depth += 1;
      else if (extent === 'item' && depth === 0 && (byte === comma || byte === closeBracket)) {
        this.#at = at;
        return true;
      } else if ((byte === closeBrace || byte === closeBracket) && depth > 0) depth -= 1;
      if (depth > 0 || extent === 'item') continue;
      if (extent === 'value' ? isInText : byte !== closeBrace && byte !== newline) continue;
      this.#at = at + 1;
      return true;
    }
    this.#at = chunk.length;
    this.#depth = depth;
    this.#isInText = isInText;
    return false;
  }

  async #name(): Promise<string> {
    const { bytes, cut } = await this.value(maxNameBytes);
    if (cut) throw new Refusal('bad-input', `The body has a field whose name is longer than ${maxNameBytes} bytes.`);
    const text = bytes.toString('utf8');
    // The engine enters every name that it parses in a table, and with a million of them that table takes 40 ms to grow.
    if (!needsParsing.test(text)) return text.slice(1, -1);
    try {
      return JSON.parse(text) as string;
    } catch {
      throw this.#unexpected();
    }
  }

  async #expect(byte: number): Promise<void> {
    if ((await this.next()) !== byte) throw this.#unexpected();
    this.step();
  }

  async #more(): Promise<boolean> {
    if (isTurnLong()) await nextTurn();
    const next = await this.#chunks.next();
    if (next.done) return false;
    this.#passed += this.#chunk.length;
    this.#chunk = next.value;
    this.#at = 0;
    return true;
  }

  #unexpected(): Refusal {
    const byte = this.#chunk[this.#at];
    const found =
      byte === undefined
        ? 'it ends too early'
        : `unexpected ${byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : 'byte'} at byte ${this.#passed + this.#at + 1}`;
    return new Refusal('bad-input', `The body is not JSON: ${found}.`);
  }
}
