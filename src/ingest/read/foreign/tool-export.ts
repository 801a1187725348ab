import type { FieldValues } from '../../../catalogue/field-values.ts';
import type { RecordTable } from '../../../catalogue/record-tables.ts';
import { headingKey, headingKeys } from './heading-names.ts';

/** The CSV file that a well-known tool exports. Headings are written as the tool writes them; several with commas between. */
export interface ToolExport {
  readonly tool: string;
  readonly table: RecordTable;
  /** The `source` of records that name none. */
  readonly source: string;
  /** A file with all of these headings is such an export. */
  readonly signs: string;
  /** The field of each heading. Of several for one field, the first that a row has a value for counts. */
  readonly fields: Readonly<Record<string, string>>;
  /** The columns that the tool exports and no field here holds. */
  readonly leftOut: string;
  /** More of them, by their key: `Custom field (Rank)` is `custom_field_rank`. */
  readonly leftOutLike?: RegExp;
  /** Identifiers that are unique only within the tool, and get its name in front: `jira:10001`. */
  readonly ownIds?: readonly string[];
  /** The separator of the texts of a list in one cell. */
  readonly listSeparator?: string;
  /** Fields for one person, whose cells may name several. The first counts. */
  readonly firstOf?: readonly string[];
  /** The advice for a person who imports such a file. */
  readonly note?: string;
}

/** Whether a file with headings of these keys is such an export. */
export const isExportOf = ({ signs }: ToolExport, keys: ReadonlySet<string>): boolean =>
  headingKeys(signs).every((sign) => keys.has(sign));

/** The field of a heading in such a file; empty for one that is left out, and nothing for any other. */
export function fieldInExport({ fields, leftOut, leftOutLike }: ToolExport, heading: string): string | undefined {
  const key = headingKey(heading);
  const named = Object.entries(fields).find(([theirs]) => headingKey(theirs) === key);
  if (named) return named[1];
  return headingKeys(leftOut).includes(key) || leftOutLike?.test(key) ? '' : undefined;
}

/** A record of such a file, with its source, with identifiers that are unique everywhere, and with lists as lists. */
export function recordOfExport(
  { source, ownIds, listSeparator, firstOf }: ToolExport,
  given: FieldValues,
): FieldValues {
  const record: Record<string, unknown> = { source };
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string' || value === '') record[name] ??= value;
    else if (ownIds?.includes(name)) record[name] = `${source}:${value}`;
    else if (name === 'labels' && listSeparator !== undefined) {
      record[name] = value.split(listSeparator).map((text) => text.trim());
    } else if (firstOf?.includes(name)) record[name] = value.split(',', 1)[0]?.trim();
    else record[name] = value;
  }
  return record;
}
