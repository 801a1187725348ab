import type { MetricEntry } from '../../src/catalogue/catalogue-document.ts';
import type { BoardDeclaration, PanelDeclaration, PanelMetric } from './boards.ts';
import { type AskedMetric, boardWindow, dataSource, infinityQuery, panelQuery } from './infinity-query.ts';

type Catalogue = ReadonlyMap<string, MetricEntry>;

/** A board as Grafana keeps it: four numbers in the first row, two charts in each row below, tables last. */
export function boardOf({ name, title, panels }: BoardDeclaration, catalogue: Catalogue): object {
  const places = placesOf(panels);
  return {
    uid: `plumb-${name}`,
    title,
    tags: ['plumb'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    timezone: 'browser',
    time: { from: 'now-90d', to: 'now' },
    templating: { list: [dataSourceVariable, teamVariable, repositoryVariable] },
    panels: panels.map((panel, i) => panelOf(panel, i + 1, places[i], catalogue)),
  };
}

const sizes = { stat: { w: 6, h: 4 }, weeks: { w: 12, h: 8 }, table: { w: 24, h: 9 } } as const;
const boardWidth = 24;

function placesOf(panels: readonly PanelDeclaration[]): object[] {
  let [x, y, rowHeight] = [0, 0, 0];
  return panels.map(({ kind }) => {
    const { w, h } = sizes[kind];
    if (x + w > boardWidth || (rowHeight > 0 && h !== rowHeight)) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const place = { x, y, w, h };
    [x, rowHeight] = [x + w, h];
    return place;
  });
}

function panelOf(panel: PanelDeclaration, id: number, gridPos: object | undefined, catalogue: Catalogue): object {
  const metrics = panel.metrics.map((metric) => askedMetric(metric, catalogue));
  const [first] = metrics;
  const query = panelQuery(panel, metrics);
  return {
    id,
    title:
      panel.title ?? (panel.by === undefined ? first?.label : `${first?.label} by ${panel.by.replaceAll('_', ' ')}`),
    description: metrics.map(({ entry, label }) => `${label}: ${entry.meaning}`).join('\n\n'),
    type: { stat: 'stat', weeks: 'timeseries', table: 'table' }[panel.kind],
    gridPos,
    datasource: dataSource,
    targets: [query],
    fieldConfig: {
      defaults: {
        ...(first ? { unit: unitOf(first.entry) } : {}),
        ...(panel.kind === 'weeks' ? { custom: customOf(panel, metrics) } : {}),
      },
      // Names may be those of groups: only columns of tables have units of their own.
      overrides: panel.kind === 'table' ? metrics.map(overrideOf) : [],
    },
    ...(panel.kind === 'stat'
      ? { options: { reduceOptions: { calcs: ['lastNotNull'], fields: `/^${escaped(first?.label ?? '')}$/` } } }
      : {}),
  };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function customOf({ by, isStacked }: PanelDeclaration, metrics: readonly AskedMetric[]): object {
  // Parts of a whole are bars on top of each other; everything else is a line.
  const isParts = isStacked || (by !== undefined && metrics[0]?.entry.kind === 'count');
  return isParts
    ? { drawStyle: 'bars', fillOpacity: 80, stacking: { mode: 'normal' } }
    : { drawStyle: 'line', fillOpacity: 10, spanNulls: true };
}

const overrideOf = ({ entry, label }: AskedMetric) => ({
  matcher: { id: 'byName', options: label },
  properties: [{ id: 'unit', value: unitOf(entry) }],
});

function askedMetric(metric: PanelMetric, catalogue: Catalogue): AskedMetric {
  const { metric: name, aggregation } = typeof metric === 'string' ? { metric, aggregation: undefined } : metric;
  const entry = catalogue.get(name);
  if (!entry) throw new Error(`There is no metric ${name}.`);
  const column = (entry.columns.at(-1) ?? '').replace('{aggregation}', aggregation?.toLowerCase() ?? '');
  const label = aggregation === undefined ? entry.title : `${entry.title} (${aggregation.toLowerCase()})`;
  return { entry, aggregation, column, label };
}

/** Units as Grafana calls them. */
function unitOf({ name, unit }: MetricEntry): string {
  if (/-(?:rate|ratio)$|percent/.test(name)) return 'percentunit';
  const units = { seconds: 's', bytes: 'bytes', usd: 'currencyUSD', lines: 'short', tokens: 'short' } as const;
  return unit === null ? 'short' : units[unit];
}

const dataSourceVariable = {
  name: 'datasource',
  label: 'Plumb',
  type: 'datasource',
  query: dataSource.type,
  current: { text: 'Plumb', value: 'plumb' },
};

/** A choice of values for a filter. All of them is no filter: an empty list. */
const filterVariable = (name: string, label: string, query: ReturnType<typeof infinityQuery>) => ({
  name,
  label,
  type: 'query',
  datasource: dataSource,
  query: { queryType: 'infinity', infinityQuery: query },
  // When the range of the board changes.
  refresh: 2,
  sort: 1,
  multi: true,
  includeAll: true,
  allValue: '[]',
  current: { text: 'All', value: ['$__all'] },
});

const teamVariable = filterVariable(
  'team',
  'Team',
  infinityQuery({ url: '/teams' }, 'table', [{ selector: 'team_name', text: 'team_name', type: 'string' }]),
);

const repositoryVariable = filterVariable(
  'repository',
  'Repository',
  infinityQuery(
    {
      url: '/metrics/get-multiple-metrics',
      body: JSON.stringify(
        { metrics: ['pull-requests-count'], filters: boardWindow, group_by: ['repository'] },
        null,
        2,
      ),
    },
    'table',
    [{ selector: 'repository', text: 'repository', type: 'string' }],
  ),
);
