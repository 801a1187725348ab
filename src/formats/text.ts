import type { FieldType } from '../catalogue/record.ts';
import { cellIn, type FlatColumn } from '../query/answer-columns.ts';
import type { AnswerRow, Cell } from '../query/plan.ts';
import { cellReader, cellWriter } from '../query/shape/cell.ts';
import { yieldIfDue } from '../yield-to-event-loop.ts';
import type { TextFormat } from './answer-formats.ts';
import { csvAnswerText, csvCell, csvHeader, csvTextParts } from './csv-cell.ts';
import { jsonTextParts, longText, maxPieceLength } from './text-pieces.ts';

/** How rows become text: what stands around all of them, around each of them and before each cell, and what cells are. */
interface RowStyle {
  readonly before: (columns: readonly FlatColumn[]) => string;
  readonly between: string;
  readonly after: string;
  readonly rowBegins: string;
  readonly rowEnds: string;
  readonly cellBegins: (column: FlatColumn, i: number) => string;
  readonly cell: (type: FieldType) => (cell: Cell) => string;
  /** What `cell` makes of a text, in parts. */
  readonly longCell: (text: string) => Iterable<string>;
}

const object = {
  between: '',
  after: '',
  rowBegins: '{',
  rowEnds: '}',
  cellBegins: ({ name }: FlatColumn, i: number) => `${i === 0 ? '' : ','}${JSON.stringify(name)}:`,
  cell: cellWriter,
  longCell: jsonTextParts,
};

const styles: { readonly [F in TextFormat]: RowStyle } = {
  json: { ...object, before: () => '[', between: ',', after: ']' },
  ndjson: { ...object, before: () => '', rowEnds: '}\n' },
  // A missing value is an empty cell, an empty text a pair of quotes.
  csv: {
    before: csvHeader,
    between: '',
    after: '',
    rowBegins: '',
    rowEnds: '\r\n',
    cellBegins: (_, i) => (i === 0 ? '' : ','),
    cell: csvCellWriter,
    longCell: csvTextParts,
  },
};

function csvCellWriter(type: FieldType): (cell: Cell) => string {
  switch (type) {
    case 'text[]':
    case 'json': {
      const write = cellWriter(type);
      return (cell) => (cell === null ? '' : csvCell(write(cell)));
    }
    case 'text':
      return (cell) => (cell === null ? '' : csvAnswerText(String(cell)));
    case 'number':
    case 'integer':
      return (cell) => (typeof cell === 'number' && !Number.isFinite(cell) ? '' : String(cell ?? ''));
    default: {
      const read = cellReader(type);
      return (cell) => String(read(cell) ?? '');
    }
  }
}

/** Writes rows that come some at a time, and passes their text on whenever it is long enough. */
class RowText {
  readonly #style: RowStyle;
  readonly #cells: readonly {
    readonly begins: string;
    readonly column: FlatColumn;
    readonly write: (cell: Cell) => string;
  }[];
  #text: string;
  #rows = 0;

  constructor(format: TextFormat, columns: readonly FlatColumn[]) {
    const style = styles[format];
    this.#style = style;
    this.#text = style.before(columns);
    this.#cells = columns.map((column, i) => ({
      begins: style.cellBegins(column, i),
      column,
      write: style.cell(column.type),
    }));
  }

  *write(rows: Iterable<AnswerRow>): Generator<string> {
    const { between, rowBegins, rowEnds, longCell } = this.#style;
    const cells = this.#cells;
    let text = this.#text;
    for (const row of rows) {
      text += this.#rows === 0 ? rowBegins : between + rowBegins;
      this.#rows += 1;
      for (const { begins, column, write } of cells) {
        const cell = cellIn(column, row);
        if (typeof cell !== 'string' || cell.length <= longText || column.type !== 'text') {
          text += begins + write(cell);
          continue;
        }
        text += begins;
        for (const part of longCell(cell)) {
          text += part;
          if (text.length < maxPieceLength) continue;
          yield text;
          text = '';
        }
      }
      text += rowEnds;
      if (text.length < maxPieceLength) continue;
      yield text;
      text = '';
    }
    this.#text = text;
  }

  *end(): Generator<string> {
    const text = this.#text + this.#style.after;
    if (text !== '') yield text;
  }
}

/** Rows as text, piece by piece. Nothing is kept but the piece under way. */
export async function* textPieces(
  format: TextFormat,
  columns: readonly FlatColumn[],
  batches: AsyncIterable<readonly AnswerRow[]>,
): AsyncGenerator<string> {
  const text = new RowText(format, columns);
  for await (const rows of batches) {
    for (const piece of text.write(rows)) {
      yield piece;
      await yieldIfDue();
    }
  }
  yield* text.end();
}

/** The same for rows that are here already. */
export function* rowsPieces(
  format: TextFormat,
  columns: readonly FlatColumn[],
  rows: readonly AnswerRow[],
): Generator<string> {
  const text = new RowText(format, columns);
  yield* text.write(rows);
  yield* text.end();
}

/** All rows at once. */
export const rowsText = (format: TextFormat, columns: readonly FlatColumn[], rows: readonly AnswerRow[]): string =>
  [...rowsPieces(format, columns, rows)].join('');
