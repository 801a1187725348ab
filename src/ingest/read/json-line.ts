import { type JsonLimits, type JsonReading, readJson } from '../../bounded-json.ts';
import type { FileLine } from './file-line.ts';

/** No source nests deeper or says more of one thing: twelve thousand changed files are 50,000 values. */
export const recordLimits: JsonLimits = { depth: 64, values: 50_000 };

/** One JSON text as a line of a file. Only a long one has to be waited for. */
export function jsonLine(line: number, raw: string): FileLine | Promise<FileLine> {
  const asLine = (reading: JsonReading): FileLine =>
    'value' in reading ? { line, ...reading } : { line, ...reading, raw };
  const reading = readJson(raw, recordLimits);
  return reading instanceof Promise ? reading.then(asLine) : asLine(reading);
}
