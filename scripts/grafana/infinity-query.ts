import type { MetricEntry } from '../../src/catalogue/catalogue-document.ts';
import type { PanelDeclaration } from './boards.ts';

/** What Grafana fills in before it asks. */
const filledIn = (expression: string): string => `\${${expression}}`;

/** The data source is chosen on the board, so that boards can be shown for more than one Plumb. */
export const dataSource = { type: 'yesoreyeram-infinity-datasource', uid: filledIn('datasource') } as const;

/** A metric as a panel asks it. */
export interface AskedMetric {
  readonly entry: MetricEntry;
  readonly aggregation: string | undefined;
  /** The column of an answer that is shown: the leading one. */
  readonly column: string;
  /** As it is called in the panel. */
  readonly label: string;
}

interface QueryColumn {
  readonly selector: string;
  readonly text: string;
  readonly type: 'string' | 'number' | 'timestamp';
  readonly timestampFormat?: string;
}

/** A query of the Infinity data source. Its address is relative to that of the data source. */
export const infinityQuery = (
  request: { readonly url: string; readonly body?: string },
  format: 'table' | 'timeseries',
  columns: readonly QueryColumn[],
) => ({
  refId: 'A',
  datasource: dataSource,
  type: 'json',
  source: 'url',
  parser: 'backend',
  format,
  url: request.url,
  url_options:
    request.body === undefined
      ? { method: 'GET', data: '' }
      : { method: 'POST', data: request.body, body_type: 'raw', body_content_type: 'application/json' },
  root_selector: '',
  columns,
  filters: [],
});

/** Variables of a board, and the filters that they are the values of: a list, as JSON, empty for all. */
const variables = { team: filledIn('team:json'), repositories: filledIn('repository:json') } as const;

/** The range of the board. */
export const boardWindow = {
  start_date: filledIn('__from:date:YYYY-MM-DD'),
  end_date: filledIn('__to:date:YYYY-MM-DD'),
} as const;

/** What a panel asks: several metrics at once, since that answer has no limit of rows. */
export function panelQuery({ kind, by }: PanelDeclaration, metrics: readonly AskedMetric[]) {
  const isWeekly = kind === 'weeks';
  const taken = Object.entries(variables).filter(([filter]) =>
    metrics.every(({ entry }) => entry.filters.includes(filter)),
  );
  const aggregations = metrics.flatMap(({ entry, aggregation }) => (aggregation ? [[entry.name, aggregation]] : []));
  const body = {
    metrics: metrics.map(({ entry }) => entry.name),
    ...(aggregations.length === 0 ? {} : { aggregations: Object.fromEntries(aggregations) }),
    filters: { ...boardWindow, ...Object.fromEntries(taken) },
    ...(isWeekly ? { date_level: 'week' } : {}),
    ...(by === undefined ? {} : { group_by: [by] }),
  };
  return infinityQuery(
    { url: '/metrics/get-multiple-metrics', body: withLists(body) },
    isWeekly ? 'timeseries' : 'table',
    [
      ...(isWeekly
        ? [{ selector: 'week_date', text: 'Week', type: 'timestamp', timestampFormat: '2006-01-02' } as const]
        : []),
      ...(by === undefined ? [] : [{ selector: by, text: worded(by), type: 'string' } as const]),
      ...metrics.map(({ column, label }) => ({ selector: column, text: label, type: 'number' }) as const),
    ],
  );
}

/** The variables stand for lists, not for texts: their quotes have to go. */
const withLists = (body: object): string => JSON.stringify(body, null, 2).replace(/"(\$\{\w+:json\})"/g, '$1');

/** `team_name` → `Team name`. */
export function worded(column: string): string {
  const words = column.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
