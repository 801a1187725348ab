import type { Rows } from '../ask/send.ts';
import { explanationWords } from './answer-words.ts';
import { grouped } from './format.ts';

/** A metric that is asked alone answers with 200 rows at most. */
export function CutNote({ data }: { readonly data: unknown }) {
  const { rows, total }: Partial<Rows> = typeof data === 'object' ? (data ?? {}) : {};
  if (rows === undefined || total === undefined || total <= rows.length) return null;
  return <p className="small secondary">{explanationWords.firstRows(grouped(rows.length), grouped(total))}</p>;
}
