import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { MoveInput, MoveOutcome } from '../../control/move-lines.ts';
import type { Operations } from '../../control/operations.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, withConnection } from '../command.ts';

interface MigrateOptions {
  readonly to: readonly string[];
  readonly json?: boolean;
}

export function migrateCommand(context: Context): Command {
  return command('migrate', {
    summary:
      'copy everything from where the environment points to PostgreSQL and ClickHouse, or to a data folder, and compare it row by row (takes no writes meanwhile, and can be stopped and run again)',
    example: 'plumb migrate --to env:NEW_DATABASE_URL --to http://clickhouse.acme.example:8123/plumb',
  })
    .requiredOption(
      '--to <place>',
      'postgresql://… and http(s)://… (give it twice), or a folder, each also as env:NAME',
      (word: string, words: readonly string[] = []) => [...words, word],
    )
    .action((options: MigrateOptions) => {
      const to = destinationOf(options.to, context.terminal.environment);
      return withConnection(context, options, async ({ operations }) => {
        const outcome = await move(context, operations, to, options);
        return { json: outcome, text: sentences(outcome, to).join('\n') };
      });
    });
}

/** Messages never repeat an address: it may hold a password. */
function destinationOf(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): MoveInput['to'] {
  const places = words.map((word) => {
    const [, name] = /^env:(.+)$/.exec(word) ?? [];
    if (name === undefined) return word;
    const value = environment[name];
    if (value) return value;
    throw new Refusal('bad-input', `--to env:${name}: there is no ${name} in the environment.`);
  });
  const databases = places.filter((place) => /^postgres(ql)?:\/\//.test(place));
  const tables = places.filter((place) => /^https?:\/\//.test(place));
  const folders = places.filter((place) => !databases.includes(place) && !tables.includes(place));
  const [databaseUrl, tablesUrl, folder] = [databases[0], tables[0], folders[0]];
  if (places.length === 2 && databaseUrl !== undefined && tablesUrl !== undefined && URL.canParse(databaseUrl)) {
    if (URL.canParse(tablesUrl)) return { databaseUrl, tablesUrl };
  }
  if (places.length === 1 && folder && !folder.includes('://')) return { folder: resolve(folder) };
  throw new Refusal(
    'bad-input',
    'Give --to twice, once with a postgresql:// address and once with an http:// or https:// address of ClickHouse, or once with a folder.',
  );
}

async function move({ terminal }: Context, { migrate }: Operations, to: MoveInput['to'], { json }: MigrateOptions) {
  // Loaded when it is needed, so that --help is quick.
  const { Progress } = await import('../progress.ts');
  const progress = new Progress({ screen: terminal.stderr, label: 'migrate', enabled: json !== true });
  let outcome: MoveOutcome | undefined;
  let rows = 0;
  try {
    for await (const line of migrate({ to })) {
      if ('outcome' in line) {
        if (line.outcome === 'refused') throw new Refusal(line.reason, line.message);
        outcome = line;
      } else if (line.state === 'copied' || line.state === 'kept') rows += line.rows;
      progress.update({ rows, bytesRead: 0 });
    }
  } finally {
    progress.finish({ rows });
  }
  if (!outcome) throw new Refusal('unavailable', 'The migration ended without an answer. Run it again.');
  return outcome;
}

function sentences(
  { organisations, rows, secret_file, old_place_is_held }: MoveOutcome,
  to: MoveInput['to'],
): string[] {
  const many = `${organisations} ${organisations === 1 ? 'organisation' : 'organisations'}`;
  const settings = 'folder' in to ? `PLUMB_DATA=${to.folder}` : 'DATABASE_URL and CLICKHOUSE_URL of the new place';
  return [
    `Copied ${rows.toLocaleString('en')} rows of ${many}, and compared all of them.`,
    ...(secret_file === null ? [] : [`Set PLUMB_SECRET to what ${secret_file} holds, or sources cannot be read.`]),
    `Start servers with ${settings}. ${
      old_place_is_held
        ? 'The server that runs at the old place takes no writes until it is stopped.'
        : 'Stop any server at the old place first: what is written there from now on stays there.'
    }`,
  ];
}
