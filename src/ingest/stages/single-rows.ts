import { keyOf } from '../../directory/identifier.ts';
import { isActiveDay } from '../derive/copilot.ts';
import { issueCycleTime } from '../derive/issue.ts';
import { repositoryName } from '../derive/repository-name.ts';
import { runCost, runDuration } from '../derive/run.ts';
import { identify } from '../people/named.ts';
import type { Workspace } from '../workspace.ts';

interface InRepository {
  repository: string | null;
  repository_name: string | null;
  repository_key: string | null;
}

function nameRepository(row: InRepository): void {
  row.repository_name = row.repository === null ? null : repositoryName(row.repository);
  row.repository_key = row.repository === null ? null : keyOf(row.repository);
}

/** What a row is by itself, in the tables whose rows depend on nothing else. */
export function deriveSingleRows(workspace: Workspace): void {
  const { drafts, runnerPrices } = workspace;
  const rows = <R>(entries: Iterable<{ after: R | undefined; part: readonly string[] | undefined }>): R[] =>
    [...entries].flatMap(({ after, part }) => (after && !part ? [after] : []));
  for (const row of rows(drafts.issues.entries.values())) {
    identify(row, workspace);
    row.issue_cycle_time = issueCycleTime(row);
  }
  for (const row of rows(drafts.release_details.entries.values())) {
    identify(row, workspace);
    nameRepository(row);
  }
  for (const row of rows(drafts.workflow_runs.entries.values())) {
    identify(row, workspace);
    nameRepository(row);
    row.run_duration = runDuration(row);
    row.estimated_cost = runCost(row.billable_ms, runnerPrices);
  }
  for (const row of rows(drafts.ai_copilot.entries.values())) {
    identify(row, workspace);
    row.is_active = row.given_is_active ?? isActiveDay(row);
  }
  for (const row of rows(drafts.survey_recipients.entries.values())) identify(row, workspace);
  for (const row of rows(drafts.deployments.entries.values())) {
    identify(row, workspace);
    row.origin ??= 'stated';
    if (row.origin !== 'stated') continue;
    nameRepository(row);
    row.deployment_source = row.given_deployment_source ?? 'workflow_run';
  }
  for (const row of rows(drafts.incidents.entries.values())) {
    const name = row.repository ?? row.service;
    row.repository_key = name === null ? null : keyOf(name);
  }
}
