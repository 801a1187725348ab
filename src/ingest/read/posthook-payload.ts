import { isUtf8 } from 'node:buffer';
import { type PostedTableName, postedShape, postedTableNames } from '../../catalogue/posted-tables.ts';
import type { Rejection } from '../../directory/put-records.ts';
import { Refusal } from '../../refusal.ts';
import { convertPostedRow } from '../../sources/posthook/convert.ts';
import { isTurnLong, nextTurn, yieldIfDue } from '../../yield-to-event-loop.ts';
import { JsonWalker, type RawValue } from './json-walker.ts';
import { type PostedRow, WaitingRows } from './posted-rows.ts';
import { jsonLine, maxLineBytes, tooLong } from './text-lines.ts';

export interface PostedRejection extends Rejection {
  readonly table: PostedTableName;
}

/** The payload of a hook, read to its end. The caller has to close it. */
interface HookPayload {
  /** The fields of a newer hook that this version does not know: `tables.x`, `sessions.y`. */
  readonly ignored: readonly string[];
  /** The rows that can be read, a change at a time. */
  pieces(): AsyncGenerator<readonly PostedRow[]>;
  close(): Promise<void>;
}

interface PayloadOptions {
  /** The file for rows that do not fit into memory. */
  readonly spoolFolder: string;
  /** Called for each row that cannot be read. */
  readonly rejected: (rejection: PostedRejection) => void;
  readonly maxRows?: number | undefined;
}

/** No hook sends more at once. Rows of unknown tables count too, and so do fields of the body. */
const maxPostedRows = 1_000_000;
/** Rows that wait together. */
const partLimits = { rows: 500, bytes: 512 * 1024 };
const maxIgnored = 100;
const cut = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name);

/**
 * Reads what the hook sends while it arrives. Rows that cannot be read are set apart; what is not known is passed over,
 * and reported. Nothing takes effect before the end: what is no payload there never was one.
 */
export async function readPayload(chunks: AsyncIterable<Buffer>, options: PayloadOptions): Promise<HookPayload> {
  const waiting = new WaitingRows(options.spoolFolder);
  const json = new JsonWalker(chunks);
  try {
    const ignored = await new PayloadReading(json, waiting, options).whole();
    return { ignored, pieces: () => waiting.pieces(), close: () => waiting.close() };
  } catch (error) {
    await waiting.close();
    throw error;
  } finally {
    await json.close();
  }
}

class PayloadReading {
  readonly #json: JsonWalker;
  readonly #waiting: WaitingRows;
  readonly #options: PayloadOptions;
  /** The parts that are passed over, in the order in which they are reported. */
  readonly #ignored = { fields: new Set<string>(), tables: new Set<string>(), columns: new Set<string>() };
  readonly #seen = new Set<string>();
  #rows = 0;

  constructor(json: JsonWalker, waiting: WaitingRows, options: PayloadOptions) {
    this.#json = json;
    this.#waiting = waiting;
    this.#options = options;
  }

  async whole(): Promise<readonly string[]> {
    const kind = await this.#json.kind();
    if (kind === 'nothing')
      throw new Refusal(
        'bad-input',
        'The body is empty: it must be a JSON object. /docs shows an example for each operation.',
      );
    if (kind !== 'object') {
      if (kind === 'value') await this.#value('it');
      throw new Refusal('bad-input', 'The body must be a JSON object with schema_version and tables.');
    }
    for await (const name of this.#fields()) {
      if (name === 'schema_version') requireVersion(await this.#value(this.#once(name)));
      else if (name === 'tables') await this.#tables(this.#once(name));
      else {
        this.#passOver('fields', name);
        await this.#value(name);
      }
    }
    await this.#json.end();
    if (!this.#seen.has('schema_version')) requireVersion(undefined);
    if (!this.#seen.has('tables')) throw noTables();
    return Object.values(this.#ignored).flatMap((names) => [...names]);
  }

  async *#fields(): AsyncGenerator<string> {
    for await (const name of this.#json.fields()) {
      this.#count();
      yield name;
      await yieldIfDue();
    }
  }

  async #tables(name: string): Promise<void> {
    if ((await this.#json.kind()) !== 'object') throw noTables();
    for await (const table of this.#fields()) {
      const path = `${name}.${table}`;
      if (isPosted(table)) await this.#table(table, this.#once(path));
      else {
        this.#passOver('tables', path);
        if ((await this.#json.kind()) !== 'list') await this.#value(path);
        else for await (const place of this.#places()) await this.#value(`${path}[${place - 1}]`);
      }
    }
  }

  async #table(table: PostedTableName, path: string): Promise<void> {
    if ((await this.#json.kind()) !== 'list') {
      if ((await this.#value(path)) === null) return;
      throw new Refusal('bad-input', `${path} must be an array of rows.`);
    }
    const shape = postedShape(table);
    let [part, bytes]: [PostedRow[], number] = [[], 0];
    for await (const line of this.#places()) {
      const raw = await this.#json.value(maxLineBytes);
      const reading = raw.cut
        ? { problem: tooLong, unknownFields: [] }
        : convertPostedRow(table, shape, await parsed(`${path}[${line - 1}]`, raw));
      for (const field of reading.unknownFields) this.#passOver('columns', `${table}.${field}`);
      if ('problem' in reading) {
        this.#options.rejected({ table, line, detail: reading.problem });
        continue;
      }
      part.push({ table, line, ...reading.converted });
      bytes += raw.bytes.length;
      if (part.length < partLimits.rows && bytes < partLimits.bytes) continue;
      await this.#waiting.add(table, part, bytes);
      [part, bytes] = [[], 0];
    }
    if (part.length > 0) await this.#waiting.add(table, part, bytes);
  }

  async *#places(): AsyncGenerator<number> {
    for await (const place of this.#json.items()) {
      this.#count();
      yield place;
      if (isTurnLong()) await nextTurn();
    }
  }

  /** A value that is read for what it is, or only passed over. Of what is too long to be held there is only the head. */
  async #value(name: string): Promise<unknown> {
    const raw = await this.#json.value(maxLineBytes);
    return raw.cut ? raw.bytes.toString('utf8') : parsed(name, raw);
  }

  #passOver(what: 'fields' | 'tables' | 'columns', name: string): void {
    const { fields, tables, columns } = this.#ignored;
    if (fields.size + tables.size + columns.size < maxIgnored) this.#ignored[what].add(cut(name));
  }

  /** Nobody knows which of the two is meant, and the rows of the first have been handled already. */
  #once(name: string): string {
    if (this.#seen.has(name)) throw new Refusal('bad-input', `The body has ${name} twice.`);
    this.#seen.add(name);
    return name;
  }

  #count(): void {
    const { maxRows = maxPostedRows } = this.#options;
    this.#rows += 1;
    if (this.#rows <= maxRows) return;
    const most = maxRows.toLocaleString('en');
    throw new Refusal(
      'too-large',
      `The body has more than ${most} rows: at most ${most} are accepted. Send them in several bodies.`,
    );
  }
}

const posted: ReadonlySet<string> = new Set(postedTableNames);
const isPosted = (name: string): name is PostedTableName => posted.has(name);
const noTables = (): Refusal => new Refusal('bad-input', 'tables must be an object of arrays of rows.');

async function parsed(name: string, { bytes }: RawValue): Promise<unknown> {
  if (!isUtf8(bytes)) throw new Refusal('bad-input', 'The body is not valid UTF-8.');
  const reading = jsonLine(1, bytes.toString('utf8'));
  const read = reading instanceof Promise ? await reading : reading;
  if ('value' in read) return read.value;
  throw new Refusal('bad-input', `The body cannot be taken: ${cut(name)} ${read.problem}.`);
}

/** The hook counts its versions up. Later ones add tables and fields, which are passed over, so any version is taken. */
function requireVersion(version: unknown): void {
  const isWhole = typeof version === 'number' && Number.isInteger(version) && version >= 1;
  const isDigits = typeof version === 'string' && /^0*[1-9]\d*$/.test(version);
  if (isWhole || isDigits) return;
  const found = version === undefined ? 'is missing' : `must not be ${shown(version)}`;
  throw new Refusal('bad-input', `schema_version ${found}. ${versionsTaken}`);
}

export const versionsTaken = 'It must be a whole number of 1 or more, such as 9 or "9".';

function shown(version: unknown): string {
  const text = JSON.stringify(version);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
