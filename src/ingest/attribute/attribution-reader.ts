import type { namedPullRequests } from '../../catalogue/derivation-state.ts';
import type { RowOf, Table, Value } from '../../catalogue/table.ts';
import type { FactTable, factTables } from '../../catalogue/tables/all-tables.ts';
import { listsByKey } from '../../lists-by-key.ts';
import type { ColumnMeasure, Condition, KeySpan } from '../../warehouse/intake-port.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import { isWholeSha } from './rules/deployment-contents.ts';
import { failureColumns } from './rules/failures.ts';
import { inferredColumns } from './rules/inferred-deployment.ts';
import { pullRequestAttributionColumns } from './rules/pull-request-attribution.ts';
import { releaseContentsColumns } from './rules/release-contents.ts';
import {
  commitColumns,
  deploymentAttributionColumns,
  deploymentFacts,
  incidentColumns,
  pullRequestFacts,
  releaseFacts,
  reportColumns,
  runColumns,
} from './rules/repository-facts.ts';
import { noRepository } from './rules/repository-settings.ts';
import { allTime, type RepositorySpan, type TimeOrEnd, type TimeSpan, theBeginning, theEnd } from './spans.ts';

/**
 * Columns that attribution reads and does not write itself, by table. A change of any other column touches nothing, so
 * `AttributionReader` reads no other.
 */
export const attributedColumns = {
  pull_requests: [...pullRequestFacts, 'pr_number', 'pr_title', ...inferredColumns.merge],
  pull_request_commits: commitColumns,
  deployments: [...deploymentFacts, ...reportColumns, 'pr_ids'],
  release_details: [...releaseFacts, ...inferredColumns.release],
  workflow_runs: [...runColumns, ...inferredColumns.run],
  incidents: incidentColumns,
} as const;

/** Columns that attribution writes, by table. It reads them again to write only what has become different. */
export const columnsOfAttribution = {
  pull_requests: pullRequestAttributionColumns,
  release_details: releaseContentsColumns,
  deployments: [...deploymentAttributionColumns, ...failureColumns, 'is_production'],
} as const;

/** The columns that are listed for a table. */
type ListedFor<T extends Table, L extends { readonly [N in FactTable]?: readonly string[] }> = {
  [N in keyof L & FactTable]: T extends (typeof factTables)[N] ? NonNullable<L[N]>[number] : never;
}[keyof L & FactTable];

/**
 * The columns of a table that attribution may read. The pull requests that deployments name are a table of attribution
 * itself.
 */
export type AttributionColumn<T extends Table> = keyof RowOf<T> &
  string &
  (T extends typeof namedPullRequests
    ? unknown
    : ListedFor<T, typeof attributedColumns> | ListedFor<T, typeof columnsOfAttribution>);

/** Reads for attribution: a column that touches nothing when it changes does not compile, nor in a condition. */
export interface AttributionReader {
  select<T extends Table, C extends AttributionColumn<T>>(
    table: T,
    columns: readonly C[],
    where?: Condition<AttributionColumn<T>>,
  ): Promise<Pick<RowOf<T>, C>[]>;
  tally<T extends Table, C extends AttributionColumn<T>>(
    table: T,
    by: readonly C[],
    where?: Condition<AttributionColumn<T>>,
  ): Promise<(Pick<RowOf<T>, C> & { readonly rows: number })[]>;
  summarise<T extends Table, C extends AttributionColumn<T>>(
    table: T,
    by: readonly C[],
    measure: ColumnMeasure<AttributionColumn<T>>,
    where?: Condition<AttributionColumn<T>>,
  ): Promise<(Pick<RowOf<T>, C> & { readonly value: number | null })[]>;
}

export type AttributionSession = AttributionReader & Pick<IntakeSession, 'patch'>;

// Conditions know the columns that they name, so that a reader can refuse those that it must not read.
export const all = <C extends string, L = never>(...conditions: readonly Condition<C, L>[]): Condition<C, L> => ({
  all: conditions,
});
export const any = <C extends string, L = never>(...conditions: readonly Condition<C, L>[]): Condition<C, L> => ({
  any: conditions,
});
export const among = <C extends string>(column: C, values: Iterable<Value>): Condition<C, never> => ({
  column,
  in: [...values],
});
export const is = <C extends string>(column: C, value: Value): Condition<C, never> => ({ column, in: [value] });
export const isNull = <C extends string>(column: C): Condition<C, never> => ({ column, isNull: true });
export const notNull = <C extends string>(column: C): Condition<C, never> => ({ column, isNull: false });

/** Rows at a cut or after it. Those without a time are neither after it nor before. */
export function since<C extends string, L extends TimeOrEnd>(column: C, cut: L): Condition<C, L> {
  if (cut === theEnd) return any();
  return cut === theBeginning ? notNull(column) : { column, atLeast: cut };
}

/** Rows before a cut. */
export function before<C extends string, L extends TimeOrEnd>(column: C, cut: L): Condition<C, L> {
  if (cut === theBeginning) return any();
  return cut === theEnd ? notNull(column) : { column, below: cut };
}

/** Rows in a span. */
export const inSpan = <C extends string, L extends TimeOrEnd>(
  column: C,
  { from, until }: TimeSpan<L>,
): Condition<C, L> => all(since(column, from), before(column, until));

/** The same, and rows without a time: those stand after everything. Not asked for needlessly, the engine skips most rows. */
export const inTimeOrNever = <C extends string, L extends TimeOrEnd>(column: C, span: TimeSpan<L>): Condition<C, L> =>
  span.until === theEnd ? any(inSpan(column, span), isNull(column)) : inSpan(column, span);

/**
 * Rows that meet a condition on the span of their repository, which has one. What a span within another one means has to
 * be part of what that one means: the span that holds all of them lets the engine leave most rows alone.
 */
export function bySpan<C extends string>(
  spans: readonly RepositorySpan[],
  condition: <L extends TimeOrEnd>(span: TimeSpan<L>) => Condition<C, L>,
): Condition<C | 'repository_key'> {
  if (new Set(spans.map(({ key }) => key)).size < spans.length) throw new Error('A repository has two spans.');
  const keysOf = (some: readonly RepositorySpan[]) => inRepositories(some.map(({ key }) => key));
  const hull = {
    from: spans.reduce((first, span) => Math.min(first, span.from), theEnd),
    until: spans.reduce((last, span) => Math.max(last, span.until), theBeginning),
  };
  const isIn = all<C | 'repository_key', Value>(keysOf(spans), condition(hull));
  if (spans.every(({ from, until }) => from === hull.from && until === hull.until)) return isIn;
  // What has no beginning or no end is asked for otherwise than what has one.
  const alike = listsByKey(
    spans,
    ({ from, until }) => `${Number.isFinite(from) || from} ${Number.isFinite(until) || until}`,
  );
  const each = [...alike.values()].map((some): Condition<C | 'repository_key'> => {
    const { from, until } = some[0] ?? allTime;
    return {
      key: 'repository_key',
      spans: some.map(keySpan),
      holds: condition<TimeOrEnd>({
        from: Number.isFinite(from) ? { end: 'from' } : from,
        until: Number.isFinite(until) ? { end: 'until' } : until,
      }),
    };
  });
  return all(isIn, any(...each));
}

const keySpan = ({ key, from, until }: RepositorySpan): KeySpan => ({
  key: key === noRepository ? null : key,
  from: Number.isFinite(from) ? from : null,
  until: Number.isFinite(until) ? until : null,
});

/** What is before spans. */
export const earlierThan = (spans: readonly RepositorySpan[]): RepositorySpan[] =>
  spans.map(({ key, from }) => ({ key, from: theBeginning, until: from }));

/** Rows of these repositories. */
export function inRepositories(keys: Iterable<string>): Condition<'repository_key'> {
  const named = new Set(keys);
  const withUnassigned = named.delete(noRepository);
  const condition = among('repository_key', named);
  return withUnassigned ? any(condition, isNull('repository_key')) : condition;
}

/** Rows by the key of their repository. */
export function byRepository<R extends { readonly repository_key: string | null }>(
  rows: Iterable<R>,
): Map<string, R[]> {
  return listsByKey(rows, ({ repository_key }) => repository_key ?? noRepository);
}

/** Commit hashes match without regard to case. Hardly any source writes them in anything but lower case. */
const spellingsOf = (sha: string): readonly string[] => [sha, sha.toLowerCase(), sha.toUpperCase()];

/** Rows whose commit hash is one of these, or begins with one that is abbreviated. */
export function withSha<C extends string>(column: C, shas: Iterable<string>): Condition<C> {
  const full: string[] = [];
  const prefixes: Condition<C>[] = [];
  for (const sha of shas) {
    if (isWholeSha(sha)) full.push(...spellingsOf(sha));
    // Hashes are hexadecimal: every hash with this prefix sorts before the prefix followed by a g.
    else for (const prefix of spellingsOf(sha)) prefixes.push(startingWith(column, prefix));
  }
  return any(...(full.length > 0 ? [among(column, full)] : []), ...prefixes);
}

const startingWith = <C extends string>(column: C, prefix: string): Condition<C> =>
  all({ column, atLeast: prefix }, { column, atMost: `${prefix}g` });
