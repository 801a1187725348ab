import type { DemoLine } from '../control/operator-streams.ts';
import type { FilledOrganisation } from '../demo/fill.ts';
import { Refusal } from '../refusal.ts';
import { Progress } from './progress.ts';
import { say, type Terminal } from './terminal.ts';

/** Follows the filling of the demo: on a terminal as one line that is redrawn, elsewhere with a line for each organisation. */
export async function followDemo(
  terminal: Terminal,
  steps: AsyncIterable<DemoLine>,
  isQuiet: boolean,
): Promise<readonly FilledOrganisation[]> {
  const progress = new Progress({ screen: terminal.stderr, label: 'demo', enabled: !isQuiet });
  const isLive = terminal.stderr.isTTY === true;
  let [rows, begun] = [0, 0];
  for await (const step of steps) {
    if ('filled' in step) {
      if (rows > 0) progress.finish({ rows });
      return step.filled;
    }
    rows = step.rows;
    if (!isQuiet && !isLive && step.place > begun) {
      say(terminal, `Filling in ${step.organisation}, ${step.place} of ${step.of} demo organisations.`);
    }
    begun = step.place;
    progress.update({ rows, bytesRead: step.place - 1, bytesTotal: step.of });
  }
  throw new Refusal('unavailable', 'The filling ended without a word. Run it again: it goes on where it was.');
}
