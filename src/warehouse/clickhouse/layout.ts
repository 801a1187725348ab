import type { FieldType } from '../../catalogue/record.ts';
import { orderColumn, storedColumns, type Table } from '../../catalogue/table.ts';
import type { Span } from '../../query/plan.ts';
import { date, raw, type Sql, sql, timestamp } from '../sql/sql.ts';
import { keptTypes, quotedName } from './kept-types.ts';
import { hasEndsApart } from './row-ends.ts';

/** Where the tables of one service lie: on one server, or on all servers of a cluster, an organisation on one shard. */
export interface Place {
  readonly cluster?: string | undefined;
}

/** The table that holds rows on a server. In a cluster the table that is asked only knows where they are. */
export const holdingTable = (name: string, { cluster }: Place): string => (cluster ? `${name}_local` : name);

export const holding = (name: string, place: Place): string => quotedName(holdingTable(name, place));

const onCluster = ({ cluster }: Place): string => (cluster ? ` ON CLUSTER ${quotedName(cluster)}` : '');

export function columnType(table: Table, column: string, type: FieldType): string {
  if (table.key.includes(column)) return keptTypes[type];
  const nullable = `Nullable(${keptTypes[type]})`;
  return isSharedText(table, column) ? `LowCardinality(${nullable})` : nullable;
}

/** Whether rows share their texts: these are kept once for many rows, and grouped and compared by number. */
export const isSharedText = (table: Table, column: string): boolean =>
  hasEndsApart(table) &&
  !table.key.includes(column) &&
  (table.columns[column]?.oneOf !== undefined || sharedTexts.has(column));

/** Those who did something, and where. */
const sharedTexts: ReadonlySet<string> = new Set([
  'merged_user_id',
  'given_merged_user_id',
  'actor',
  'source',
  'repository',
  'repository_name',
  'repository_key',
  'base_branch',
]);

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
    ...(hasEndsApart(table) ? [rowNumber(table)] : []),
    'INDEX by_since _since TYPE minmax GRANULARITY 1',
    ...indexes(table),
  ];
  const first = order === undefined ? [...sorted, ...key] : sorted;
  const sorting = `PRIMARY KEY (${first.join(', ')}) ORDER BY (${[...sorted, ...key, '_since'].join(', ')})`;
  return [
    `CREATE TABLE IF NOT EXISTS ${holding(table.name, place)}${onCluster(place)} (\n  ${lines.join(',\n  ')})
ENGINE = ${replacing(table.name, '_ended', place)}
${sorting}
SETTINGS index_granularity = 1024${hasEndsApart(table) ? `, ${rememberedInserts(place)}` : ''}`,
    ...distributed(table.name, place),
  ];
}

/** A row by its number in the step that began it: by both it is known which row ended. Rows of earlier servers have a hash. */
const rowNumber = (table: Table): string =>
  `_n UInt64 DEFAULT sipHash64(${table.key.map(quotedName).join(', ')}) CODEC(Delta, LZ4)`;

/** An insert that is sent twice is taken once, since nothing merges rows that are there twice. */
const rememberedInserts = ({ cluster }: Place): string =>
  `${cluster ? 'replicated' : 'non_replicated'}_deduplication_window = 1000`;

/** Dates, and keys: of a row itself, and of the one that it is part of. */
function indexes(table: Table): string[] {
  const stored = storedColumns(table);
  const dates = storedDates(table);
  const keys = orderColumn(table) === undefined ? [] : [...table.key, ...(table.parent?.key ?? [])];
  const found = new Set(keys.filter((name) => stored.get(name) === 'text'));
  return [
    ...[...dates].map((name) => `INDEX ${quotedName(`by_${name}`)} ${quotedName(name)} TYPE minmax GRANULARITY 1`),
    ...[...found].map(
      (name) => `INDEX ${quotedName(`by_${name}`)} ${quotedName(name)} TYPE bloom_filter(0.01) GRANULARITY 1`,
    ),
    ...spanIndexes(table).map(({ said }) => `INDEX ${said}`),
  ];
}

const storedDates = (table: Table): Set<string> => {
  const stored = storedColumns(table);
  return new Set(Object.values(table.dates).filter((name) => stored.has(name)));
};

interface SpanIndex {
  readonly name: string;
  readonly said: string;
}

/** By which questions skip granules: one for each date that is neither the order of the rows nor indexed as it is. */
export const spanIndexes = (table: Table): SpanIndex[] =>
  [...storedDates(table)].flatMap((column) => {
    const at = prunedBy(table, column);
    if (at === '_at' || at === quotedName(column)) return [];
    const name = `by_${column}_else_at`;
    return [{ name, said: `${quotedName(name)} ${at} TYPE minmax GRANULARITY 1` }];
  });

/** Rows that are there already are indexed in the background, and read without the indexes until then. */
export function addIndexes(table: Table, indexes: readonly SpanIndex[], place: Place = {}): string[] {
  const alter = `ALTER TABLE ${holding(table.name, place)}${onCluster(place)}`;
  const added = indexes.map(({ said }) => `ADD INDEX IF NOT EXISTS ${said}`);
  const filled = indexes.map(({ name }) => `MATERIALIZE INDEX ${quotedName(name)}`);
  return [`${alter} ${added.join(', ')}`, `${alter} ${filled.join(', ')} SETTINGS mutations_sync = 0`];
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

/** Which rows have ended, and with which stamp. The same end twice is one. */
export const createEnds = (place: Place = {}): string[] => [
  `CREATE TABLE IF NOT EXISTS ${holding('ends', place)}${onCluster(place)} (
  organisation LowCardinality(String),
  of_table LowCardinality(String),
  _ended UInt64,
  _since UInt64,
  _n UInt64)
ENGINE = ${replacing('ends', undefined, place)}
ORDER BY (organisation, of_table, _ended, _since, _n)`,
  ...distributed('ends', place),
];

/**
 * Gives rows of an earlier server their numbers, and keeps texts that they share as such. Rows that are there already are
 * read as they are until they are written again in the background.
 */
export function bringUpToDate(table: Table, shared: readonly string[], place: Place = {}): string[] {
  const types = storedColumns(table);
  const kept = shared.map(
    (column) => `MODIFY COLUMN ${quotedName(column)} ${columnType(table, column, types.get(column) ?? 'text')}`,
  );
  const changes = [`ADD COLUMN IF NOT EXISTS ${rowNumber(table)}`, ...kept].join(', ');
  const alter = (name: string) => `ALTER TABLE ${name}${onCluster(place)}`;
  const own = holding(table.name, place);
  return [
    // First of all, since a table that has the column is taken for one that has all of it.
    `${alter(own)} MODIFY SETTING ${rememberedInserts(place)}`,
    ...(place.cluster ? [`${alter(quotedName(table.name))} ${changes}`] : []),
    `${alter(own)} ${changes} SETTINGS mutations_sync = 0`,
    `${alter(own)} MATERIALIZE COLUMN _n SETTINGS mutations_sync = 0`,
  ];
}

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

/** Merges what is there twice. */
export const mergeRows = (name: string, place: Place): string =>
  `OPTIMIZE TABLE ${holding(name, place)}${onCluster(place)} FINAL`;

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

/**
 * A date of a table, said so that the engine skips granules by it; an index has to say the very same. Rows are sorted by
 * `_at`, which is the date that they are in order of. An index of another date would be of no use as it is: to it a row
 * without the date is later than everything, and nearly every granule has one. Such a row stands among its neighbours with
 * the time by which it is sorted.
 */
function prunedBy(table: Table, column: string): string {
  const order = orderColumn(table);
  if (column === order) return '_at';
  const stored = storedColumns(table);
  // Days and seconds are not compared.
  const isAlike = order !== undefined && stored.get(order) === stored.get(column);
  // Not by ifNull, which the engine takes apart, and then finds no index of.
  return isAlike ? `if(isNull(${quotedName(column)}), _at, assumeNotNull(${quotedName(column)}))` : quotedName(column);
}

/** True of every row within a span, and of few others. Ending a row does not change it. */
export function mayBeWithin(table: Table, span: Span): Sql {
  const at = raw(prunedBy(table, span.column));
  return span.type === 'date'
    ? sql`${at} >= ${date(span.from)} AND ${at} <= ${date(span.to)}`
    : sql`${at} >= ${timestamp(span.from)} AND ${at} < ${timestamp(span.until)}`;
}
