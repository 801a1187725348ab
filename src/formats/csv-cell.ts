// The pages write CSV with this file as well: it imports nothing of the server.
import { slicesOf } from './text-pieces.ts';

/**
 * A spreadsheet takes a text that begins like this for a formula and runs it. Full-width signs count too: some
 * spreadsheets read them as the plain ones.
 */
const startsFormula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Leading apostrophes count as part of the formula, so that `textOfCell` gives back the original text. */
const isNeutralised = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text as a spreadsheet may open it. Titles and names are written by anybody: an apostrophe makes a formula text. */
const neutralised = (text: string): string => (startsFormula.test(text) ? `'${text}` : text);

/** The text that a cell was made of: the inverse of what `csvText` does to a formula. */
export const textOfCell = (cell: string): string => (isNeutralised.test(cell) ? cell.slice(1) : cell);

/** A text that people may have written, as a cell. */
export const csvText = (text: string): string => csvCell(neutralised(text));

/** A cell of an answer, where an empty text is a pair of quotes, since a missing value is an empty cell. */
export const csvAnswerText = (text: string): string => (text === '' ? '""' : csvText(text));

/**
 * Space at either end is quoted too, since some programs cut it off; so are semicolons and tabs, which some spreadsheets
 * take for the end of a cell.
 */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

export const csvCell = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A cell with a long text, in parts. */
export function* csvTextParts(text: string): Generator<string> {
  const isQuoted = needsQuotes.test(text);
  if (isQuoted) yield '"';
  if (startsFormula.test(text)) yield "'";
  for (const slice of slicesOf(text)) yield isQuoted ? slice.replaceAll('"', '""') : slice;
  if (isQuoted) yield '"';
}

/** A line of RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** The first line: the names of columns. */
export const csvHeader = (columns: readonly { readonly name: string }[]): string =>
  csvLine(columns.map(({ name }) => csvCell(name)));
