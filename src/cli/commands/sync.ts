import type { Command } from 'commander';
import type { Streams } from '../../control/streams.ts';
import type { SyncLine, SyncOutcomeLine } from '../../control/sync-lines.ts';
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
      'read the sources of an organisation now; progress is a live view on a terminal, and JSON lines on standard output elsewhere',
    example: 'plumb sync --org Acme --source Code',
  })
    .requiredOption('--org <org>', 'identifier or name of the organisation')
    .option('--source <source>', 'name or identifier of one source; all of them when left out')
    .action((options: SyncCommandOptions) =>
      withConnection(context, options, async ({ streams }) => {
        const outcomes = await sync(context, streams, options);
        context.exitWith(codeOf(outcomes));
        return { json: { sources: outcomes }, text: '' };
      }),
    );
}

async function sync(
  { terminal }: Context,
  streams: Streams,
  { org, source, json }: SyncCommandOptions,
): Promise<SyncOutcomeLine[]> {
  // Loaded when it is needed, so that --help is quick.
  const { SyncView } = await import('../sync-view.ts');
  const { isOutcome } = await import('../../control/sync-lines.ts');
  const { textLines } = await import('../../ingest/read/text-lines.ts');
  const isLive = terminal.stderr.isTTY === true && !json;
  const view = isLive ? new SyncView(terminal.stderr) : undefined;
  const outcomes: SyncOutcomeLine[] = [];
  try {
    for await (const lines of textLines(
      buffers(streams.syncSources({ org, ...(source === undefined ? {} : { source }) })),
    )) {
      for (const { text } of lines) {
        if (text === '') continue;
        const line = JSON.parse(text) as SyncLine;
        if (isOutcome(line)) outcomes.push(line);
        if (view) view.update(line);
        else if (!json) terminal.stdout.write(`${text}\n`);
      }
    }
  } finally {
    view?.clear();
  }
  if (outcomes.length === 0) throw new Refusal('unavailable', 'The sync ended without a word. Run it again.');
  return outcomes;
}

async function* buffers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

function codeOf(outcomes: readonly SyncOutcomeLine[]): ExitCode {
  if (outcomes.every(({ outcome }) => outcome === 'complete')) return exitCode.done;
  return outcomes.every(({ outcome }) => outcome === 'failed' || outcome === 'busy')
    ? exitCode.failed
    : exitCode.partlyDone;
}
