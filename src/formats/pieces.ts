import type { StreamedAnswer } from '../query/answer.ts';
import type { AnswerFormat } from './answer-formats.ts';
import { linePieces } from './lines.ts';
import { type ParquetScratch, parquetPieces } from './parquet.ts';
import { textPieces } from './text.ts';

/** A flat answer in any format, piece by piece. Only Parquet cannot be written from beginning to end. */
export function answerPieces(
  format: AnswerFormat,
  { columns, batches, lines }: Omit<StreamedAnswer, 'form'>,
  scratch: ParquetScratch | undefined,
): AsyncGenerator<string | Buffer> {
  if (format !== 'parquet') {
    return lines && format !== 'csv' ? linePieces(format, lines) : textPieces(format, columns, batches);
  }
  if (!scratch) throw new Error('a Parquet file needs a folder to be made in');
  return parquetPieces(columns, batches, scratch);
}
