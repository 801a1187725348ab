import type { Json } from '../catalogue/record.ts';
import { type FlatColumn, rowReader } from '../query/answer-columns.ts';
import type { Explanation } from '../query/explain.ts';
import type { AnswerRow } from '../query/plan.ts';
import type { Chart } from '../query/shape/series.ts';
import { type SaidVerdict, verdictWords } from '../query/verdict.ts';
import { columnHead, metricHead } from './column-heads.ts';
import { type DrawnRows, sparklines, type TableColumn, valueTable } from './value-table.ts';
import type { ShownMeasure } from './value-text.ts';

type JsonFields = Readonly<Record<string, Json>>;

/** The facts about an answer besides its rows. */
export interface TableView extends DrawnRows {
  /** How values are written, by column and by name of metric. */
  readonly measures: ReadonlyMap<string, ShownMeasure>;
  /** The heads of columns with values, by column. */
  readonly heads?: ReadonlyMap<string, string>;
}

/** Rows as a table; what says nothing is left out. */
export function rowsTable(columns: readonly FlatColumn[], rows: readonly AnswerRow[], view: TableView): string {
  const shown = columns.filter((column) => !('always' in column));
  // Rows are grouped by a stored interval in seconds, which is shown as a duration.
  const plain = shown.map((column) => (column.type === 'duration' ? { ...column, type: 'number' as const } : column));
  const objects = rows.map(rowReader(plain));
  const described = shown.map((column): TableColumn => {
    const { name, type } = column;
    const measure = view.measures.get(name);
    return {
      name,
      head: columnHead(name, view.heads),
      measure: measure ?? (type === 'duration' ? 'duration' : undefined),
      isValue: measure !== undefined,
      ofNothing: 'ofNothing' in column ? column.ofNothing : null,
    };
  });
  return valueTable(
    described,
    objects.map((object) => shown.map(({ name }) => object[name] ?? null)),
    view,
  );
}

/** A document as a table where it is one, and as sentences or JSON where it is not. */
export function documentText(document: object, view: TableView): string {
  if ('results' in document) return resultsTable(document.results as readonly JsonFields[], view);
  if ('series' in document) return chartTable(document as unknown as Chart, [...view.measures.values()][0], view);
  if ('metrics' in document) {
    const charts = Object.entries(document.metrics as Readonly<Record<string, Chart>>);
    return charts
      .map(([name, chart]) => `${metricHead(name)}\n\n${chartTable(chart, view.measures.get(name), view)}`)
      .join('\n\n');
  }
  return 'plan' in document ? explanationText(document as unknown as Explanation) : JSON.stringify(document, null, 2);
}

/** The columns of a comparison beside its groups, and how each is written; the value is drawn. */
const comparedColumns = [
  'value',
  'previous_value',
  'benchmark_p25',
  'benchmark_p50',
  'benchmark_p75',
  'benchmark_value',
];

/** Groups stand before the values, as in rows. Each metric has a table of its own, since each has a unit of its own. */
function resultsTable(results: readonly JsonFields[], view: TableView): string {
  if (results.length === 0) return 'Nothing.';
  const metricNames = [...new Set(results.map(({ metric_name }) => String(metric_name)))];
  return metricNames
    .map((metric) => {
      const flat = results
        .filter(({ metric_name }) => String(metric_name) === metric)
        .map(({ group_by, unit, ...rest }): JsonFields => {
          const { metric_name: _, ...said } = rest;
          const values = 'verdict' in said ? withVerdictWords(said) : said;
          return { metric_name: metricHead(metric), ...((group_by as JsonFields | undefined) ?? {}), ...values };
        });
      const names = [...new Set(flat.flatMap((result) => Object.keys(result)))];
      const measure = view.measures.get(metric);
      const columns = names.map(
        (name): TableColumn => ({
          name,
          head: columnHead(name, view.heads),
          measure: comparedColumns.includes(name) ? measure : undefined,
          isValue: name === 'value',
          isCompared: comparedColumns.includes(name) || name === 'change_percentage',
        }),
      );
      const cell = (result: JsonFields, name: string): Json =>
        name === 'change_percentage' ? changeText(result[name] ?? null) : (result[name] ?? null);
      return valueTable(
        columns,
        flat.map((result) => names.map((name) => cell(result, name))),
        view,
      );
    })
    .join('\n\n');
}

/** The values that a verdict rests on are left to programs. */
function withVerdictWords({
  n,
  previous_n,
  range,
  previous_range,
  is_better,
  verdict,
  ...values
}: JsonFields): JsonFields {
  const { change_percentage } = values;
  return { ...values, verdict: verdictWords({ n, previous_n, is_better, verdict, change_percentage } as SaidVerdict) };
}

const changeText = (change: Json): string | null =>
  typeof change === 'number' ? `${change > 0 ? '+' : ''}${change}%` : null;

function chartTable({ series, categories }: Chart, measure: ShownMeasure | undefined, view: TableView): string {
  const rows = categories.map((category, i) => [category, ...series.map(({ data }) => data[i] ?? null)]);
  const text = valueTable(
    [{ name: '', head: '' }, ...series.map(({ name }) => ({ name, head: name, measure }))],
    rows,
    {
      screen: undefined,
    },
  );
  if (view.screen === undefined) return text;
  const drawn = sparklines(
    series.map(({ name, data }) => ({ name, values: data })),
    measure,
    view.screen,
  );
  return [text, ...(drawn.length === 0 ? [] : ['', ...drawn])].join('\n');
}

/** The reason of the interface for people who are not in metrics. */
const notInMetrics = 'not onboarded';

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
}: Explanation): string {
  return [
    `${title}: ${definition}`,
    '',
    ...plan.map((sentence) => `- ${sentence}`),
    '',
    `Rows read: ${rows_read}`,
    `Values used: ${values.used}`,
    ...values.left_out.map(
      ({ reason, count }) => `Left out: ${count} (${reason === notInMetrics ? 'not in metrics' : reason})`,
    ),
    ...(nearest.before === null ? [] : [`Nearest before: ${nearest.before}`]),
    ...(nearest.after === null ? [] : [`Nearest after: ${nearest.after}`]),
    `The records: POST ${rows_request.path} ${JSON.stringify(rows_request.body)}`,
    '',
    sql,
    ...parameters.map((parameter, i) => `  $${i + 1} = ${JSON.stringify(parameter)}`),
  ].join('\n');
}
