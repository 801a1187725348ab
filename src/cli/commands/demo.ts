import type { Command } from 'commander';
import { demoSeed } from '../../demo/seed.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, withConnection } from '../command.ts';
import { columns } from '../terminal.ts';

export function demoCommand(context: Context): Command {
  return command('demo', {
    summary:
      'create six invented organisations with two years of history; the same seed and last day give the same data',
    example: 'plumb demo --scale 10',
  })
    .option('--seed <text>', 'seed of the random numbers', demoSeed)
    .option('--scale <number>', 'size: 1 is about 5,000 pull requests in all, 10 is ten times as many', '1')
    .option('--until <date>', 'last day of the two years of history (default: two days ago)')
    .action((options: { seed: string; scale: string; until?: string; json?: boolean }) =>
      withConnection(context, options, async ({ operations }) => {
        const scale = Number(options.scale);
        if (!(scale >= 1 && Number.isFinite(scale))) {
          throw new Refusal('bad-input', `The scale must be a number from 1 up, not '${options.scale}'.`);
        }
        const { seed, until } = options;
        const filled = await operations.fillDemo({ seed, scale, ...(until === undefined ? {} : { until }) });
        const rows = filled.map(({ id, name, owner_email, people, teams }) => [
          id,
          String(people),
          String(teams),
          owner_email,
          name,
        ]);
        return { json: filled, text: columns(['ID', 'PEOPLE', 'TEAMS', 'OWNER', 'NAME'], rows) };
      }),
    );
}
