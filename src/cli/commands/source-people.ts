import type { Command } from 'commander';
import type { AccountView, DirectoryPreview, LinkView } from '../../control/source-people.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, withConnection } from '../command.ts';
import { columns } from '../terminal.ts';

interface SourcePeopleOptions {
  readonly org: string;
  readonly dryRun?: boolean;
  readonly unlink?: string;
  readonly json?: boolean;
}

export const sourcePeopleCommand = (context: Context): Command =>
  command('people', {
    summary: 'list the members whom a source has brought, preview a sync of them, or undo the link of an account',
    example: 'plumb source people --org Acme Code --dry-run',
  })
    .requiredOption('--org <org>', 'identifier or name of the organisation')
    .option('--dry-run', 'read members and teams now, and say what a sync would change')
    .option('--unlink <login>', 'take an account from its person; the next sync makes it a person of its own')
    .argument('<name>', 'name or identifier of the source')
    .action((source: string, options: SourcePeopleOptions) =>
      withConnection(context, options, async ({ operations }) => {
        const { org, dryRun, unlink } = options;
        if (dryRun && unlink !== undefined) {
          throw new Refusal('bad-input', '--dry-run previews a sync: --unlink goes without it.');
        }
        if (unlink !== undefined) {
          const unlinked = await operations.unlinkAccount({ org, source, login: unlink });
          const text = `${unlinked.login} is no longer ${unlinked.name}’s. The next sync makes it a person of its own.`;
          return { json: unlinked, text };
        }
        if (dryRun) {
          const previews = await operations.previewSourcePeople({ org, source });
          return { json: previews, text: previews.map(previewText).join('\n\n') };
        }
        const accounts = await operations.listSourcePeople({ org, source });
        return { json: accounts, text: accountsText(accounts) };
      }),
    );

function accountsText(accounts: readonly AccountView[]): string {
  if (accounts.length === 0) return 'No members have been read yet.';
  const rows = accounts.map((account) => [
    account.login,
    account.owner,
    account.name ?? 'nobody',
    account.onboarded ? 'yes' : 'no',
    notesOn(account),
  ]);
  return columns(['LOGIN', 'ORGANISATION', 'PERSON', 'ONBOARDED', 'NOTES'], rows);
}

function notesOn({ left_at, is_unlinked, email_belongs_to }: AccountView): string {
  return [
    ...(left_at === null ? [] : [`left ${left_at.slice(0, 10)}`]),
    ...(is_unlinked ? ['unlinked'] : []),
    ...(email_belongs_to === null ? [] : [`its address is ${email_belongs_to}’s`]),
  ].join(', ');
}

const linkWords: Readonly<Record<LinkView['linked_by'], string>> = {
  new: 'a new person',
  verified_email: 'by verified email address',
  login: 'by login',
  earlier_sync: 'linked already',
};

/** Only what a sync would change, and what an owner should look at. */
function previewText(preview: DirectoryPreview): string {
  const changed = preview.people.filter((link) => link.linked_by !== 'earlier_sync' || link.email_belongs_to !== null);
  const membership = (sign: string) => (one: { readonly team: string; readonly person: string }) =>
    `  ${sign} ${one.team}: ${one.person}`;
  const lines = [
    ...changed.map(linkText),
    ...preview.new_teams.map((team) => `  + team ${team}`),
    ...preview.memberships_added.map(membership('+')),
    ...preview.memberships_removed.map(membership('-')),
    ...preview.left.map(({ login, name }) => `  left: ${login}${name === null ? '' : ` (${name})`}`),
    ...preview.offboarded.map(({ name }) => `  offboarded: ${name}`),
    ...preview.problems.map((problem) => `  not taken: ${problem}`),
  ];
  const news =
    lines.length === 0 ? 'A sync would change nothing.' : 'A sync would change this; nothing was changed now.';
  return [`${preview.owner}: ${preview.people.length} members. ${news}`, ...lines].join('\n');
}

function linkText({ login, name, linked_by, email_belongs_to }: LinkView): string {
  const conflict =
    email_belongs_to === null ? '' : `; its address is ${email_belongs_to}’s: merge the two if they are one`;
  return `  ${login} → ${name}, ${linkWords[linked_by]}${conflict}`;
}
