import { CsvError, type Options } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { textOfCell } from '../../formats/csv-cell.ts';
import { Refusal } from '../../refusal.ts';
import { type FileLine, maxLineBytes, type TextLine, textLines } from './text-lines.ts';

/**
 * Rows of cells under a header row. Which physical lines make a row is decided here and the cells are the parser's:
 * left alone with the file, the parser stops at one bad quote or drops the rows after it, and counts a CRLF inside
 * quotes as two lines.
 */
export async function* csvLines(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<FileLine> {
  let names: readonly string[] | undefined;
  let recordOf = recordsUnder([]);
  for await (const group of rowGroups(textLines(chunks))) {
    for (const { row, cells, problem } of withCells(group)) {
      if (!names) {
        names = headerNames(cells, problem, name);
        recordOf = recordsUnder(names);
      } else if (problem !== undefined) {
        const span = row.lastLine > row.line ? ` (lines ${row.line} to ${row.lastLine} were read as one row)` : '';
        yield { line: row.line, problem: `${problem}${span}`, raw: row.text };
      } else if (cells.length !== names.length) {
        yield {
          line: row.line,
          problem: `has ${counted(cells.length)}, the header has ${names.length}`,
          raw: row.text,
        };
      } else {
        yield { line: row.line, value: recordOf(cells) };
      }
    }
  }
  if (!names) throw isEmpty(name);
}

/** No file has more columns. */
export const maxColumns = 10_000;

/** Cells by the names of their columns. Those of a repeated name are a list, without the empty ones. */
function recordsUnder(names: readonly string[]): (cells: readonly string[]) => Readonly<Record<string, unknown>> {
  // Once for all rows: a header may repeat one name thousands of times.
  const placesOf = new Map<string, number[]>();
  for (const [place, name] of names.entries()) {
    const places = placesOf.get(name);
    if (places) places.push(place);
    else placesOf.set(name, [place]);
  }
  const columns = [...placesOf].map(([name, [first = 0, ...others]]) => ({ name, first, others }));
  return (cells) => {
    // The writer of the file may have kept a spreadsheet from running a text, as `plumb export` does.
    const textAt = (place: number) => textOfCell(cells[place] ?? '');
    return Object.fromEntries(
      columns.map(({ name, first, others }): [string, unknown] => [
        name,
        others.length === 0 ? textAt(first) : [first, ...others].map(textAt).filter((text) => text !== ''),
      ]),
    );
  };
}

/** The names of the columns alone, without reading further. */
export async function csvHeader(chunks: AsyncIterable<Buffer>, name: string): Promise<readonly string[]> {
  for await (const group of rowGroups(textLines(chunks))) {
    for (const { cells, problem } of withCells(group)) return headerNames(cells, problem, name);
  }
  throw isEmpty(name);
}

const isEmpty = (name: string): Refusal =>
  new Refusal('bad-input', `${name} is empty. The first line of a CSV file names its columns`);

const counted = (cells: number): string => (cells === 1 ? '1 cell' : `${cells} cells`);

function headerNames(cells: readonly string[], problem: string | undefined, name: string): readonly string[] {
  const refuse = (what: string): never => {
    throw new Refusal('bad-input', `The header of ${name} ${what}`);
  };
  if (problem !== undefined) return refuse(problem);
  if (cells.length > maxColumns) {
    refuse(`has ${cells.length.toLocaleString('en')} columns: at most ${maxColumns.toLocaleString('en')} are accepted`);
  }
  const names = cells.map((cell) => cell.trim());
  if (names.some((column) => /[\r\n]/.test(column))) {
    refuse('has a line break inside a column name. Lines must end with a line feed, alone or after a carriage return');
  }
  if (names.length === 1 && /[;\t]/.test(names[0] ?? '')) {
    refuse('has no comma. Cells must be separated by commas, not by semicolons or tabs');
  }
  const blank = names.indexOf('');
  if (blank !== -1) refuse(`has no name for column ${blank + 1}`);
  return names;
}

/** One row of the file: a physical line, or several where a quoted cell holds line breaks. */
interface CsvRow {
  readonly line: number;
  readonly lastLine: number;
  readonly text: string;
  readonly problem?: string;
}

async function* rowGroups(groups: AsyncIterable<readonly TextLine[]>): AsyncGenerator<readonly CsvRow[]> {
  let open: OpenRow | undefined;
  for await (const lines of groups) {
    const rows: CsvRow[] = [];
    for (const line of lines) {
      if (open) {
        open.add(line);
        if (!open.isComplete) continue;
        rows.push(open.row());
        open = undefined;
      } else if (line.problem === undefined && line.text.trim() === '') {
        // A blank line is no row.
      } else {
        const failure = line.cut ? undefined : loneFailure(line.text);
        if (failure === 'CSV_QUOTE_NOT_CLOSED') open = new OpenRow(line);
        else rows.push({ ...line, ...(failure && { problem: reasonOf(failure) }), lastLine: line.line });
      }
    }
    if (rows.length > 0) yield rows;
  }
  if (open) yield [open.row()];
}

/**
 * Why a line is no row by itself. With an odd number of quotes it never is: a cell goes on in the next line, or a
 * quote stands where none may, and then the next line has nothing to do with it.
 */
const loneFailure = (line: string): string | undefined =>
  quotesIn(line) % 2 === 1 ? cellsOf([line]).failure : undefined;

function quotesIn(text: string): number {
  let quotes = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) quotes++;
  return quotes;
}

/** A row with a quoted cell that has not ended yet. As quotes inside are doubled, it ends where their number is even. */
class OpenRow {
  readonly #lines: string[] = [];
  readonly #first: number;
  #last: number;
  #length = 0;
  #ending = '';
  #problem: string | undefined;
  #isComplete = false;

  constructor(first: TextLine) {
    this.#first = first.line;
    this.#last = first.line;
    this.add(first);
    this.#isComplete = false;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  add({ line, text, ending, problem, cut }: TextLine): void {
    this.#lines.push(this.#ending, text);
    this.#ending = ending;
    this.#last = line;
    this.#length += text.length + ending.length;
    this.#problem ??= problem;
    // Else one forgotten quote would have the rest of a large file held as one cell.
    if (this.#length > maxLineBytes) this.#problem ??= 'has a quote that is not closed within 8 MiB';
    this.#isComplete = quotesIn(text) % 2 === 1 || cut === true || this.#length > maxLineBytes;
  }

  row(): CsvRow {
    const problem = this.#problem ?? (this.#isComplete ? undefined : 'has a quote that is never closed');
    const row = { line: this.#first, lastLine: this.#last, text: this.#lines.join('') };
    return problem === undefined ? row : { ...row, problem };
  }
}

interface RowWithCells {
  readonly row: CsvRow;
  readonly cells: readonly string[];
  readonly problem?: string;
}

// Rows parsed at once: setting the parser up costs more than most rows, and after a bad row the rest is parsed again.
const rowsAtOnce = 100;

function* withCells(rows: readonly CsvRow[]): Generator<RowWithCells> {
  let at = 0;
  while (at < rows.length) {
    const some = rows.slice(at, at + rowsAtOnce);
    const quoted = some.filter((row) => row.problem === undefined && isQuoted(row));
    const { read, failure } = cellsOf(quoted.map(({ text }) => text));
    const parsed = read.values();
    for (const row of some) {
      at++;
      if (row.problem !== undefined) yield { row, cells: [], problem: row.problem };
      else if (!isQuoted(row)) yield { row, cells: row.text.split(',') };
      else {
        const cells = parsed.next();
        if (!cells.done) yield { row, cells: cells.value };
        else {
          yield { row, cells: [], problem: reasonOf(failure ?? '') };
          break;
        }
      }
    }
  }
}

/** Without quotes there is nothing to parse, and most rows of most files are so. */
const isQuoted = ({ text }: CsvRow): boolean => text.includes('"');

/** In words, for the parser's codes. */
function reasonOf(failure: string): string {
  switch (failure) {
    case 'INVALID_OPENING_QUOTE':
      return 'has a quote inside a cell that does not begin with one. Write "a ""quoted"" word"';
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'has text after the closing quote of a cell. Write "a ""quoted"" word"';
    default:
      return 'is not CSV';
  }
}

// The lines are taken apart already, and the number of cells is checked against the header.
const options: Options = { record_delimiter: '\n', relax_column_count: true, bom: false, max_record_size: 0 };

/** The cells of rows, up to the first row that is no CSV. */
function cellsOf(rows: readonly string[]): { readonly read: readonly string[][]; readonly failure?: string } {
  const read: string[][] = [];
  const keep = (cells: string[]) => {
    read.push(cells);
    return null;
  };
  try {
    parse(rows.join('\n'), { ...options, on_record: keep });
    return { read };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { read, failure: error.code };
  }
}
