import type { Command } from 'commander';
import type { DeletedOrganisation } from '../../control/organisation-deletion.ts';
import { demoSeed } from '../../demo/seed.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, withConnection } from '../command.ts';
import { columns, type Report } from '../terminal.ts';

interface DemoOptions {
  readonly seed: string;
  readonly scale: string;
  readonly until?: string;
  readonly remove?: boolean;
  readonly json?: boolean;
}

export function demoCommand(context: Context): Command {
  return command('demo', {
    summary:
      'create six invented organisations with two years of history; the same seed and last day give the same data',
    example: 'plumb demo --scale 10',
  })
    .option('--seed <text>', 'seed of the random numbers', demoSeed)
    .option('--scale <number>', 'size: 1 is about 5,000 pull requests in all, 10 is ten times as many', '1')
    .option('--until <date>', 'last day of the two years of history (default: two days ago)')
    .option('--remove', 'delete the demo organisations again, with everything in them')
    .action((options: DemoOptions) =>
      withConnection(context, options, async ({ operations, streams }) => {
        if (options.remove) return removedReport(await operations.removeDemo({}));
        const scale = Number(options.scale);
        if (!(scale >= 1 && Number.isFinite(scale))) {
          throw new Refusal('bad-input', `The scale must be a number from 1 up, not '${options.scale}'.`);
        }
        const { seed, until } = options;
        const filling = streams.fillDemo({ seed, scale, ...(until === undefined ? {} : { until }) });
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
        return { json: filled, text: columns(['ID', 'PEOPLE', 'TEAMS', 'OWNER', 'NAME'], rows) };
      }),
    );
}

function removedReport(removed: readonly DeletedOrganisation[]): Report {
  const names = removed.map(({ name }) => name).join(', ');
  return { json: removed, text: removed.length === 0 ? 'There is no demo here.' : `Deleted ${names}.` };
}
