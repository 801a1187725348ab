import type { RecordTable } from '../../../src/catalogue/record-tables.ts';
import { type ForeignOptions, ForeignReader } from '../../../src/ingest/read/foreign/foreign-lines.ts';

/** A record of another tool as it is read, or what is wrong with it. */
export const readForeign = (table: RecordTable, value: object, options: ForeignOptions = {}) => {
  const reading = new ForeignReader(table, options).read(value);
  return 'value' in reading ? reading.value : reading;
};
