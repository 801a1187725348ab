import { sentenceCase } from '../../../src/catalogue/labels/shown-names.ts';
import { recordLists } from '../ask/record-lists.ts';

/** The records of a table or stream by name, inside a sentence: `pull requests`. */
export const recordsOf = (table: string): string =>
  (recordLists as Readonly<Record<string, { readonly many: string } | undefined>>)[table]?.many ??
  sentenceCase(table).toLowerCase();
