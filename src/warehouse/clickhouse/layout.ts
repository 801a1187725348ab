import type { FieldType } from '../../catalogue/record.ts';
import { orderColumn, storedColumns, type Table } from '../../catalogue/table.ts';
import { keptTypes } from './kept-types.ts';
import { quotedName } from './quoted-name.ts';

/** Where the tables of one service lie: on one server, or on all servers of a cluster, an organisation on one shard. */
export interface Place {
  readonly cluster?: string | undefined;
}

/** The table that holds rows on a server. In a cluster the table that is asked only knows where they are. */
export const holding = (name: string, { cluster }: Place): string => quotedName(cluster ? `${name}_local` : name);

const onCluster = ({ cluster }: Place): string => (cluster ? ` ON CLUSTER ${quotedName(cluster)}` : '');

export const columnType = (table: Table, column: string, type: FieldType): string =>
  table.key.includes(column) ? keptTypes[type] : `Nullable(${keptTypes[type]})`;

/** Rows without a date come first, so that what rows are sorted by is never missing: index and FINAL need that. */
const withoutDate = '-9223372036854775808';

export function createTable(table: Table, place: Place = {}): string[] {
  const columns = [...storedColumns(table)].map(
    ([name, type]) => `${quotedName(name)} ${columnType(table, name, type)}`,
  );
  const order = orderColumn(table);
  const at = order === undefined ? [] : [`_at Int64 DEFAULT ifNull(toInt64(${quotedName(order)}), ${withoutDate})`];
  const sorted = ['organisation', ...(order === undefined ? [] : ['_at'])];
  const key = table.key.map(quotedName);
  const lines = [
    'organisation LowCardinality(String)',
    ...columns,
    ...at,
    '_since UInt64',
    '_ended UInt64 DEFAULT 0',
    'INDEX by_since _since TYPE minmax GRANULARITY 1',
    ...indexes(table),
  ];
  const first = order === undefined ? [...sorted, ...key] : sorted;
  const sorting = `PRIMARY KEY (${first.join(', ')}) ORDER BY (${[...sorted, ...key, '_since'].join(', ')})`;
  return [
    `CREATE TABLE IF NOT EXISTS ${holding(table.name, place)}${onCluster(place)} (\n  ${lines.join(',\n  ')})
ENGINE = ${replacing(table.name, '_ended', place)}
${sorting}
SETTINGS index_granularity = 1024`,
    ...distributed(table.name, place),
  ];
}

/** Dates that are no order of the rows, and keys: of a row itself, and of the one that it is part of. */
function indexes(table: Table): string[] {
  const stored = storedColumns(table);
  const dates = new Set(Object.values(table.dates).filter((name) => stored.has(name)));
  const keys = orderColumn(table) === undefined ? [] : [...table.key, ...(table.parent?.key ?? [])];
  const found = new Set(keys.filter((name) => stored.get(name) === 'text'));
  return [
    ...[...dates].map((name) => `INDEX ${quotedName(`by_${name}`)} ${quotedName(name)} TYPE minmax GRANULARITY 1`),
    ...[...found].map(
      (name) => `INDEX ${quotedName(`by_${name}`)} ${quotedName(name)} TYPE bloom_filter(0.01) GRANULARITY 1`,
    ),
  ];
}

/** One row for each change: when it was, and what the tables say of themselves since then. */
export const createChanges = (place: Place = {}): string[] => [
  `CREATE TABLE IF NOT EXISTS ${holding('changes', place)}${onCluster(place)} (
  organisation LowCardinality(String),
  change UInt64,
  changed_at Int64,
  directory_version Int64,
  derivation_version Int64)
ENGINE = ${replacing('changes', undefined, place)}
ORDER BY (organisation, change)`,
  ...distributed('changes', place),
];

/** Which layout the tables have: a Plumb that knows only older ones leaves them alone. */
export const createLayout = (place: Place = {}): string[] => [
  `CREATE TABLE IF NOT EXISTS layout${onCluster(place)} (version UInt32)
ENGINE = ${replacing('layout', undefined, place)}
ORDER BY version`,
];

export const addColumn = (table: Table, column: string, type: FieldType, place: Place = {}): string[] => {
  const said = `ADD COLUMN IF NOT EXISTS ${quotedName(column)} ${columnType(table, column, type)}`;
  const names = place.cluster ? [holding(table.name, place), quotedName(table.name)] : [quotedName(table.name)];
  return names.map((name) => `ALTER TABLE ${name}${onCluster(place)} ${said}`);
};

/** Removes rows where they lie. */
export const deleteRows = (name: string, place: Place): string =>
  `DELETE FROM ${holding(name, place)}${onCluster(place)} WHERE`;

function replacing(name: string, version: string | undefined, { cluster }: Place): string {
  if (!cluster) return `ReplacingMergeTree(${version ?? ''})`;
  const path = `'/clickhouse/tables/{shard}/{database}/${name}', '{replica}'`;
  return `ReplicatedReplacingMergeTree(${[path, ...(version ? [version] : [])].join(', ')})`;
}

function distributed(name: string, place: Place): string[] {
  const { cluster } = place;
  if (!cluster) return [];
  return [
    `CREATE TABLE IF NOT EXISTS ${quotedName(name)}${onCluster(place)} AS ${holding(name, place)}
ENGINE = Distributed(${quotedName(cluster)}, currentDatabase(), ${holding(name, place)}, cityHash64(organisation))`,
  ];
}
