import { originOf } from '../../../catalogue/column.ts';
import type { RecordTable } from '../../../catalogue/record-tables.ts';
import type { Table } from '../../../catalogue/table.ts';
import { factTables, isFactTable } from '../../../catalogue/tables/tables.ts';
import { headingKey } from './heading-names.ts';

/** What other tools measure of pull requests and call by names of their own. */
const measuredElsewhere: ReadonlySet<string> = new Set([
  'comments',
  'commits',
  'deploy_time',
  'first_approval_to_merge',
  'first_to_last_review',
  'feature_lead_time',
  'open_to_merge',
  'pr_size',
  'progress_time',
  'review_depth',
  'reviews',
  'size',
  'time_in_merge',
  'time_in_progress',
  'time_in_review',
  'time_to_deploy',
  'time_to_first_review',
  'time_to_merge',
  'total_time',
]);

const unit = /_(?:h|hrs|hours|d|days|m|min|mins|minutes|s|sec|secs|seconds)$/;

/** Whether a heading names something that is worked out here from what else is known, and so is not imported. */
export function isMeasuredHere(table: RecordTable, heading: string): boolean {
  if (!isFactTable(table)) return false;
  const key = headingKey(heading).replace(unit, '');
  if (table === 'pull_requests' && measuredElsewhere.has(key)) return true;
  const { columns }: Table = factTables[table];
  const column = Object.hasOwn(columns, key) ? columns[key] : undefined;
  return column !== undefined && ['derived', 'inherited', 'read'].includes(originOf(column));
}
