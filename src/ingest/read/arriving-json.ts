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
} from '../../json-characters.ts';
import { Refusal } from '../../refusal.ts';
import { HeldBytes } from './held-bytes.ts';

/** The longest name of a field that is read. */
/** A name that only the engine reads right, or finds wrong. */
const needsParsing = /[\\\p{Cc}]/u;
const nameBytesMost = 1_000;

type JsonKind = 'object' | 'list' | 'value' | 'nothing';
export type RawValue = ReturnType<HeldBytes['take']>;

/**
 * A JSON body walked through while its bytes come in. What is walked into is an object or a list; a value that is not
 * is handed over as its bytes, and whether these are JSON is for their reader to find out.
 */
export class ArrivingJson {
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  #passed = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** What comes next. */
  async kind(): Promise<JsonKind> {
    const byte = await this.#next();
    if (byte === undefined) return 'nothing';
    return byte === openBrace ? 'object' : byte === openBracket ? 'list' : 'value';
  }

  /** The names of the fields of the object that comes next. The value of each has to be read before the next name. */
  async *fields(): AsyncGenerator<string> {
    await this.#expect(openBrace);
    if ((await this.#next()) === closeBrace) return this.#step();
    for (;;) {
      if ((await this.#next()) !== quote) throw this.#unexpected();
      const name = await this.#name();
      await this.#expect(colon);
      yield name;
      if ((await this.#next()) === closeBrace) return this.#step();
      await this.#expect(comma);
    }
  }

  /** The places, from 1, of the items of the list that comes next. Each has to be read before the next. */
  async *items(): AsyncGenerator<number> {
    await this.#expect(openBracket);
    if ((await this.#next()) === closeBracket) return this.#step();
    for (let place = 1; ; place += 1) {
      yield place;
      if ((await this.#next()) === closeBracket) return this.#step();
      await this.#expect(comma);
    }
  }

  /** The bytes of the value that comes next: all of them up to a limit, beyond it only the head. */
  async value(bytesMost: number): Promise<RawValue> {
    const held = new HeldBytes(bytesMost);
    const first = await this.#next();
    if (first === undefined || endsPlain(first)) throw this.#unexpected();
    const isPlain = first !== quote && first !== openBrace && first !== openBracket;
    let depth = 0;
    let isInText = false;
    let isEscaped = false;
    for (;;) {
      const chunk = this.#chunk;
      const from = this.#at;
      for (let at = from; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? 0;
        if (isInText) {
          if (isEscaped) isEscaped = false;
          else if (byte === backslash) isEscaped = true;
          else if (byte === quote) isInText = false;
          if (isInText || depth > 0) continue;
        } else if (isPlain) {
          if (!endsPlain(byte)) continue;
          return this.#taken(held, from, at);
        } else {
          if (byte === quote) isInText = true;
          else if (byte === openBrace || byte === openBracket) depth += 1;
          else if (byte === closeBrace || byte === closeBracket) depth -= 1;
          if (isInText || depth > 0) continue;
        }
        return this.#taken(held, from, at + 1);
      }
      held.hold(chunk.subarray(from));
      this.#at = chunk.length;
      if (!(await this.#more())) {
        if (isPlain) return held.take();
        throw this.#unexpected();
      }
    }
  }

  /** To be called at the end: nothing may follow. */
  async end(): Promise<void> {
    if ((await this.#next()) !== undefined) throw this.#unexpected();
  }

  /** Lets go of where the bytes come from. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #taken(held: HeldBytes, from: number, to: number): RawValue {
    held.hold(this.#chunk.subarray(from, to));
    this.#at = to;
    return held.take();
  }

  async #name(): Promise<string> {
    const { bytes, cut } = await this.value(nameBytesMost);
    if (cut) throw new Refusal('bad-input', `The body has a field whose name is longer than ${nameBytesMost} bytes.`);
    const text = bytes.toString('utf8');
    // The engine enters every name that it parses in a table, and with a million of them that table takes 40 ms to grow.
    if (!needsParsing.test(text)) return text.slice(1, -1);
    try {
      return JSON.parse(text) as string;
    } catch {
      throw this.#unexpected();
    }
  }

  /** The next byte that is not blank. It stays where it is. */
  async #next(): Promise<number | undefined> {
    for (;;) {
      while (this.#at < this.#chunk.length) {
        const byte = this.#chunk[this.#at] ?? 0;
        if (!isBlank(byte)) return byte;
        this.#at += 1;
      }
      if (!(await this.#more())) return undefined;
    }
  }

  async #expect(byte: number): Promise<void> {
    if ((await this.#next()) !== byte) throw this.#unexpected();
    this.#step();
  }

  #step(): void {
    this.#at += 1;
  }

  async #more(): Promise<boolean> {
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
