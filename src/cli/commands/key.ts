import type { Command } from 'commander';
import type { NamedKey } from '../../control/listed-keys.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, group, withConnection } from '../command.ts';
import { keyStatusInWords, minuteText, never, tableHeads, untilRevoked } from '../table-words.ts';
import { columns } from '../terminal.ts';

const org = ['--org <org>', 'identifier or name of the organisation'] as const;
const named = ['--name <name>', 'name of the key, where only one that works has it'] as const;
const keyId = ['[key-id]', 'as `plumb key list` shows it'] as const;

export function keyCommands(context: Context): Command {
  return group(
    'key',
    {
      summary: 'create, list, revoke and rotate keys',
      example: 'plumb key create --org Acme --as ada@acme.example --name nightly-sync',
    },
    command('create', {
      summary: 'create a key with its owner’s rights, shown once',
      example: 'plumb key create --org Acme --as ada@acme.example --name nightly-sync --expires 2027-12-31',
    })
      .requiredOption(...org)
      .requiredOption('--as <email>', 'email address of the person who owns the key')
      .requiredOption('--name <name>', 'what the key is for')
      .option('--expires <date>', 'last day on which the key works, or a timestamp')
      .action((options: { org: string; as: string; name: string; expires?: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const { org: of, as, name, expires } = options;
          const made = await operations.createKey({ org: of, as, name, ...(expires === undefined ? {} : { expires }) });
          return { json: made, text: `${made.key}\n\nKey ${made.id}. It won’t be shown again.` };
        }),
      ),
    command('list', { summary: 'list the keys of an organisation', example: 'plumb key list --org Acme' })
      .requiredOption(...org)
      .action((options: { org: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const keys = await operations.listKeys({ org: options.org });
          const rows = keys.map((key) => [
            key.id,
            `…${key.hint}`,
            keyStatusInWords(key.status),
            key.last_used_at === null ? never : minuteText(key.last_used_at),
            key.expires_at === null ? untilRevoked : minuteText(key.expires_at),
            key.creator ?? '',
            key.name,
          ]);
          return { json: keys, text: keys.length === 0 ? 'There are no keys yet.' : columns(tableHeads.keys, rows) };
        }),
      ),
    command('revoke', {
      summary: 'revoke a key at once and for good',
      example: 'plumb key revoke --org Acme --name nightly-sync',
    })
      .requiredOption(...org)
      .option(...named)
      .argument(...keyId)
      .action((id: string | undefined, options: { org: string; name?: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const revoked = await operations.revokeKey({ org: options.org, ...keyMeant(id, options.name) });
          return { json: revoked, text: `Revoked key ${revoked.id}.` };
        }),
      ),
    command('rotate', {
      summary: 'replace a key with a new one (the old one works for a while longer)',
      example: 'plumb key rotate --org Acme --name nightly-sync --overlap 24h',
    })
      .requiredOption(...org)
      .option('--overlap <time>', 'how long the old key still works, such as 30m, 24h or 7d', '24h')
      .option(...named)
      .argument(...keyId)
      .action((id: string | undefined, options: { org: string; name?: string; overlap: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const overlapSeconds = secondsOf(options.overlap);
          const key = keyMeant(id, options.name);
          const made = await operations.rotateKey({ org: options.org, overlapSeconds, ...key });
          const text = `${made.key}\n\nKey ${made.id}. It won’t be shown again. The old key works for ${options.overlap}.`;
          return { json: made, text };
        }),
      ),
  );
}

function keyMeant(id: string | undefined, name: string | undefined): NamedKey {
  if (id !== undefined && name === undefined) return { id };
  if (id === undefined && name !== undefined) return { name };
  throw new Refusal('bad-input', 'Say which key: either its identifier, or --name with its name.');
}

function secondsOf(text: string): number {
  const [, amount, unit] = /^(\d{1,6})\s*([smhd])$/.exec(text.trim()) ?? [];
  const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 }[unit ?? ''];
  if (amount === undefined || seconds === undefined) {
    throw new Refusal('bad-input', `The overlap must be a time such as 30m, 24h or 7d, not '${text}'.`);
  }
  return Number(amount) * seconds;
}
