import { Argument, type Command, Option } from 'commander';
import { unitsIn } from '../../boards/board-questions.ts';
import { copiedPages, pageAsBoard } from '../../boards/pages-as-boards.ts';
import type { DateLevel } from '../../calendar.ts';
import { metricLabels } from '../../catalogue/labels/metric-labels.ts';
import type { AppliedDocument, DocumentFile, DocumentsInput, DocumentView } from '../../control/document-operations.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, group, withConnection } from '../command.ts';
import { fileText } from '../file-text.ts';
import { goalHistoryText } from '../goal-text.ts';
import { lineDiff } from '../line-diff.ts';
import { deliveryInWords, minuteText, readersInWords, ruleInWords, tableHeads } from '../table-words.ts';
import { columns, print, say } from '../terminal.ts';

interface DocumentWords {
  readonly kind: DocumentsInput['kind'];
  readonly plural: string;
  /** The end of the summary of the group: what such documents are. */
  readonly are: string;
  /** A name for examples. */
  readonly example: string;
  /** What a list shows of each besides its name, its owner and when it was changed. */
  readonly listed: Readonly<Record<string, (document: Readonly<Record<string, unknown>>) => string>>;
}

interface DocumentOptions {
  readonly org: string;
  readonly as: string;
  readonly json?: boolean;
}

const org = ['--org <org>', 'identifier or name of the organisation'] as const;
const as = ['--as <email>', 'email address of the person in whose name it is done'] as const;

/** The commands of one kind of documents: the same for all kinds. */
function documentCommands(context: Context, words: DocumentWords, ...more: readonly Command[]): Command {
  const { kind, plural, are, example } = words;
  const who = '--org Acme --as ada@acme.example';
  const input = ({ org, as }: DocumentOptions): DocumentsInput => ({ org, as, kind });
  const slug = ['<name>', `name of the ${kind}, as list shows it`] as const;
  return group(
    kind,
    {
      summary: `list, show, apply and remove ${plural}: ${are}`,
      example: `plumb ${kind} apply ${who} ${example}.yaml`,
    },
    command('list', { summary: `list the ${plural} that the person may see`, example: `plumb ${kind} list ${who}` })
      .requiredOption(...org)
      .requiredOption(...as)
      .action((options: DocumentOptions) =>
        withConnection(context, options, async ({ operations }) => {
          const all = await operations.listDocuments(input(options));
          return { json: all.map(listedJson), text: listText(all, words) };
        }),
      ),
    command('show', {
      summary: `print a ${kind} as YAML, which apply takes`,
      example: `plumb ${kind} show ${who} ${example} > ${example}.yaml`,
    })
      .requiredOption(...org)
      .requiredOption(...as)
      .argument(...slug)
      .action((name: string, options: DocumentOptions) =>
        withConnection(context, options, async ({ operations }) => {
          const { document, yaml } = await operations.showDocument({ ...input(options), slug: name });
          return { json: document, text: yaml.trimEnd() };
        }),
      ),
    command('apply', {
      summary: `make ${plural} what files say, all of them or none, and print what changes`,
      example: `plumb ${kind} apply ${who} ${plural}/*.yaml`,
    })
      .requiredOption(...org)
      .requiredOption(...as)
      .option('--dry-run', 'only print what would change')
      .argument('<files...>', `files with a ${kind} each, YAML or (.json) JSON, or - for standard input`)
      .action((names: readonly string[], options: DocumentOptions & { readonly dryRun?: boolean }) =>
        withConnection(context, options, async ({ operations }) => {
          const files = await Promise.all(names.map((name) => fileOf(context, name)));
          const planned = await operations.applyDocuments({ ...input(options), files, isDryRun: true });
          const changing = planned.filter(({ change }) => change !== 'unchanged');
          const isApplied = options.dryRun !== true && changing.length > 0;
          // What changes is said first: where something goes wrong then, the reader knows what was wanted.
          if (options.json !== true) {
            print(context.terminal, false, { json: null, text: planned.flatMap(changeLines).join('\n') });
          }
          if (isApplied) {
            const etags = Object.fromEntries(planned.map(({ slug, etag_before }) => [slug, etag_before]));
            await operations.applyDocuments({ ...input(options), files, isDryRun: false, etags });
          }
          const json = planned.map(({ slug, change, before, after }) => ({ [kind]: slug, change, before, after }));
          return { json: { applied: isApplied, changes: json }, text: summary(planned, options.dryRun === true) };
        }),
      ),
    command('remove', { summary: `remove a ${kind}`, example: `plumb ${kind} remove ${who} ${example}` })
      .requiredOption(...org)
      .requiredOption(...as)
      .argument(...slug)
      .action((name: string, options: DocumentOptions) =>
        withConnection(context, options, async ({ operations }) => {
          const removed = await operations.removeDocument({ ...input(options), slug: name });
          return { json: { [kind]: removed.slug }, text: `Removed ${kind} ${removed.slug}.` };
        }),
      ),
    ...more,
  );
}

export const boardCommands = (context: Context): Command =>
  documentCommands(
    context,
    {
      kind: 'board',
      plural: 'boards',
      are: 'panels under one name',
      example: 'delivery-review',
      listed: { Title: textOf('title'), 'Who sees it': readers },
    },
    copyCommand(context),
  );

const copyCommand = ({ terminal }: Context): Command =>
  command('copy', {
    summary: 'print a page as a board, which apply takes, and name the charts that no panel can show',
    example: 'plumb board copy delivery --range 12w > delivery.yaml',
  })
    .addOption(new Option('--range <range>', 'days, weeks or months such as 90d, 12w or 6m').default('90d'))
    .addArgument(new Argument('<page>', 'the page to copy').choices(copiedPages))
    .action(async (page: (typeof copiedPages)[number], { range, json }: { range: string; json?: boolean }) => {
      const units = unitsIn(range);
      if (!units) throw new Refusal('bad-input', `--range must be days, weeks or months such as 90d, not '${range}'.`);
      const { yamlText } = await import('../../documents/document-text.ts');
      const { board, leftOut } = pageAsBoard(page, { range, level: levelFor(units) });
      const written = { board: page, ...board };
      say(terminal, `Left out, since each takes more than one question: ${leftOut.join(', ')}.`);
      print(terminal, json === true, { json: written, text: yamlText(written).trimEnd() });
    });

const daysOf = { d: 1, w: 7, m: 30 } as const;

/** The level at which a range has some ten to thirty buckets. */
function levelFor({ count, unit }: { readonly count: number; readonly unit: keyof typeof daysOf }): DateLevel {
  const days = count * daysOf[unit];
  return days <= 31 ? 'day' : days <= 200 ? 'week' : 'month';
}

export const annotationCommands = (context: Context): Command =>
  documentCommands(context, {
    kind: 'annotation',
    plural: 'annotations',
    are: 'what happened on a day, for charts',
    example: 'copilot-rollout',
    listed: { Day: textOf('at'), Until: textOf('until'), Kind: textOf('kind'), Title: textOf('title') },
  });

export const goalCommands = (context: Context): Command =>
  documentCommands(
    context,
    {
      kind: 'goal',
      plural: 'goals',
      are: 'what metrics are to be',
      example: 'pickup-under-a-day',
      listed: { Title: textOf('title'), Metric: metricOf, Period: textOf('period'), 'Who sees it': readers },
    },
    goalHistory(context),
  );

/** The whole periods of a goal, as the person sees them. */
const goalHistory = (context: Context): Command =>
  command('history', {
    summary: 'print the state of a goal, and its whole periods',
    example: 'plumb goal history --org Acme --as ada@acme.example pickup-under-a-day --periods 8',
  })
    .requiredOption(...org)
    .requiredOption(...as)
    .option('--periods <number>', 'how many whole periods, at most 104', '26')
    .argument('<name>', 'name of the goal, as list shows it')
    .action((name: string, { periods, ...options }: DocumentOptions & { readonly periods: string }) =>
      withConnection(context, options, async ({ operations }) => {
        const history = await operations.goalHistory({
          org: options.org,
          as: options.as,
          slug: name,
          periods: Number(periods),
        });
        return { json: history, text: goalHistoryText(history) };
      }),
    );

export const alertCommands = (context: Context): Command =>
  documentCommands(
    context,
    {
      kind: 'alert',
      plural: 'alerts',
      are: 'rules, and who is told when one fires',
      example: 'sources-behind',
      listed: {
        Rule: ({ rule }) =>
          Object.keys(rule ?? {})
            .map(ruleInWords)
            .join(', '),
      },
    },
    testCommand(context),
    deliveriesCommand(context),
  );

const testCommand = (context: Context): Command =>
  command('test', {
    summary: 'send an example to everyone whom an alert tells',
    example: 'plumb alert test --org Acme --as ada@acme.example sources-behind',
  })
    .requiredOption(...org)
    .requiredOption(...as)
    .argument('<name>', 'name of the alert, as list shows it')
    .action((name: string, options: DocumentOptions) =>
      withConnection(context, options, async ({ operations }) => {
        const { sent } = await operations.testAlert({ org: options.org, as: options.as, slug: name });
        return {
          json: { sent },
          text: `An example is on its way to ${sent} ${sent === 1 ? 'receiver' : 'receivers'}.`,
        };
      }),
    );

const deliveriesCommand = (context: Context): Command =>
  command('deliveries', {
    summary: 'list what was sent for an alert, when, and what came back',
    example: 'plumb alert deliveries --org Acme --as ada@acme.example sources-behind',
  })
    .requiredOption(...org)
    .requiredOption(...as)
    .argument('<name>', 'name of the alert, as list shows it')
    .action((name: string, options: DocumentOptions) =>
      withConnection(context, options, async ({ operations }) => {
        const all = await operations.alertDeliveries({ org: options.org, as: options.as, slug: name });
        const rows = all.map(({ receiver, title, state, tries, status, queued_at }) => [
          minuteText(queued_at),
          Object.values(receiver).join(', '),
          title,
          deliveryInWords(state),
          status ?? '',
          String(tries),
        ]);
        const text = rows.length === 0 ? 'Nothing was sent yet.' : columns(tableHeads.deliveries, rows);
        return { json: all, text };
      }),
    );

export const digestCommands = (context: Context): Command =>
  documentCommands(context, {
    kind: 'digest',
    plural: 'digests',
    are: 'the overview or a board, sent at its time',
    example: 'monday-mail',
    listed: { Board: textOf('board'), Sent: textOf('every') },
  });

async function fileOf({ terminal }: Context, name: string): Promise<DocumentFile> {
  const text = await fileText(terminal, name);
  return { name: name === '-' ? 'Standard input' : name, format: /\.json$/i.test(name) ? 'json' : 'yaml', text };
}

const listedJson = ({ document, owner, may_change, changed_at }: DocumentView) => ({
  ...document,
  owner,
  may_change,
  changed_at,
});

function listText(all: readonly DocumentView[], { plural, listed }: DocumentWords): string {
  if (all.length === 0) return `There are no ${plural} yet.`;
  const rows = all.map(({ slug, document, owner, changed_at }) => {
    const cells = Object.values(listed).map((cell) => cell(document as Readonly<Record<string, unknown>>));
    return [slug, ...cells, owner ?? 'Owners', minuteText(changed_at)];
  });
  return columns(['Name', ...Object.keys(listed), 'Owner', 'Changed'], rows);
}

/** A field of a document as it is. */
function textOf(name: string): (document: Readonly<Record<string, unknown>>) => string {
  return (document) => String(document[name] ?? '');
}

const metricOf = ({ metric }: Readonly<Record<string, unknown>>): string =>
  metricLabels[String(metric)] ?? String(metric);

function readers({ visible_to: seenBy = 'me' }: Readonly<Record<string, unknown>>): string {
  if (typeof seenBy === 'string') return readersInWords(seenBy);
  return String((seenBy as { readonly team?: string }).team);
}

const changeLines = ({ slug, change, yaml }: AppliedDocument): string[] => [
  `${slug}: ${change}`,
  ...(change === 'unchanged' ? [] : lineDiff(yaml.before, yaml.after).map((line) => `  ${line}`)),
];

function summary(planned: readonly AppliedDocument[], isDryRun: boolean): string {
  const counts = (['new', 'changed', 'unchanged'] as const).flatMap((change) => {
    const count = planned.filter((one) => one.change === change).length;
    return count === 0 ? [] : [`${count} ${change}`];
  });
  return `${counts.join(', ')}.${isDryRun ? ' Nothing was changed.' : ''}`;
}
