import {
  type Aggregate,
  type AggregateNode,
  type Aggregation,
  column,
  type Numeric,
  type RowNode,
  type RowValue,
} from '../expression/expression.ts';
import { metricLabels } from './labels/metric-labels.ts';
import type { Columns, Table } from './table.ts';

/** The unit of a number. Counts, rates and scores have no unit. */
export type Unit = 'seconds' | 'lines' | 'bytes' | 'usd' | 'tokens';
/** The right that a metric needs besides row security. */
export type Gate = 'salary' | 'survey';

/** The declaration that metrics of every kind share. */
export interface MetricDescription {
  /** The meaning of the metric, in one sentence. */
  readonly meaning: string;
  readonly unit?: Unit;
  /** Whether a lower or a higher number is the better one, where there is such a thing. */
  readonly better?: 'lower' | 'higher';
}

/** Counts things: 0 where there are none. Names its own column, because the published names follow no rule. */
interface Count extends MetricDescription {
  readonly kind: 'count';
  readonly column?: string;
  readonly value: AggregateNode;
}
/** Aggregates a value per row by what the caller picks. Several values give several columns; the last leads. */
interface Aggregated extends MetricDescription {
  readonly kind: 'aggregated';
  readonly values: readonly { readonly name?: string; readonly value: RowNode }[];
}
/** Has its aggregation built in: a rate, an average, a percentile. Null where there are no rows to compute it from. */
interface Fixed extends MetricDescription {
  readonly kind: 'fixed';
  readonly value: AggregateNode;
  /** For a rate: its denominator. */
  readonly denominator?: Denominator;
}
/** Things such as pull requests, runs or suggestions, of which each counts once; or an amount of something. */
type Denominator = 'things' | 'lines' | 'tokens' | 'usd';
/** Answers with a text. */
interface Text extends MetricDescription {
  readonly kind: 'text';
  readonly value: AggregateNode;
}
/** The people of a population of whom something holds, divided by the population. */
interface ShareMetric extends MetricDescription {
  readonly kind: 'share';
  readonly people: RowNode;
  readonly population: Population;
}
/** Everyone onboarded, or only people who were active. */
type Population = 'onboarded' | 'active';

type Declared = Count | Aggregated | Fixed | Text | ShareMetric;

/** How the metrics of one group are asked, where it is not what their table says. */
interface QuestionRules {
  /** Columns that a window can be about; by default every date of the table. The first one is the default date field. */
  readonly dates?: readonly string[];
  /** Further names of date fields, each with its column. */
  readonly dateNames?: Readonly<Record<string, string>>;
  readonly gate?: Gate;
  /** The only filters it takes besides those of people, where not all of its table make sense. */
  readonly filters?: readonly string[];
  /** Columns that it is always grouped by. */
  readonly alwaysBy?: readonly string[];
  /** The values say when something was live, so they wait for the deployments as well. */
  readonly readsDeployments?: boolean;
}

/** A metric as everything that derives from it sees it. */
export type Metric = Declared & {
  readonly name: string;
  /** The name of its series in answers. */
  readonly title: string;
  /** The name for people, over charts and in lists. */
  readonly label: string;
  readonly table: Table;
  /** The default first. Empty where a window of time makes no sense. */
  readonly dates: readonly string[];
  /** Every name of a date field, with its column. */
  readonly dateNames: Readonly<Record<string, string>>;
  readonly gate: Gate | undefined;
  readonly filters: readonly string[] | undefined;
  readonly alwaysBy: readonly string[];
  readonly readsDeployments?: boolean;
};

type Declaration = Declared & QuestionRules;
/** The columns of a table as values of an expression. */
export type Columned<T extends Table> =
  T extends Table<infer C> ? { readonly [N in keyof C & string]: RowValue<C[N]['type']> } : never;

export const count = <A extends MetricDescription & QuestionRules & { readonly column?: string }>(
  { aggregate }: Aggregate<'integer'>,
  about: A,
): Declaration => ({ kind: 'count', value: aggregate, ...about });

export const aggregated = (value: RowValue<Numeric>, about: MetricDescription & QuestionRules): Declaration => ({
  kind: 'aggregated',
  values: [{ value: value.row }],
  ...about,
});

/** Several values at once, each with a column of its own. Filters and sorting use the last one. */
export const aggregatedTogether = (
  values: Readonly<Record<string, RowValue<Numeric>>>,
  about: MetricDescription & QuestionRules,
): Declaration => ({
  kind: 'aggregated',
  values: Object.entries(values).map(([name, { row }]) => ({ name, value: row })),
  ...about,
});

export const fixed = (
  { aggregate }: Aggregate<'integer' | 'number'>,
  about: MetricDescription & QuestionRules,
): Declaration => ({
  kind: 'fixed',
  value: aggregate,
  ...about,
});

/** One number divided by another. The denominator decides whether a change of it can be judged. */
export const rate = (
  { aggregate }: Aggregate<'ratio'>,
  about: MetricDescription & QuestionRules & { readonly denominator: Denominator },
): Declaration => ({ kind: 'fixed', value: aggregate, ...about });

export const textual = ({ aggregate }: Aggregate<'text'>, about: MetricDescription & QuestionRules): Declaration => ({
  kind: 'text',
  value: aggregate,
  ...about,
});

export const share = (
  people: RowValue<'boolean'>,
  population: Population,
  about: MetricDescription & QuestionRules,
): Declaration => ({
  kind: 'share',
  people: people.row,
  population,
  ...about,
});

/** Declares metrics of one table. The name is the key: it is written once and nowhere else. */
export function metricsOf<C extends Columns>(
  table: Table<C>,
  rules: QuestionRules,
  declare: (row: Columned<Table<C>>) => Readonly<Record<string, Declaration>>,
): Metric[] {
  const row = Object.fromEntries(Object.keys(table.columns).map((name) => [name, column(name)]));
  return Object.entries(declare(row as Columned<Table<C>>)).map(([name, declaration]) => {
    const own = { ...rules, ...withoutUndefined(declaration) };
    const dates = own.dates ?? [...new Set<string>(Object.values(table.dates))];
    const named = Object.entries(table.dates).filter(([, date]) => dates.includes(date));
    return {
      ...declaration,
      name,
      title: titleOf(name),
      label: labelOf(name),
      table,
      dates,
      dateNames: { ...Object.fromEntries([...dates.map((date) => [date, date]), ...named]), ...own.dateNames },
      gate: own.gate,
      filters: own.filters,
      alwaysBy: own.alwaysBy ?? [],
      ...(own.readsDeployments ? { readsDeployments: true } : {}),
    };
  });
}

const withoutUndefined = (rules: QuestionRules): QuestionRules =>
  Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));

const spelled: Readonly<Record<string, string>> = { ai: 'AI', pr: 'PR', prs: 'PRs', p50: '(median)', p95: '(p95)' };

/** `ai-pr-count` → `AI PR count`. */
function titleOf(name: string): string {
  const words = name.split('-').map((word) => spelled[word] ?? word);
  const title = words.join(' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function labelOf(name: string): string {
  const label = metricLabels[name];
  if (label === undefined) throw new Error(`The metric ${name} has no label: add one to metric-labels.ts.`);
  return label;
}

const underscored = (name: string): string => name.replaceAll('-', '_');

/** A column of an answer with numbers (or a text), as opposed to a column to group by. */
export interface ValueColumn {
  /** Its name in a flat answer. */
  readonly column: string;
  /** Its name in a results object. */
  readonly metricName: string;
  /** Behind the name of a series, where a metric has several. */
  readonly part: string | undefined;
  /** The value where there are no rows. */
  readonly ofNothing: 0 | null;
}

/** Every column that a metric answers with. The last one is what filters and sorting go by. */
export function valueColumnsOf(metric: Metric, aggregation: Aggregation | undefined): ValueColumn[] {
  const { name } = metric;
  switch (metric.kind) {
    case 'count':
      return [{ column: metric.column ?? underscored(name), metricName: name, part: undefined, ofNothing: 0 }];
    case 'aggregated':
      return metric.values.map(({ name: part }) => ({
        column: `${aggregation}_${part ?? underscored(name)}`,
        metricName: part === undefined ? name : `${name}.${part}`,
        part,
        ofNothing: aggregation === 'sum' ? 0 : null,
      }));
    default:
      return [{ column: underscored(name), metricName: name, part: undefined, ofNothing: null }];
  }
}

/** The column of a row that the value of a metric is made of, where it is made of one. Of two that are added, the first. */
export function rowColumnOf(metric: Metric): string | undefined {
  if (metric.kind === 'aggregated') return columnOf(metric.values.at(-1)?.value);
  return metric.kind === 'fixed' && metric.value.op === 'aggregate' ? columnOf(metric.value.value) : undefined;
}

function columnOf(node: RowNode | undefined): string | undefined {
  switch (node?.op) {
    case 'column':
      return node.name;
    case 'when':
      return columnOf(node.value);
    case 'coalesce':
      return columnOf(node.options[0]);
    case 'add':
      return columnOf(node.terms[0]);
    default:
      return undefined;
  }
}

/** Whether the caller has to choose an aggregation. */
export const takesAggregation = (metric: Metric): boolean => metric.kind === 'aggregated';

/** Whether a metric can be compared with those of other organisations. */
export const isBenchmarked = ({ gate, dates, kind }: Metric): boolean =>
  gate === undefined && dates.length > 0 && kind !== 'text';
