import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { Operations } from '../../control/operations.ts';
import { demoSeed } from '../../demo/seed.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, withConnection } from '../command.ts';
import { tableHeads } from '../table-words.ts';
import { columns, type Report, say, type Terminal } from '../terminal.ts';

interface DemoCommandOptions {
  readonly seed: string;
  readonly scale: string;
  readonly until?: string;
  readonly remove?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function demoCommand(context: Context): Command {
  return command('demo', {
    summary: 'create six sample organisations with two years of history (the same seed and hour give the same data)',
    example: 'plumb demo --scale 0.1',
  })
    .option('--seed <text>', 'seed of the random numbers', demoSeed)
    .option(
      '--scale <number>',
      'size, from 0.02 to 20: 1 is 2 to 4 merged pull requests per engineer and week (an existing demo keeps its size)',
      '1',
    )
    .option('--until <date>', 'last day of the two years of history, in UTC (default: until this hour)')
    .option('--remove', 'delete the demo organisations again, with everything in them')
    .option('--yes', 'do not ask before deleting')
    .action((options: DemoCommandOptions) =>
      withConnection(context, options, async ({ operations }) => {
        if (options.remove) return removeDemo(context, operations, options.yes === true);
        const scale = Number(options.scale);
        if (!Number.isFinite(scale)) {
          throw new Refusal('bad-input', `The scale must be a number from 0.02 to 20, not '${options.scale}'.`);
        }
        const { seed, until } = options;
        const filling = operations.fillDemo({ seed, scale, ...(until === undefined ? {} : { until }) });
        // Loaded when it is needed, like everything that only a filling needs.
        const { followDemo } = await import('../demo-progress.ts');
        const filled = await followDemo(context.terminal, filling, options.json === true);
        const rows = filled.map(({ id, name, owner_email, people, teams }) => [
          id,
          String(people),
          String(teams),
          owner_email,
          name,
        ]);
        return { json: filled, text: columns(tableHeads.demo, rows) };
      }),
    );
}

/** Deleting has no backup, and also removes what somebody has added to the demo. */
async function removeDemo(context: Context, operations: Operations, isSure: boolean): Promise<Report> {
  const there = await operations.listDemo({});
  if (there.length === 0) return { json: [], text: 'There is no demo here.' };
  const names = there.map(({ name }) => name).join(', ');
  const what = `This deletes ${names}, with everything in them, without a backup.`;
  if (!isSure && !(await confirmed(context.terminal, what))) return { json: [], text: '' };
  return { json: await operations.removeDemo({}), text: `Deleted ${names}.` };
}

/** Asks the operator at the terminal. Without a terminal a program runs the command, and means it. */
async function confirmed(terminal: Terminal, what: string): Promise<boolean> {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY !== true) return true;
  const asking = createInterface({ input: stdin, output: stderr });
  try {
    const closed = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
    const answer = await Promise.race([asking.question(`${what} Go on? (yes/no) `), closed]);
    const isYes = /^y(es)?$/i.test(answer.trim());
    if (!isYes) say(terminal, 'Nothing was changed.');
    return isYes;
  } finally {
    asking.close();
  }
}
