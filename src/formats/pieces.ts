import type { StreamedAnswer } from '../query/answer.ts';
import type { AnswerFormat } from './accept.ts';
import { linePieces } from './lines.ts';
import { parquetPieces } from './parquet.ts';
import { textPieces } from './text.ts';

/** A flat answer in any format, piece by piece. The folder is for what cannot be written from beginning to end. */
export function answerPieces(
  format: AnswerFormat,
  { columns, batches, lines }: Omit<StreamedAnswer, 'form'>,
  { folder }: { readonly folder: string },
): AsyncGenerator<string | Buffer> {
  if (format === 'parquet') return parquetPieces(columns, batches, { folder });
  return lines && format !== 'csv' ? linePieces(format, lines) : textPieces(format, columns, batches);
}
