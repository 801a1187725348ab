import type { FieldType } from '../../catalogue/record.ts';
import type { ObjectField } from '../sql/dialect.ts';
import { listed, raw, type Sql, sql } from '../sql/sql.ts';

/**
 * One JSON object a row, made by the engine, with the same bytes that JavaScript would write: an answer of many rows then
 * needs no work here at all. Undefined where the engine writes a field in another way: it spells some numbers
 * differently, and keeps the spelling of JSON that it is given. Escapes are the same but for the case of their letters,
 * see `plainEscapes`.
 */
export function jsonObject(fields: readonly ObjectField[]): Sql | undefined {
  const pairs: Sql[] = [];
  for (const field of fields) {
    const shown = 'always' in field ? raw('true') : shownValue(field.type, field.value);
    if (!shown) return undefined;
    const value = 'ofNothing' in field && field.ofNothing === 0 ? sql`coalesce(${shown}, 0)` : shown;
    pairs.push(sql`${raw(`'${field.name.replaceAll("'", "''")}'`)}, ${value}`);
  }
  return sql`json_object(${listed(pairs)})`;
}

function shownValue(type: FieldType, value: Sql): Sql | undefined {
  switch (type) {
    case 'text':
    case 'boolean':
    case 'date':
      return value;
    case 'integer':
      return sql`CAST(${value} AS BIGINT)`;
    case 'timestamp':
      return sql`strftime(${value}, '%Y-%m-%dT%H:%M:%SZ')`;
    case 'duration':
      return durationText(value);
    case 'text[]':
      return sql`CAST(${value} AS JSON)`;
    default:
      return undefined;
  }
}

/** `PT26H4M5S`, in whole thousandths of a second: parts that are zero are left out, and of nothing at all `PT0S` is left. */
function durationText(seconds: Sql): Sql {
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

/** JSON lines with escapes as JavaScript writes them, in small letters. Only control characters have letters in theirs. */
export function plainEscapes(lines: Buffer): Buffer {
  if (!lines.includes(escaped)) return lines;
  const written = lines
    .toString()
    .replaceAll(/\\(?:u00[01][A-F]|.)/g, (one) => (one.length > 2 ? one.toLowerCase() : one));
  return Buffer.from(written);
}
