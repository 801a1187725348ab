import type { GoalLevel } from '../goals/goal-periods.ts';
import type { QuietHours } from './quiet-hours.ts';
import type { StoredReceiver } from './recipients.ts';

/** The filters of a question, teams by identifier. */
export type RuleFilters = Readonly<Record<string, unknown>>;

/** The pull requests that a rule is about: what they wait for. */
export const waitingFor = ['review', 'merge', 'deploy'] as const;

/** When an alert fires. */
export type AlertRule =
  | { readonly kind: 'goal_missed'; readonly goal: string; readonly periods: number }
  | {
      readonly kind: 'unusual';
      readonly metric: string;
      /** In capitals; null where the metric takes none. */
      readonly aggregation: string | null;
      readonly filters: RuleFilters;
      readonly period: GoalLevel;
    }
  | { readonly kind: 'source_behind'; readonly hours: number }
  | {
      readonly kind: 'waiting';
      readonly for: (typeof waitingFor)[number];
      readonly hours: number;
      readonly filters: RuleFilters;
    };

/** An alert as it is stored. The addresses of its receivers are among its secrets. */
export interface Alert {
  readonly rule: AlertRule;
  readonly to: readonly StoredReceiver[];
  readonly quiet?: QuietHours | undefined;
}
