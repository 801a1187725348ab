import type { Json } from '../catalogue/record.ts';
import type { AnswerRow } from '../query/plan.ts';
import { type FlatColumn, rowReader } from '../query/shape/rows.ts';

/** Wider cells push everything else off the screen. */
const cellMost = 60;

type JsonFields = Readonly<Record<string, Json>>;

/** Rows as a table that fits a reader's eyes: cells are cut, and what says nothing is left out. */
export function rowsTable(columns: readonly FlatColumn[], rows: readonly AnswerRow[]): string {
  const shown = columns.filter((column) => !('always' in column));
  const objects = rows.map(rowReader(shown));
  return table(
    shown.map(({ name }) => name),
    objects.map((object) => shown.map(({ name }) => object[name] ?? null)),
  );
}

/** A document as a table where it is one, and as sentences or JSON where it is not. */
export function documentText(document: object): string {
  if ('results' in document) return resultsTable(document.results as readonly JsonFields[]);
  if ('series' in document) return chartTable(document as unknown as PrintedChart);
  if ('metrics' in document) {
    const charts = Object.entries(document.metrics as Readonly<Record<string, PrintedChart>>);
    return charts.map(([name, chart]) => `${name}\n\n${chartTable(chart)}`).join('\n\n');
  }
  return 'plan' in document
    ? explanationText(document as unknown as PrintedExplanation)
    : JSON.stringify(document, null, 2);
}

/** Groups stand before the values, as in rows. */
function resultsTable(results: readonly JsonFields[]): string {
  const flat = results.map(({ group_by, ...rest }): JsonFields => {
    const { metric_name, ...values } = rest;
    return { metric_name: metric_name ?? null, ...((group_by as JsonFields | undefined) ?? {}), ...values };
  });
  const names = [...new Set(flat.flatMap((result) => Object.keys(result)))];
  return table(
    names,
    flat.map((result) => names.map((name) => result[name] ?? null)),
  );
}

interface PrintedChart {
  readonly series: readonly { readonly name: string; readonly data: readonly (number | null)[] }[];
  readonly categories: readonly string[];
}

function chartTable({ series, categories }: PrintedChart): string {
  return table(
    ['', ...series.map(({ name }) => name)],
    categories.map((category, i) => [category, ...series.map(({ data }) => data[i] ?? null)]),
  );
}

interface PrintedExplanation {
  readonly title: string;
  readonly definition: string;
  readonly plan: readonly string[];
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly rows_read: number;
  readonly values: {
    readonly used: number;
    readonly left_out: readonly { readonly reason: string; readonly count: number }[];
  };
  readonly nearest: { readonly before: string | null; readonly after: string | null };
  readonly rows_request: { readonly path: string; readonly body: unknown };
}

function explanationText({
  title,
  definition,
  plan,
  sql,
  parameters,
  rows_read,
  values,
  nearest,
  rows_request,
}: PrintedExplanation): string {
  return [
    `${title}: ${definition}`,
    '',
    ...plan.map((sentence) => `- ${sentence}`),
    '',
    `Rows read: ${rows_read}`,
    `Values used: ${values.used}`,
    ...values.left_out.map(({ reason, count }) => `Left out: ${count} (${reason})`),
    ...(nearest.before === null ? [] : [`Nearest before: ${nearest.before}`]),
    ...(nearest.after === null ? [] : [`Nearest after: ${nearest.after}`]),
    `The records: POST ${rows_request.path} ${JSON.stringify(rows_request.body)}`,
    '',
    sql,
    ...parameters.map((parameter, i) => `  $${i + 1} = ${JSON.stringify(parameter)}`),
  ].join('\n');
}

function table(heading: readonly string[], rows: readonly (readonly Json[])[]): string {
  if (rows.length === 0) return 'Nothing.';
  const isNumeric = heading.map((_, i) => rows.every((row) => row[i] === null || typeof row[i] === 'number'));
  const texts = [heading.map(oneLine), ...rows.map((row) => row.map(cellText))];
  const widths = heading.map((_, i) => Math.max(...texts.map((row) => widthOf(row[i] ?? ''))));
  return texts
    .map((row) =>
      row
        .map((cell, i) => {
          const space = ' '.repeat((widths[i] ?? 0) - widthOf(cell));
          return isNumeric[i] ? space + cell : cell + space;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** In characters rather than in the halves that some of them are kept in. */
const widthOf = (text: string): number => [...text].length;

function cellText(value: Json): string {
  if (value === null) return '-';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return oneLine(value.join(', '));
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Nothing that somebody wrote may move the cursor. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go.
  const plain = text.replace(/\s+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
  const characters = [...plain];
  return characters.length > cellMost ? `${characters.slice(0, cellMost - 1).join('')}…` : plain;
}
