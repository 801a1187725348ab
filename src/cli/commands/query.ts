import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { ReceivedAnswer } from '../../control/received-answer.ts';
import type { AnswerRow } from '../../query/plan.ts';
import { type DurationStyle, durationStyles } from '../../query/request.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, withConnection } from '../command.ts';
import { print, say, type Terminal } from '../terminal.ts';

interface QueryOptions {
  readonly org: string;
  readonly as: string;
  readonly body?: string;
  readonly start?: string;
  readonly end?: string;
  readonly groupBy?: string;
  readonly dateLevel?: string;
  readonly aggregation?: string;
  readonly format?: string;
  readonly durations?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
}

const formats = ['table', 'json', 'ndjson', 'csv'] as const;
type PrintFormat = (typeof formats)[number];

/** More rows than this nobody reads on a screen. */
const tableRowsMost = 1_000;

export function queryCommand(context: Context): Command {
  return command('query', {
    summary: 'ask a metric as one person, who sees what their role allows',
    example:
      'plumb query cycle-time --org Acme --as ada@acme.example --start 2024-01-01 --aggregation avg --group-by team_name',
  })
    .argument('<metric>', 'name of a metric, or get-multiple-metrics, or benchmark')
    .requiredOption('--org <org>', 'identifier or name of the organisation')
    .requiredOption('--as <email>', 'email address of the person to ask as')
    .option('--body <file>', 'JSON file with the body of the request; - for standard input')
    .option('--start <date>', 'first day')
    .option('--end <date>', 'last day (default: today)')
    .option('--group-by <columns>', 'columns to group by, separated by commas')
    .option('--date-level <level>', 'day, week, month, quarter or year')
    .option('--aggregation <aggregation>', 'sum, avg, min, max, median, p75, p90 or p95')
    .option('--format <format>', `${formats.join(', ')} (default: table)`)
    .option('--durations <style>', 'iso (PT26H4M5S) or seconds, for intervals to group by (default: iso)')
    .option('--explain', 'explain how the number is computed, instead of printing it')
    .action(async (metric: string, options: QueryOptions) => {
      const format = formatOf(options);
      const durations = durationsOf(options);
      const body = await bodyOf(context.terminal, options);
      let finish = () => {};
      // What is asked with --json is printed here, for it may be longer than one report.
      await withConnection(context, {}, async ({ streams }) => {
        const { receivedAnswer } = await import('../../control/received-answer.ts');
        const { org, as, explain = false } = options;
        const answer = await receivedAnswer(streams.askMetrics({ org, as, metric, body, explain, durations }));
        finish = await show(context.terminal, answer, format, options.json === true);
        return { json: null, text: '' };
      });
      finish();
    });
}

function formatOf({ format, json }: QueryOptions): PrintFormat {
  const known = formats.find((name) => name === (format ?? (json ? 'json' : 'table')).toLowerCase());
  if (!known) throw new Refusal('bad-input', `The format must be one of ${formats.join(', ')}, not '${format}'.`);
  if (json && known !== 'json') throw new Refusal('bad-input', `--json prints JSON: leave out --format ${format}.`);
  return known;
}

function durationsOf({ durations = 'iso' }: QueryOptions): DurationStyle {
  const known = durationStyles.find((style) => style === durations.toLowerCase());
  if (known) return known;
  throw new Refusal('bad-input', `Durations must be one of ${durationStyles.join(', ')}, not '${durations}'.`);
}

/** The question in the file, with what is said on the command line laid over it. */
async function bodyOf(terminal: Terminal, options: QueryOptions): Promise<unknown> {
  const written = options.body === undefined ? {} : readJson(options.body, await textOf(terminal, options.body));
  const window = defined({ start_date: options.start, end_date: options.end });
  const said = defined({
    group_by: options.groupBy?.split(',').map((name) => name.trim()),
    date_level: options.dateLevel,
    aggregation: options.aggregation,
  });
  const isPlain = Object.keys({ ...window, ...said }).length === 0;
  if (!isObject(written)) {
    if (isPlain) return written;
    throw new Refusal('bad-input', 'The body must be a JSON object for anything to be added to it.');
  }
  const { filters = {} } = written;
  if (Object.keys(window).length > 0 && !isObject(filters)) {
    throw new Refusal('bad-input', 'filters must be an object for --start and --end to be added to it.');
  }
  return { ...written, filters: isObject(filters) ? { ...filters, ...window } : filters, ...said };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const defined = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

async function textOf({ stdin }: Terminal, path: string): Promise<string> {
  if (path === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks).toString('utf8');
  }
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const [reason, why] =
      error.code === 'ENOENT'
        ? (['not-found', 'there is no such file'] as const)
        : (['bad-input', error.code] as const);
    throw new Refusal(reason, `${path} cannot be read: ${why}.`);
  });
}

function readJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const where = path === '-' ? 'Standard input' : path;
    throw new Refusal('bad-input', `${where} is not valid JSON: ${error instanceof Error ? error.message : error}.`);
  }
}

/** Shows an answer, or gives back how to once the connection is closed: then nothing can go wrong any more. */
async function show(
  terminal: Terminal,
  { head, batches }: ReceivedAnswer,
  format: PrintFormat,
  asOneDocument: boolean,
): Promise<() => void> {
  const { documentText } = await import('../answer-table.ts');
  const cut = () => {
    if (head.total !== null) say(terminal, `There are ${head.total} in all; not all of them are here.`);
    if (head.suppressed) say(terminal, `${head.suppressed} answers are left out: too few people gave them.`);
    for (const [filter, values] of Object.entries(head.unmatched ?? {})) {
      say(terminal, `Nothing matches ${filter}: ${values.map((value) => JSON.stringify(value)).join(', ')}.`);
    }
  };
  if (head.form === 'document') {
    if (format === 'csv' || format === 'ndjson') {
      throw new Refusal('bad-input', `Only rows can be written as ${format}; this answer is a document. Use json.`);
    }
    const text = format === 'json' ? JSON.stringify(head.document) : documentText(head.document);
    return () => {
      print(terminal, false, { json: null, text });
      cut();
    };
  }
  if (format === 'table') return tableOf(terminal, head.columns, batches, cut);
  const { textPieces } = await import('../../formats/text.ts');
  const pieces = textPieces(format, head.columns, batches);
  if (!asOneDocument) {
    await pipeline(Readable.from(pieces), terminal.stdout, { end: false }).catch(unlessUnread);
    if (format === 'json') terminal.stdout.write('\n');
    return cut;
  }
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  return () => {
    for (const text of [...texts, '\n']) terminal.stdout.write(text);
    cut();
  };
}

async function tableOf(
  terminal: Terminal,
  columns: Parameters<typeof import('../answer-table.ts').rowsTable>[0],
  batches: AsyncIterable<readonly AnswerRow[]>,
  cut: () => void,
): Promise<() => void> {
  const { rowsTable } = await import('../answer-table.ts');
  const shown: AnswerRow[] = [];
  let count = 0;
  for await (const rows of batches) {
    shown.push(...rows.slice(0, tableRowsMost - shown.length));
    count += rows.length;
  }
  const text = rowsTable(columns, shown);
  return () => {
    print(terminal, false, { json: null, text });
    if (count > shown.length) say(terminal, `These are ${shown.length} of ${count} rows. --format csv writes all.`);
    cut();
  };
}

/** A reader that has seen enough, such as `head`, closes the pipe. That is no failure. */
function unlessUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
