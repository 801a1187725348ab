import { addDays } from '../../../src/calendar.ts';
import { askSeveral, type Question } from './question.ts';
import type { DayWindow } from './windows.ts';

/** The longest window that the API takes, to within a day, for records that are looked for by id alone. */
export const longestWindow = (end: string): DayWindow => ({ start: addDays(end, -3_650), end });

/** Which deployments there are in a window. No filter finds one by its id. */
export const deploymentsOf = ({ start, end }: DayWindow): Question =>
  askSeveral(['deployment-frequency'], {
    filters: { start_date: start, end_date: end },
    group_by: ['deployment_id', 'deployed_at'],
  });

/** Everything that is known of the deployments of a day. */
export const deploymentsOn = (day: string): Question =>
  askSeveral(['deployment-frequency'], {
    filters: { start_date: day, end_date: day },
    group_by: [
      'deployment_id',
      'repository',
      'repository_name',
      'environment',
      'is_production',
      'status',
      'deployment_source',
      'workflow_name',
      'version',
      'sha',
      'run_url',
      'started_at',
      'deployed_at',
      'name',
      'prs_included',
      'pull_requests',
      'failure_reason',
      'failure_detected_at',
      'remediation_merged_at',
      'restored_at',
      'time_to_restore',
      'is_remediation',
    ],
  });
