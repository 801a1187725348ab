import type { FileLine } from './file-line.ts';
import { jsonLine } from './json-line.ts';
import { textLines } from './text-lines.ts';

/** One JSON value a line. Blank lines are counted and passed over. */
export async function* ndjsonLines(chunks: AsyncIterable<Buffer>, firstLine = 1): AsyncGenerator<FileLine> {
  for await (const lines of textLines(chunks, firstLine)) {
    for (const { line, text, problem } of lines) {
      if (problem !== undefined) yield { line, problem, raw: text };
      else if (text.trim() !== '') yield jsonLine(line, text);
    }
  }
}
