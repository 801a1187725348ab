import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type OrganisationView, settingNames } from '../../directory/organisation-settings.ts';
import { Refusal } from '../../refusal.ts';
import { assignments, type Context, command, group, withConnection } from '../command.ts';
import { refuseExisting, writeBackup } from '../private-file.ts';
import { tableHeads } from '../table-words.ts';
import { columns } from '../terminal.ts';

export function orgCommands(context: Context): Command {
  return group(
    'org',
    {
      summary: 'create, configure, list and delete organisations',
      example: 'plumb org create --name Acme --owner-email ada@acme.example',
    },
    command('create', {
      summary: 'create an organisation with its first Owner, and a sign-in link for the Owner',
      example: 'plumb org create --name Acme --owner-email ada@acme.example --owner-name "Ada Quill"',
    })
      .requiredOption('--name <name>', 'name of the organisation, which no other one has')
      .requiredOption('--owner-email <email>', 'email address of its first Owner')
      .option('--owner-name <name>', 'display name of the Owner')
      .action((options: { name: string; ownerEmail: string; ownerName?: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const { name, ownerEmail, ownerName } = options;
          const made = await operations.createOrganisation({
            name,
            ownerEmail,
            ...(ownerName === undefined ? {} : { ownerName }),
          });
          return {
            json: made,
            text: `Made ${name} (${made.id}).\n${ownerEmail} chooses a password and signs in, once within 24 hours, at\n  ${made.sign_in_url}`,
          };
        }),
      ),
    command('set', {
      summary: 'change settings of an organisation',
      example: 'plumb org set --org Acme time_zone=Europe/Vienna team_restrictions=true',
    })
      .requiredOption('--org <org>', 'identifier or name of the organisation')
      .argument('<settings...>', `${settingNames.join(', ')}, each as KEY=VALUE`)
      .action((words: string[], options: { org: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const set = await operations.setOrganisation({ org: options.org, values: assignments(words) });
          return { json: set, text: settingsText(set) };
        }),
      ),
    command('delete', {
      summary: 'delete an organisation with everything in it, its keys, sessions, sources and webhooks included',
      example: 'plumb org delete Acme --confirm Acme --backup acme-2027-01-31.backup',
    })
      .argument('<org>', 'identifier or name of the organisation')
      .requiredOption('--confirm <name>', 'its name once more, exactly')
      .option('--backup <file>', 'file to write a backup of the organisation to, before anything is deleted')
      .option('--no-backup', 'delete it without a backup')
      .action((org: string, options: { confirm: string; backup?: string | false; json?: boolean }) => {
        const { backup, confirm } = options;
        if (backup === undefined) {
          throw new Refusal(
            'bad-input',
            'Say where to write a backup first (--backup FILE), or delete without one (--no-backup).',
          );
        }
        const file = backup === false ? null : resolve(backup);
        if (file !== null) refuseExisting(file, 'Name another file for the backup.');
        return withConnection(context, options, async ({ operations }) => {
          const { id, name } = await operations.confirmDeletion({ org, confirm });
          if (file !== null) await writeBackup(file, operations.backup({ org: id }));
          await operations.deleteOrganisation({ org: id, confirm });
          const kept = file === null ? '' : ` Its backup is ${file}: \`plumb restore\` brings it back.`;
          return { json: { id, name, backup: file }, text: `Deleted ${name} (${id}).${kept}` };
        });
      }),
    command('list', { summary: 'list all organisations', example: 'plumb org list' }).action(
      (options: { json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const all = await operations.listOrganisations({});
          const rows = all.map(({ id, name, time_zone }) => [id, time_zone, name]);
          return {
            json: all,
            text: all.length === 0 ? 'There are no organisations yet.' : columns(tableHeads.organisations, rows),
          };
        }),
    ),
  );
}

function settingsText({ id, name, ...settings }: OrganisationView): string {
  const lines = Object.entries(settings).map(
    ([key, value]) => `  ${key} = ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return [`${name} (${id})`, ...lines].join('\n');
}
