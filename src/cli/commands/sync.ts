import type { Command } from 'commander';
import type { Operations } from '../../control/operations.ts';
import type { SyncOutcomeLine } from '../../control/sync-lines.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, withConnection } from '../command.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';

interface SyncCommandOptions {
  readonly org: string;
  readonly source?: string;
  readonly json?: boolean;
}

export function syncCommand(context: Context): Command {
  return command('sync', {
    summary:
      'read the sources of an organisation now, with progress as a live view on a terminal and as JSON lines elsewhere',
    example: 'plumb sync --org Acme --source Code',
  })
    .requiredOption('--org <org>', 'identifier or name of the organisation')
    .option('--source <source>', 'name or identifier of one source (default: all of them)')
    .action((options: SyncCommandOptions) =>
      withConnection(context, options, async ({ operations }) => {
        const outcomes = await sync(context, operations, options);
        context.exitWith(codeOf(outcomes));
        return { json: { sources: outcomes }, text: '' };
      }),
    );
}

async function sync(
  { terminal }: Context,
  { syncSources }: Operations,
  { org, source, json }: SyncCommandOptions,
): Promise<SyncOutcomeLine[]> {
  // Loaded when it is needed, so that --help is quick.
  const { SyncView } = await import('../sync-view.ts');
  const { isOutcome } = await import('../../control/sync-lines.ts');
  const isLive = terminal.stderr.isTTY === true && !json;
  const view = isLive ? new SyncView(terminal.stderr) : undefined;
  const outcomes: SyncOutcomeLine[] = [];
  try {
    for await (const line of syncSources({ org, ...(source === undefined ? {} : { source }) })) {
      if (isOutcome(line)) outcomes.push(line);
      if (view) view.update(line);
      else if (!json) terminal.stdout.write(`${JSON.stringify(line)}\n`);
    }
  } finally {
    view?.clear();
  }
  if (outcomes.length === 0) throw new Refusal('unavailable', 'The sync ended without an answer. Run it again.');
  return outcomes;
}

function codeOf(outcomes: readonly SyncOutcomeLine[]): ExitCode {
  if (outcomes.every(({ outcome }) => outcome === 'complete')) return exitCode.done;
  return outcomes.every(({ outcome }) => outcome === 'failed' || outcome === 'busy')
    ? exitCode.failed
    : exitCode.partlyDone;
}
