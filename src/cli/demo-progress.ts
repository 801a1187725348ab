import type { DemoLine } from '../control/streams.ts';
import type { FilledOrganisation } from '../demo/fill.ts';
import { textLines } from '../ingest/read/text-lines.ts';
import { Refusal } from '../refusal.ts';
import { Progress } from './progress.ts';
import { say, type Terminal } from './terminal.ts';

/** Follows the filling of the demo: on a terminal as one line that is redrawn, elsewhere with a line for each organisation. */
export async function followDemo(
  terminal: Terminal,
  pieces: AsyncIterable<Uint8Array>,
  isQuiet: boolean,
): Promise<readonly FilledOrganisation[]> {
  const progress = new Progress({ screen: terminal.stderr, label: 'demo', enabled: !isQuiet });
  const isLive = terminal.stderr.isTTY === true;
  let [rows, begun] = [0, 0];
  for await (const lines of textLines(buffers(pieces))) {
    for (const { text } of lines) {
      if (text === '') continue;
      const line = JSON.parse(text) as DemoLine;
      if ('filled' in line) {
        if (rows > 0) progress.finish({ rows });
        return line.filled;
      }
      rows = line.rows;
      if (!isQuiet && !isLive && line.place > begun) {
        say(terminal, `Filling in ${line.organisation}, ${line.place} of ${line.of} demo organisations.`);
      }
      begun = line.place;
      progress.update({ rows, bytesRead: line.place - 1, bytesTotal: line.of });
    }
  }
  throw new Refusal('unavailable', 'The filling ended without a word. Run it again: it goes on where it was.');
}

async function* buffers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece);
}
