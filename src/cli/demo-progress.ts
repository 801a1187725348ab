import type { DemoLine } from '../control/operator-streams.ts';
import type { FilledOrganisation } from '../demo/fill.ts';
import { Refusal } from '../refusal.ts';
import { Progress } from './progress.ts';
import { say, type Terminal } from './terminal.ts';

/**
 * Follows the filling of the demo: on a terminal as one line that is redrawn, elsewhere with a line for each year of an
 * organisation. `onReady` is called when there is something to look at.
 */
export async function followDemo(
  terminal: Terminal,
  steps: AsyncIterable<DemoLine>,
  isQuiet: boolean,
  onReady: (shown: FilledOrganisation) => void = () => {},
): Promise<readonly FilledOrganisation[]> {
  const progress = new Progress({ screen: terminal.stderr, label: 'demo', enabled: !isQuiet });
  const isLive = terminal.stderr.isTTY === true;
  let [rows, begun] = [0, ''];
  for await (const step of steps) {
    if ('filled' in step) {
      if (rows > 0) progress.finish({ rows });
      return step.filled;
    }
    if ('ready' in step) {
      progress.clear();
      onReady(step.ready);
      continue;
    }
    const work = `${step.organisation}, ${step.place} of ${step.of} demo organisations: ${step.year}`;
    if (!isQuiet && !isLive && step.rows > rows && work !== begun) say(terminal, `Filling in ${work}.`);
    if (step.rows > rows) begun = work;
    rows = step.rows;
    progress.update({ rows, bytesRead: step.done, bytesTotal: 1 });
  }
  throw new Refusal('unavailable', 'Filling in the demo ended without an answer. Run it again to continue.');
}
