import type { Command } from 'commander';
import { valueLabel } from '../../catalogue/labels/shown-names.ts';
import type { CheckView } from '../../configured-sources/check-source.ts';
import type { AddedSourceView, SourceView } from '../../control/source-operations.ts';
import type { AccountView, DirectoryPreview, LinkView } from '../../control/source-people.ts';
import { Refusal } from '../../refusal.ts';
import { sourceKinds } from '../../sources/kinds.ts';
import type { SourceKind } from '../../sources/source.ts';
import { joinedNames, replacementsOf, settingFields } from '../../sources/source-settings.ts';
import { assignments, type Context, command, group, withConnection } from '../command.ts';
import { exitCode } from '../exit-code.ts';
import { minuteText, never, outcomeInWords, tableHeads, yesOrNo } from '../table-words.ts';
import { columns } from '../terminal.ts';

const org = ['--org <org>', 'identifier or name of the organisation'] as const;
const name = ['<name>', 'name or identifier of the source'] as const;
const set = [
  '--set <name=value>',
  'a setting, may be repeated (env:NAME and file:PATH are read by the server at each use)',
  (word: string, before: readonly string[] = []): readonly string[] => [...before, word],
] as const;

interface SourceOptions {
  readonly org: string;
  readonly json?: boolean;
}
interface SetOptions extends SourceOptions {
  readonly set?: readonly string[];
}

export function sourceCommands(context: Context): Command {
  return group(
    'source',
    {
      summary: 'add, change, list, check and remove sources: the tools that history comes from',
      example: 'plumb source add github --org Acme --name Code --set organization=acme --set token=env:GITHUB_TOKEN',
    },
    command('add', {
      summary: 'add a source, after checking that it can be read (the secret for its webhooks is shown once)',
      example: 'plumb source add github --org Acme --name Code --set organization=acme --set token=env:GITHUB_TOKEN',
    })
      .requiredOption(...org)
      .requiredOption('--name <name>', 'what to call it, such as Code')
      .option(...set)
      .option('--no-check', 'save it without checking that it can be read')
      .argument('<kind>', `what it is: ${sourceKinds.map(({ kind }) => kind).join(', ')}`)
      .addHelpText('after', `\n${sourceKinds.map(kindHelp).join('\n\n')}`)
      .action((kind: string, options: SetOptions & { readonly name: string; readonly check: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const settings = assignments(options.set ?? []);
          const { org, name, check } = options;
          const added = await operations.addSource({ org, kind, name, settings, unchecked: !check });
          return { json: added, text: addedText(added, options.org) };
        }),
      ),
    command('set', {
      summary: 'change settings of a source (an empty value clears one)',
      example: 'plumb source set --org Acme Code --set token=env:GITHUB_TOKEN',
    })
      .requiredOption(...org)
      .option(...set)
      .argument(...name)
      .action((source: string, options: SetOptions) =>
        withConnection(context, options, async ({ operations }) => {
          const settings = assignments(options.set ?? []);
          const changed = await operations.setSource({ org: options.org, source, settings });
          return { json: changed, text: `${changed.name}: ${settingsText(changed)}` };
        }),
      ),
    command('list', { summary: 'list the sources of an organisation', example: 'plumb source list --org Acme' })
      .requiredOption(...org)
      .action((options: SourceOptions) =>
        withConnection(context, options, async ({ operations }) => {
          const sources = await operations.listSources({ org: options.org });
          return { json: sources, text: listText(sources) };
        }),
      ),
    command('check', {
      summary: 'check whether a source can be read, and how much of it',
      example: 'plumb source check --org Acme Code',
    })
      .requiredOption(...org)
      .argument(...name)
      .action((source: string, options: SourceOptions) =>
        withConnection(context, options, async ({ operations }) => {
          const checked = await operations.checkSource({ org: options.org, source });
          if (!checked.ok) context.exitWith(exitCode.failed);
          return { json: checked, text: checkText(checked) };
        }),
      ),
    sourcePeopleCommand(context),
    command('remove', {
      summary: 'remove a source (its records stay)',
      example: 'plumb source remove --org Acme Code',
    })
      .requiredOption(...org)
      .argument(...name)
      .action((source: string, options: SourceOptions) =>
        withConnection(context, options, async ({ operations }) => {
          const removed = await operations.removeSource({ org: options.org, source });
          return { json: removed, text: `Removed source ${removed.name}. Its records stay.` };
        }),
      ),
  );
}

function kindHelp(kind: SourceKind): string {
  const fields = settingFields(kind);
  const width = Math.max(...fields.map((field) => field.name.length));
  const lines = fields.map((field) => {
    const { name, meaning, isRequired, isSecret, usual, insteadOf } = field;
    const others = replacementsOf(field, fields);
    const notes = [
      ...(isRequired && usual === undefined && insteadOf === undefined ? ['required'] : []),
      ...(others.length === 0 ? [] : [`or ${joinedNames(others)} instead`]),
      ...(insteadOf === undefined ? [] : [`instead of ${insteadOf}`]),
      ...(isSecret ? ['secret'] : []),
      ...(usual === undefined ? [] : [`${usual} when unset`]),
    ];
    return `  ${name.padEnd(width)}  ${meaning}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
  });
  return [`Settings of ${kind.kind} (${kind.meaning}):`, ...lines].join('\n');
}

function addedText({ id, name, webhook_url, webhook_secret, check }: AddedSourceView, of: string): string {
  const lines = [`Added source ${name} (${id}).`, ...(check ? seenLines(check) : [])];
  if (webhook_url !== null) lines.push('', `Webhook address: ${webhook_url}`);
  if (webhook_secret !== null) {
    lines.push(`Webhook secret:  ${webhook_secret}`, 'The secret won’t be shown again.');
  }
  lines.push('');
  if (!check) lines.push(`See what it can read: plumb source check --org '${of}' '${name}'`);
  lines.push(`Read it now:          plumb sync --org '${of}' --source '${name}'`);
  return lines.join('\n');
}

function listText(sources: readonly SourceView[]): string {
  if (sources.length === 0) return 'There are no sources yet.';
  const rows = sources.map((source) => [
    source.id,
    valueLabel('source', source.kind),
    source.name,
    source.last_sync?.finished_at ? minuteText(source.last_sync.finished_at) : never,
    source.last_sync?.outcome ? outcomeInWords(source.last_sync.outcome) : '',
    settingsText(source),
  ]);
  const table = columns(tableHeads.sources, rows);
  const problems = sources.flatMap(({ name, last_sync }) =>
    last_sync?.error ? [`${name}: ${last_sync.error}. ${last_sync.to_do ?? ''}`.trim()] : [],
  );
  const notSeen = sources.flatMap(({ name, not_seen }) => not_seen.map((one) => `${name} ${notSeenText(one)}`));
  const partly = sources.some(({ last_sync }) => last_sync?.outcome === 'partial')
    ? ['`plumb doctor` says what could not be read, and what to do about it.']
    : [];
  const notes = [...problems, ...partly, ...notSeen];
  return [table, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

const maxScopes = 3;

/** What could not be seen, in one line: "pull requests of acme/web: … (history begins on 2026-01-01)". */
function notSeenText({ stream, scopes, what, since, to_do }: SourceView['not_seen'][number]): string {
  const more = scopes.length - maxScopes;
  const named = [...scopes.slice(0, maxScopes), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const begins = since === null ? '' : ` (history begins on ${since.slice(0, 10)})`;
  return `${stream}${named === '' ? '' : ` of ${named}`}: ${what}${begins}.${to_do === null ? '' : ` ${to_do}`}`;
}

const settingsText = ({ settings }: SourceView): string =>
  Object.entries(settings)
    .map(([setting, text]) => `${setting}=${text}`)
    .join(' ');

function checkText(check: CheckView): string {
  if (check.error !== null) return `${check.name} cannot be read: ${check.error}. ${check.to_do ?? ''}`.trim();
  return seenLines(check).join('\n');
}

function seenLines(check: CheckView): string[] {
  const clock = check.clock_difference_seconds;
  return [
    `${check.name} can be read${check.account === null ? '' : ` as ${check.account}`}.`,
    ...check.sees.map((seen) => `  sees     ${seen}`),
    ...(check.reads.length === 0 ? [] : [`  reads    ${check.reads.join(', ')}`]),
    ...check.missing.map((missing) => `  missing  ${missing}`),
    ...(clock === null || Math.abs(clock) < 60 ? [] : [`  clock    its clock is ${clock} seconds from ours`]),
  ];
}

interface SourcePeopleOptions {
  readonly org: string;
  readonly dryRun?: boolean;
  readonly unlink?: string;
  readonly json?: boolean;
}

const sourcePeopleCommand = (context: Context): Command =>
  command('people', {
    summary: 'list the members whom a source has brought, preview a sync of them, or undo the link of an account',
    example: 'plumb source people --org Acme Code --dry-run',
  })
    .requiredOption('--org <org>', 'identifier or name of the organisation')
    .option('--dry-run', 'read members and teams now, and say what a sync would change')
    .option('--unlink <login>', 'detach an account from its person (the next sync makes it a person of its own)')
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
    account.name ?? '-',
    yesOrNo(account.onboarded === true),
    notesOn(account),
  ]);
  return columns(tableHeads.accounts, rows);
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

/** Only the part that a sync would change, and that an Owner should look at. */
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
    ...preview.offboarded.map(({ name }) => `  no longer in metrics: ${name}`),
    ...preview.problems.map((problem) => `  not taken: ${problem}`),
  ];
  const news =
    lines.length === 0 ? 'A sync would change nothing.' : 'A sync would make these changes. Nothing was changed now.';
  return [`${preview.owner}: ${preview.people.length} members. ${news}`, ...lines].join('\n');
}

function linkText({ login, name, linked_by, email_belongs_to }: LinkView): string {
  const conflict =
    email_belongs_to === null
      ? ''
      : `, but its address is ${email_belongs_to}’s: merge the two if they are the same person`;
  return `  ${login} → ${name}, ${linkWords[linked_by]}${conflict}`;
}
