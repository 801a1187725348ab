import type { Row } from './send.ts';

/** One condition on a column of an answer. */
export type PickedBy =
  | { readonly column: string; readonly is: 'present' | 'empty' }
  | { readonly column: string; readonly is: 'equal'; readonly to: string };

/** Whether a row of an answer is meant. Values are compared as text, so that true is `true`. */
export function isPicked(row: Row, by: PickedBy): boolean {
  const cell = row[by.column] ?? null;
  if (by.is === 'equal') return cell !== null && String(cell) === by.to;
  return (cell !== null) === (by.is === 'present');
}

/** The same as a condition of jq. */
export function inJq(by: PickedBy): string {
  const cell = `.${by.column}`;
  if (by.is === 'equal') return `(${cell} | tostring) == ${JSON.stringify(by.to)}`;
  return `${cell} ${by.is === 'present' ? '!=' : '=='} null`;
}

/** The same as a condition of TypeScript on `row`. */
export function inTypeScript(by: PickedBy): string {
  const cell = `row.${by.column}`;
  if (by.is === 'equal') return `String(${cell}) === ${JSON.stringify(by.to)}`;
  return `${cell} ${by.is === 'present' ? '!==' : '==='} null`;
}

/** Rows as the lines of a CSV file, as the server writes them: quoted where needed, nothing for null. */
export function inCsv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cell = (value: unknown): string => {
    const text =
      value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((line) => `${line.map(cell).join(',')}\n`)
    .join('');
}
