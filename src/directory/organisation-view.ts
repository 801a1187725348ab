import type { OrganisationRow } from '../store/organisations.ts';

/** An organisation with its settings, for people. */
export interface OrganisationView {
  readonly id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly team_restrictions: boolean;
  readonly salary_visibility: boolean;
  readonly benchmark_opt_out: boolean;
  readonly incident_window_days: number;
  readonly survey_minimum_group: number;
  readonly survey_privacy: string;
  readonly survey_report_by: string;
  readonly onboard_automatically: boolean;
  readonly runner_prices: unknown;
}

export function organisationView({
  version: _,
  created_at: __,
  runner_prices,
  onboard_automatically,
  survey_privacy,
  survey_report_by,
  survey_key: ___,
  ...settings
}: OrganisationRow): OrganisationView {
  return {
    ...settings,
    survey_privacy: survey_privacy ?? 'role',
    survey_report_by: survey_report_by ?? 'team',
    onboard_automatically: onboard_automatically ?? true,
    runner_prices: runner_prices === null ? null : JSON.parse(runner_prices),
  };
}
