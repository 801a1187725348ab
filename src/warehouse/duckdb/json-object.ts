import type { FieldType } from '../../catalogue/record.ts';
import type { ObjectField } from '../sql/dialect.ts';
import { listed, raw, type Sql, sql } from '../sql/sql.ts';

/**
 * A row as a JSON object, made by the engine, with the same bytes that JavaScript would write: an answer of many rows then
 * needs no work here at all. Undefined where the engine writes a field in another way: it spells some numbers
 * differently, and keeps the spelling of JSON that it is given. Escapes are the same but for the case of their letters,
 * see `EscapeWriter`. The text is put together from its pieces, and before rows are sorted: the engine's own way to write
 * objects takes two fifths longer, and after sorting only one thread would write.
 */
export function jsonObject(fields: readonly ObjectField[]): Sql | undefined {
  const pieces: Sql[] = [];
  for (const [i, field] of fields.entries()) {
    const shown = 'always' in field ? raw("'true'") : shownValue(field.type, field.value);
    if (!shown) return undefined;
    const ofNothing = 'ofNothing' in field && field.ofNothing === 0 ? '0' : 'null';
    const name = literal(`${i === 0 ? '{' : ','}${JSON.stringify(field.name)}:`);
    pieces.push(sql`${raw(name)}, coalesce(${shown}, ${raw(literal(ofNothing))})`);
  }
  return sql`concat(${listed(pieces)}, '}')`;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A value as JSON text. */
function shownValue(type: FieldType, value: Sql): Sql | undefined {
  switch (type) {
    case 'text':
      return sql`CAST(to_json(${value}) AS VARCHAR)`;
    case 'boolean':
      return sql`CAST(${value} AS VARCHAR)`;
    case 'date':
      return inQuotes(sql`CAST(${value} AS VARCHAR)`);
    case 'integer':
      return sql`CAST(CAST(${value} AS BIGINT) AS VARCHAR)`;
    case 'timestamp':
      return sql`strftime(${value}, '"%Y-%m-%dT%H:%M:%SZ"')`;
    case 'duration':
      return inQuotes(isoDuration(value));
    case 'text[]':
      return sql`CAST(to_json(CAST(${value} AS JSON)) AS VARCHAR)`;
    default:
      return undefined;
  }
}

const inQuotes = (text: Sql): Sql => sql`'"' || ${text} || '"'`;

/** `PT26H4M5S`, in whole thousandths of a second: parts that are zero are left out, and of nothing at all `PT0S` is left. */
function isoDuration(seconds: Sql): Sql {
  const thousandths = sql`CAST(round(abs(${seconds}) * 1000) AS BIGINT)`;
  const part = (number: Sql, letter: string): Sql =>
    sql`CASE WHEN ${number} > 0 THEN concat(${number}, ${raw(`'${letter}'`)}) ELSE '' END`;
  const hours = part(sql`(${thousandths} // 3600000)`, 'H');
  const minutes = part(sql`(${thousandths} // 60000 % 60)`, 'M');
  const [whole, rest] = [sql`${thousandths} % 60000 // 1000`, sql`${thousandths} % 1000`];
  const fraction = sql`CASE WHEN ${rest} > 0 THEN '.' || rtrim(lpad(CAST(${rest} AS VARCHAR), 3, '0'), '0') ELSE '' END`;
  const secondsPart = sql`CASE WHEN ${thousandths} % 60000 > 0 THEN concat(${whole}, ${fraction}, 'S') ELSE '' END`;
  const sign = sql`CASE WHEN ${seconds} < 0 THEN '-PT' ELSE 'PT' END`;
  return sql`CASE WHEN ${thousandths} = 0 THEN 'PT0S' WHEN ${thousandths} > 0 THEN concat(${sign}, ${hours}, ${minutes}, ${secondsPart}) END`;
}

const escaped = Buffer.from('\\u00');
const backslash = 0x5c;
const escapeBytes = 6;

/**
 * Writes escapes of JSON as JavaScript writes them, in small letters: only control characters have letters in theirs.
 * Pieces may end anywhere, also within an escape.
 */
export class EscapeWriter {
  /** How many bytes of an escape have come. */
  #inside = 0;

  /** The piece, changed where it has to be. */
  write(piece: Buffer): Buffer {
    const mayMatter =
      this.#inside > 0 || piece.includes(escaped) || piece.lastIndexOf(backslash) > piece.length - escapeBytes;
    if (!mayMatter) return piece;
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i] ?? 0;
      if (this.#inside === 0) this.#inside = byte === backslash ? 1 : 0;
      else this.#follow(piece, i, byte);
    }
    return piece;
  }

  /** What may follow in `\u001f`, byte by byte. Anything else is the end of another escape. */
  #follow(piece: Buffer, i: number, byte: number): void {
    if (this.#inside === escapeBytes - 1) {
      // A to F, in capitals.
      if (byte >= 0x41 && byte <= 0x46) piece[i] = byte + 0x20;
      this.#inside = 0;
      return;
    }
    const isExpected =
      this.#inside === 1 ? byte === 0x75 : byte === 0x30 || (this.#inside === escapeBytes - 2 && byte === 0x31);
    this.#inside = isExpected ? this.#inside + 1 : 0;
  }
}
