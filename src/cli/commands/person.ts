import type { Command } from 'commander';
import { personRecord } from '../../catalogue/directory-records.ts';
import { valueLabel } from '../../catalogue/labels/shown-names.ts';
import type { PersonView } from '../../control/people-list.ts';
import { assignments, type Context, command, group, withConnection } from '../command.ts';
import { tableHeads, yesOrNo } from '../table-words.ts';
import { columns } from '../terminal.ts';

const org = ['--org <org>', 'identifier or name of the organisation'] as const;

export function personCommands(context: Context): Command {
  return group(
    'person',
    {
      summary: 'list, add, change, remove, merge and unmerge people, and invite them to sign in',
      example: 'plumb person set --org Acme ada@acme.example access_role=Manager',
    },
    command('list', { summary: 'list everyone of an organisation', example: 'plumb person list --org Acme' })
      .requiredOption(...org)
      .action((options: { org: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const people = await operations.listPeople({ org: options.org });
          const rows = people.map(({ name, email, access_role, onboarded, is_bot, teams }) => [
            name,
            email ?? '-',
            access_role,
            is_bot ? 'Bot' : yesOrNo(onboarded),
            teams.join(', '),
          ]);
          return { json: people, text: columns(tableHeads.people, rows) };
        }),
      ),
    command('add', {
      summary: 'add a person who is not known yet, by email address',
      example: 'plumb person add --org Acme grace@acme.example name="Grace Roe" teams=Core',
    })
      .requiredOption(...org)
      .argument('<email>', 'email address of the person')
      .argument('[fields...]', `${Object.keys(personRecord.fields).join(', ')}, each as KEY=VALUE`)
      .action((email: string, words: string[], options: { org: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const person = await operations.addPerson({
            org: options.org,
            email,
            fields: typedFields(assignments(words)),
          });
          const state = person.onboarded ? 'in metrics' : 'not in metrics';
          return { json: person, text: `Added ${described(person)}: ${person.access_role}, ${state}.` };
        }),
      ),
    command('set', {
      summary: 'change a person, found by any email address, login or identifier (an empty value clears a field)',
      example: 'plumb person set --org Acme ada@acme.example access_role=Manager teams=Core,Platform',
    })
      .requiredOption(...org)
      .option('--create', 'create the person if no one has that address')
      .argument('<email>', 'email address of the person')
      .argument('<fields...>', `${Object.keys(personRecord.fields).join(', ')}, each as KEY=VALUE`)
      .action((who: string, words: string[], options: { org: string; create?: boolean; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const fields = typedFields(assignments(words));
          const person = await operations.setPerson({ org: options.org, who, fields, create: options.create === true });
          return { json: person, text: `Set ${described(person)}.` };
        }),
      ),
    command('sign-in', {
      summary: 'create a link with which a person signs in once, within 24 hours, and chooses their password',
      example: 'plumb person sign-in --org Acme ada@acme.example',
    })
      .requiredOption(...org)
      .argument('<email>', 'email address of the person')
      .action((who: string, options: { org: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const link = await operations.createSignIn({ org: options.org, who });
          return { json: link, text: link.sign_in_url };
        }),
      ),
    command('remove', {
      summary: 'remove a person: their keys and sessions stop working, and their records stay without a name',
      example: 'plumb person remove --org Acme ada@acme.example',
    })
      .requiredOption(...org)
      .argument('<email>', 'email address of the person')
      .action((who: string, options: { org: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const person = await operations.removePerson({ org: options.org, who });
          return { json: person, text: `Removed ${described(person)}.` };
        }),
      ),
    command('merge', {
      summary: 'merge two people: everything of the second becomes the first’s',
      example: 'plumb person merge --org Acme ada@acme.example ada.q@home.example',
    })
      .requiredOption(...org)
      .argument('<keep>', 'email address of the person who stays')
      .argument('<absorb>', 'email address of the person who becomes part of them')
      .action((keep: string, absorb: string, options: { org: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const merge = await operations.mergePeople({ org: options.org, keep, absorb });
          return { json: merge, text: `Merged ${described(merge.absorbed)} into ${described(merge.survivor)}.` };
        }),
      ),
    command('unmerge', {
      summary: 'undo a merge: the absorbed person is separate again, with everything that was theirs',
      example: 'plumb person unmerge --org Acme ada.q@home.example',
    })
      .requiredOption(...org)
      .argument('<absorbed>', 'email address of the absorbed person')
      .action((who: string, options: { org: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const merge = await operations.unmergePerson({ org: options.org, who });
          return { json: merge, text: `Separated ${described(merge.absorbed)} from ${described(merge.survivor)}.` };
        }),
      ),
    command('unknown', {
      summary: 'list accounts in records that belong to no person in the directory',
      example: 'plumb person unknown --org Acme',
    })
      .requiredOption(...org)
      .action((options: { org: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const unknown = await operations.listUnknownAccounts({ org: options.org });
          const rows = unknown.map(({ source, login, email, name, is_bot, rows: number }) =>
            [String(number), source && valueLabel('source', source), login, email, name, is_bot ? 'Bot' : ''].map(
              (text) => text ?? '',
            ),
          );
          const text = rows.length === 0 ? 'All accounts are matched.' : columns(tableHeads.unknownAccounts, rows);
          return { json: unknown, text };
        }),
      ),
    command('suggest', {
      summary: 'list possible duplicates among people and accounts (nothing is merged)',
      example: 'plumb person suggest --org Acme',
    })
      .requiredOption(...org)
      .action((options: { org: string; json?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const suggestions = await operations.suggestMatches({ org: options.org });
          const rows = suggestions.map(({ name, why, person, may_be }) => [
            name,
            person.email ?? person.merged_user_id,
            'account' in may_be
              ? [may_be.account.source, may_be.account.login ?? may_be.account.email].filter(Boolean).join(' ')
              : (may_be.email ?? may_be.merged_user_id),
            why,
          ]);
          const text = rows.length === 0 ? 'No possible duplicates.' : columns(tableHeads.duplicates, rows);
          return { json: suggestions, text };
        }),
      ),
  );
}

/** Lists may be typed as `a,b` as well as in JSON. */
function typedFields(fields: Readonly<Record<string, string>>): Record<string, string | null> {
  const types: Readonly<Record<string, { readonly type: string }>> = personRecord.fields;
  const typed = ([name, value]: readonly [string, string]) => {
    if (value === '') return [name, null];
    const isPlainList = types[name]?.type === 'text[]' && !value.trimStart().startsWith('[');
    return [name, isPlainList ? JSON.stringify(value.split(',').map((item) => item.trim())) : value];
  };
  return Object.fromEntries(Object.entries(fields).map(typed));
}

function described({ name, email, merged_user_id }: PersonView): string {
  return `${name} (${email ?? merged_user_id})`;
}
