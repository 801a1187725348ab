import type { namedPullRequests } from '../../catalogue/derivation-state.ts';
import type { RowOf, Table } from '../../catalogue/table.ts';
import type { FactTable, factTables } from '../../catalogue/tables/all-tables.ts';
import type { ColumnMeasure, Condition } from '../../warehouse/intake-port.ts';
import type { IntakeSession } from '../write/intake-session.ts';
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
