import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
  DuckDBVariantValue,
} from '@duckdb/node-api';
import type { Json } from '../../../catalogue/record.ts';

/** A value of a Parquet file as the same record would have it in JSON. What JSON cannot say is said as text. */
export function jsonValue(value: DuckDBValue): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // NaN and the infinities as text: a number field then refuses them, where null would clear it.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return wholeNumber(value);
  if (value instanceof DuckDBDecimalValue) return value.scale === 0 ? wholeNumber(value.value) : Number(String(value));
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(jsonValue);
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, jsonValue(entry)]));
  }
  if (value instanceof DuckDBMapValue) {
    return Object.fromEntries(value.entries.map((entry) => [keyText(entry.key), jsonValue(entry.value)]));
  }
  if (value instanceof DuckDBUnionValue || value instanceof DuckDBVariantValue) return jsonValue(value.value);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  const milliseconds = epochMilliseconds(value);
  if (milliseconds !== undefined && Math.abs(milliseconds) <= 8.64e15) return new Date(milliseconds).toISOString();
  return String(value);
}

function keyText(key: DuckDBValue): string {
  const json = jsonValue(key);
  return typeof json === 'string' ? json : JSON.stringify(json);
}

/** A number as long as it is exact, else its digits. */
function wholeNumber(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Every timestamp is taken as UTC, with or without a zone in its type. Below the millisecond it is cut off. */
function epochMilliseconds(value: DuckDBValue): number | undefined {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return flooredMilliseconds(value.micros, 1_000n);
  }
  if (value instanceof DuckDBTimestampNanosecondsValue) return flooredMilliseconds(value.nanos, 1_000_000n);
  if (value instanceof DuckDBTimestampMillisecondsValue) return Number(value.millis);
  if (value instanceof DuckDBTimestampSecondsValue) return Number(value.seconds) * 1_000;
  return undefined;
}

/** Division of bigints rounds towards zero, which before 1970 is up. */
function flooredMilliseconds(units: bigint, perMillisecond: bigint): number {
  const quotient = units / perMillisecond;
  return Number(units % perMillisecond < 0n ? quotient - 1n : quotient);
}
