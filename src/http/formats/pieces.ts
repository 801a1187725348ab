import type { AnswerRow } from '../../query/plan.ts';
import type { FlatColumn } from '../../query/shape/rows.ts';
import type { AnswerFormat } from './accept.ts';
import { parquetPieces } from './parquet.ts';
import { textPieces } from './text.ts';

/** A flat answer in any format, piece by piece. The folder is for what cannot be written from beginning to end. */
export function answerPieces(
  format: AnswerFormat,
  columns: readonly FlatColumn[],
  batches: AsyncIterable<readonly AnswerRow[]>,
  { folder }: { readonly folder: string },
): AsyncGenerator<string | Buffer> {
  return format === 'parquet' ? parquetPieces(columns, batches, { folder }) : textPieces(format, columns, batches);
}
