import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { checkLines, type FileLine, jsonLine, type LineLimit } from './file-line.ts';
import { textLines } from './text-lines.ts';

/** One JSON value a line. Blank lines are counted and passed over. */
export async function* ndjsonLines(
  chunks: AsyncIterable<Buffer>,
  { firstLine = 1, ...limit }: LineLimit & { readonly firstLine?: number } = {},
): AsyncGenerator<FileLine> {
  for await (const lines of textLines(chunks, { firstLine })) {
    for (const { line, text, problem } of lines) {
      checkLines(line, limit);
      if (problem !== undefined) yield { line, problem, raw: text };
      else if (!isBlank(text)) yield await jsonLine(line, text);
      if (isTurnLong()) await nextTurn();
    }
  }
}

const isBlank = (text: string): boolean => text === '' || text.trim() === '';
