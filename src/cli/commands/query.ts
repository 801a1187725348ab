import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { ReceivedAnswer } from '../../control/received-answer.ts';
import { aggregations } from '../../expression/expression.ts';
import { textFormats } from '../../formats/answer-formats.ts';
import { alternatives, mustBeOneOf } from '../../nearest.ts';
import type { AnswerRow } from '../../query/plan.ts';
import { type DurationStyle, durationStyles } from '../../query/request.ts';
import { Refusal } from '../../refusal.ts';
import type { TableView } from '../answer-table.ts';
import { type Context, collected, command, definedOnly, withConnection } from '../command.ts';
import { fileText } from '../file-text.ts';
import { sayNotes } from '../option-words.ts';
import type { QuestionWords } from '../query-body.ts';
import { print, say, screenWidth, type Terminal, unlessUnread } from '../terminal.ts';
import type { ShownMeasure } from '../value-text.ts';

interface QueryOptions extends OptionWords {
  readonly org: string;
  readonly as: string;
  readonly body?: string;
  readonly format?: string;
  readonly durations?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** The longer name of an option is what it is kept under. */
type OptionWords = Omit<QuestionWords, 'since' | 'until' | 'by' | 'per' | 'agg'> & {
  readonly start?: string;
  readonly end?: string;
  readonly groupBy?: string;
  readonly dateLevel?: string;
  readonly aggregation?: string;
};

const formats = ['table', ...textFormats] as const;
type PrintFormat = (typeof formats)[number];

/** Nobody reads more rows than this on a screen. */
const maxTableRows = 1_000;

export function queryCommand(context: Context): Command {
  return command('query', {
    summary: 'query a metric as a person, who sees what their role allows',
    example: 'plumb query cycle-time --org Acme --as ada@acme.example --since 90d --by team --per week',
  })
    .argument('<metric>', 'name of a metric (see plumb metrics), or get-multiple-metrics, or benchmark')
    .requiredOption('--org <org>', 'identifier or name of the organisation')
    .requiredOption('--as <email>', 'email address of the person to ask as')
    .option('--since, --start <date>', 'first day, or days or weeks such as 90d or 12w (default: 90d)')
    .option('--until, --end <date>', 'last day (default: today)')
    .option('--team <names>', 'only these teams, separated by commas, or one at a time', collected)
    .option('--repo <names>', 'only these repositories', collected)
    .option('--member <people>', 'only these people, by name or email address', collected)
    .option('--by, --group-by <columns>', 'columns to group by, such as team, repo, member or any other of the metric')
    .option('--per, --date-level <level>', 'day, week, month, quarter or year')
    .option(
      '--agg, --aggregation <aggregation>',
      `${alternatives(aggregations)} (default: median for durations and sizes, else sum)`,
    )
    .option('--compare', 'compare every value with the previous period')
    .option('--order <column[:desc]>', 'column to sort by, by its name in JSON (see plumb metrics)')
    .option('--limit <number>', 'how many rows at most')
    .option('--body <file>', 'JSON file with the body of the request, which options override, or - for standard input')
    .option('--format <format>', `${formats.join(', ')} (default: table)`)
    .option('--durations <style>', 'iso (PT26H4M5S) or seconds, for intervals to group by (default: iso)')
    .option('--explain', 'explain how the number is computed, instead of printing it')
    .action(async (metric: string, options: QueryOptions) => {
      const format = formatOf(options);
      const durations = durationsOf(options);
      const { questionOf } = await import('../query-body.ts');
      const { body: file } = options;
      const written = file === undefined ? {} : readJson(file, await fileText(context.terminal, file));
      const { start: since, end: until, groupBy: by, dateLevel: per, aggregation: agg, ...others } = options;
      const words = definedOnly({ ...others, since, until, by, per, agg });
      const question = questionOf(metric, written, words);
      let finish = () => {};
      // The answer to --json is printed here, for it may be longer than one report.
      await withConnection(context, {}, async ({ operations }) => {
        const { receivedAnswer } = await import('../../control/received-answer.ts');
        const { org, as, explain = false } = options;
        const { body, lastDays } = question;
        // JSON is as it was asked for; a table says what may be said of each change.
        const showsVerdict = options.compare === true && format === 'table' && isComparable(metric, body, explain);
        const asked = { org, as, metric, body, explain, durations: durations ?? 'iso', showsVerdict, lastDays };
        const answer = await receivedAnswer(operations.askMetrics(asked)).catch(async (error: unknown) => {
          const { inOptionWords } = await import('../option-words.ts');
          throw inOptionWords(error, words, metric);
        });
        const { shownMeasures } = await import('../value-text.ts');
        const { valueHeads } = await import('../column-heads.ts');
        // Durations stay in seconds where seconds were asked for.
        const measures = durations === 'seconds' ? new Map<string, never>() : shownMeasures(question.asked);
        const notes = () => sayNotes(context.terminal, answer.head, question);
        finish = await show(context.terminal, answer, {
          format,
          asOneDocument: options.json === true,
          measures,
          heads: valueHeads(question.asked),
          notes,
        });
        return { json: null, text: '' };
      });
      finish();
    });
}

const isComparable = (metric: string, body: unknown, explain: boolean): boolean =>
  !explain &&
  (body as { time_series_data?: unknown } | null)?.time_series_data !== true &&
  metric !== 'benchmark' &&
  metric !== 'date-details';

function formatOf({ format, json }: QueryOptions): PrintFormat {
  const known = formats.find((name) => name === (format ?? (json ? 'json' : 'table')).toLowerCase());
  if (!known) throw new Refusal('bad-input', `The format ${mustBeOneOf(formats, format ?? '')}`);
  if (json && known !== 'json') throw new Refusal('bad-input', `--json prints JSON: leave out --format ${format}.`);
  return known;
}

function durationsOf({ durations }: QueryOptions): DurationStyle | undefined {
  if (durations === undefined) return undefined;
  const known = durationStyles.find((style) => style === durations.toLowerCase());
  if (known) return known;
  throw new Refusal('bad-input', `Durations ${mustBeOneOf(durationStyles, durations)}`);
}

function readJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const where = path === '-' ? 'Standard input' : path;
    throw new Refusal('bad-input', `${where} is not valid JSON: ${error instanceof Error ? error.message : error}.`);
  }
}

interface ShowOptions {
  readonly format: PrintFormat;
  readonly asOneDocument: boolean;
  readonly measures: ReadonlyMap<string, ShownMeasure>;
  readonly heads: ReadonlyMap<string, string>;
  /** Says on standard error what is to be known about the answer. */
  readonly notes: () => void;
}

/** Shows an answer, or gives back how to once the connection is closed: then nothing can go wrong any more. */
async function show(
  terminal: Terminal,
  { head, batches }: ReceivedAnswer,
  { format, asOneDocument, measures, heads, notes }: ShowOptions,
): Promise<() => void> {
  const { documentText } = await import('../answer-table.ts');
  const view = { measures, heads, screen: screenWidth(terminal), days: head.days, isCut: head.total !== null };
  if (head.form === 'document') {
    if (format !== 'json' && format !== 'table') {
      throw new Refusal('bad-input', `Only rows can be written as ${format}. This answer is a document: use json.`);
    }
    const text = format === 'json' ? JSON.stringify(head.document) : documentText(head.document, view);
    return () => {
      print(terminal, false, { json: null, text });
      notes();
    };
  }
  if (format === 'table') return tableOf(terminal, head.columns, batches, view, notes);
  const { textPieces } = await import('../../formats/text.ts');
  const pieces = textPieces(format, head.columns, batches);
  if (!asOneDocument) {
    await pipeline(Readable.from(pieces), terminal.stdout, { end: false }).catch(unlessUnread);
    if (format === 'json') terminal.stdout.write('\n');
    return notes;
  }
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  return () => {
    for (const text of [...texts, '\n']) terminal.stdout.write(text);
    notes();
  };
}

async function tableOf(
  terminal: Terminal,
  columns: Parameters<typeof import('../answer-table.ts').rowsTable>[0],
  batches: AsyncIterable<readonly AnswerRow[]>,
  view: TableView,
  notes: () => void,
): Promise<() => void> {
  const { rowsTable } = await import('../answer-table.ts');
  const shown: AnswerRow[] = [];
  let count = 0;
  for await (const rows of batches) {
    shown.push(...rows.slice(0, maxTableRows - shown.length));
    count += rows.length;
  }
  const text = rowsTable(columns, shown, { ...view, isCut: view.isCut || count > shown.length });
  return () => {
    print(terminal, false, { json: null, text });
    if (count > shown.length) say(terminal, `These are ${shown.length} of ${count} rows. --format csv writes all.`);
    notes();
  };
}
