import type { Gate } from '../catalogue/metric.ts';
import type { Table } from '../catalogue/table.ts';
import { Refusal } from '../refusal.ts';
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

/** Whether somebody sees salaries: the organisation shows them, and they have the permission. */
export const seesSalaries = ({
  salaryVisibility,
  permissions,
}: Pick<Principal, 'salaryVisibility' | 'permissions'>): boolean =>
  salaryVisibility && permissions.includes('can-view-salaries');

/** Refuses callers who may not ask a metric. Checked before columns and filters. */
export function passGate(principal: Principal, gate: Gate | undefined): void {
  switch (gate) {
    case undefined:
      return;
    case 'salary':
      if (!principal.salaryVisibility) {
        throw new Refusal(
          'forbidden',
          'Salaries are not visible in this organisation. `plumb org set salary_visibility=true` shows them to people with the permission can-view-salaries.',
        );
      }
      if (!principal.permissions.includes('can-view-salaries')) {
        throw new Refusal(
          'forbidden',
          principal.session
            ? 'Salary metrics need the permission can-view-salaries, which you do not have.'
            : 'Salary metrics need a key whose creator has the permission can-view-salaries.',
        );
      }
      return;
    case 'survey':
      if (principal.role !== 'Owner' && principal.role !== 'Manager') {
        throw new Refusal(
          'forbidden',
          principal.session
            ? `Survey metrics need the role Owner or Manager. You have the role ${principal.role}.`
            : 'Survey metrics need a key that was created by an Owner or a Manager.',
        );
      }
  }
}

/** A sentence for the maker of a key: what the key will see. */
export function whatKeySees(maker: KeyMaker): string {
  const { role, visibility } = maker;
  const salaries = seesSalaries(maker) ? ', salaries included' : '';
  const also =
    'It follows you: when your role changes, so does what it sees, and when you are removed, it stops working.';
  return `A key of yours sees ${seen(role, visibility)}${salaries}. ${also}`;
}

type KeyMaker = Pick<Principal, 'role' | 'visibility' | 'salaryVisibility' | 'permissions'>;

function seen(role: Principal['role'], visibility: Principal['visibility']): string {
  switch (role) {
    case 'Owner':
      return 'everything in the organisation, and may choose who counts in metrics and send records';
    case 'Manager':
      return visibility === 'organisation'
        ? 'the work of everyone in the organisation'
        : 'the work of the teams assigned to you, of everyone who reports to you, and your own';
    case 'Squad Lead':
      return 'the work of the squads that you lead and of the squads below them, and your own';
    case 'Engineer':
      return 'your own work, and the names and teams of everyone in metrics';
  }
}
