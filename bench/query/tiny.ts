import type { Timing } from './measuring.ts';
import { PlumbClient } from './plumb-client.ts';
import type { EngineQuestion } from './question.ts';
import { ms, printGoal, printTable, verdict, whole } from './report.ts';
import { daysAfter, endOfHistory } from './sizes.ts';

/** What one question takes in an organisation of a thousand pull requests, as most are: planning is nearly all of it. */
export interface TinyLine {
  readonly name: string;
  readonly plumb: Timing;
  readonly engine: Timing;
}

const [moreMsMax, aSecondMin] = [4, 130];
const connections = 8;
const [warmUpMs, loadMs] = [1_000, 5_000];

/** Questions a second that nobody asked before, over some connections at once. */
export async function newAnswersPerSecond(url: string, key: string, question: EngineQuestion): Promise<number> {
  const { path, body } = question;
  const clients = Array.from({ length: connections }, () => new PlumbClient(url, key));
  // Behind the last days of all other rounds.
  let day = 200;
  const askFor = async (forMs: number): Promise<number> => {
    const endsAt = performance.now() + forMs;
    let answers = 0;
    const askOn = async (client: PlumbClient): Promise<void> => {
      while (performance.now() < endsAt) {
        day += 1;
        await client.ask(path, body(daysAfter(endOfHistory, day)));
        answers += 1;
      }
    };
    const began = performance.now();
    await Promise.all(clients.map(askOn));
    return (answers * 1_000) / (performance.now() - began);
  };
  try {
    await askFor(warmUpMs);
    return await askFor(loadMs);
  } finally {
    for (const client of clients) client.close();
  }
}

export function printTiny(lines: readonly TinyLine[], { name }: EngineQuestion, aSecond: number): void {
  const rows = lines.map(({ name: asked, plumb, engine }) => {
    const more = plumb.ms - engine.ms;
    return [asked, ms(plumb.ms), ms(engine.ms), `${more < 0 ? '' : '+'}${more.toFixed(1)}`, verdict(more <= moreMsMax)];
  });
  printTable(['a thousand pull requests', 'Plumb (ms)', 'by hand (ms)', 'more (ms)', `+${moreMsMax} ms at most`], rows);
  printGoal(
    `new answers a second, ${connections} connections, ${name}`,
    whole(aSecond),
    `${aSecondMin} or more`,
    aSecond >= aSecondMin,
  );
}
