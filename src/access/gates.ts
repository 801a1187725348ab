import type { Gate } from '../catalogue/metric.ts';
import { Refusal } from '../refusal.ts';
import type { Principal } from './principal.ts';

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
