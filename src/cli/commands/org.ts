import type { Command } from 'commander';
import { settingNames } from '../../directory/organisation-settings.ts';
import type { OrganisationView } from '../../directory/organisation-view.ts';
import { assignments, type Context, command, group, withConnection } from '../command.ts';
import { columns } from '../terminal.ts';

export function orgCommands(context: Context): Command {
  return group(
    'org',
    {
      summary: 'create and configure organisations',
      example: 'plumb org create --name Acme --owner-email ada@acme.example',
    },
    command('create', {
      summary: 'create an organisation with its first Owner, and a sign-in link for the Owner',
      example: 'plumb org create --name Acme --owner-email ada@acme.example --owner-name "Ada Quill"',
    })
      .requiredOption('--name <name>', 'name of the organisation')
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
    command('list', { summary: 'list all organisations', example: 'plumb org list' }).action(
      (options: { json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const all = await operations.listOrganisations({});
          const rows = all.map(({ id, name, time_zone }) => [id, time_zone, name]);
          return {
            json: all,
            text: all.length === 0 ? 'There are no organisations yet.' : columns(['ID', 'TIME ZONE', 'NAME'], rows),
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
