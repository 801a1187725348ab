import type { Table } from '../catalogue/table.ts';
import type { Principal, Visibility } from './principal.ts';

declare const scoped: unique symbol;

/**
 * A table as one person may see it. Only this file makes one, and a plan reads from nothing else: whatever is asked,
 * and however it is put together, the guard stands where the table becomes FROM.
 */
export interface ScopedTable {
  readonly [scoped]: true;
  readonly organisationId: string;
  readonly table: Table;
  readonly visibility: Visibility;
  /** Whether the organisation's surveys are anonymous, as far as nothing else is known of one. Only of their tables. */
  readonly areAnswersAnonymous?: true;
}

export const scopeTo = ({ organisationId, visibility, minRespondents }: Principal, table: Table): ScopedTable => {
  const isGuarded = isOfSurveys(table) && minRespondents !== undefined;
  return { organisationId, table, visibility, ...(isGuarded ? { areAnswersAnonymous: true } : {}) } as ScopedTable;
};

/** Another table of the same organisation, seen by the same person. None of surveys, whose answers may be anonymous. */
export const scopeAlike = ({ organisationId, visibility }: ScopedTable, table: Table): ScopedTable => {
  if (isOfSurveys(table)) throw new Error(`only scopeTo knows whether the answers in ${table.name} are anonymous`);
  return { organisationId, table, visibility } as ScopedTable;
};

const isOfSurveys = ({ anonymous, daysWhereAnonymous }: Table): boolean =>
  anonymous !== undefined || daysWhereAnonymous !== undefined;

declare const cohort: unique symbol;

/** A table of any organisation on the platform, good for one number over all of it and never for rows. */
interface CohortTable {
  readonly [cohort]: true;
  readonly scoped: ScopedTable;
}

/** The rows of another organisation for a benchmark. The caller has to check first that the organisation takes part. */
export const scopeToCohort = (organisationId: string, table: Table): CohortTable =>
  ({ scoped: { organisationId, table, visibility: 'organisation' } as ScopedTable }) as CohortTable;
