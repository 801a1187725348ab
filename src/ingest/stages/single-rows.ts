import { keyOf } from '../../directory/identifier.ts';
import { EventLoopYield } from '../../yield-to-event-loop.ts';
import { answerId } from '../derive/answer-id.ts';
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
export async function deriveSingleRows(workspace: Workspace): Promise<void> {
  const { drafts, runnerPrices, surveyKey } = workspace;
  const eventLoop = new EventLoopYield();
  const each = async <R>(
    entries: Iterable<{ after: R | undefined; part: readonly string[] | undefined }>,
    derive: (row: R) => void,
  ): Promise<void> => {
    for (const { after, part } of entries) {
      if (after && !part) derive(after);
      if (eventLoop.isDue) await eventLoop.yieldIfDue();
    }
  };
  await each(drafts.issues.entries.values(), (row) => {
    identify(row, workspace);
    row.issue_cycle_time = issueCycleTime(row);
  });
  await each(drafts.release_details.entries.values(), (row) => {
    identify(row, workspace);
    nameRepository(row);
  });
  await each(drafts.workflow_runs.entries.values(), (row) => {
    identify(row, workspace);
    nameRepository(row);
    row.run_duration = runDuration(row);
    row.estimated_cost = runCost(row.billable_ms, runnerPrices);
  });
  await each(drafts.ai_copilot.entries.values(), (row) => {
    identify(row, workspace);
    row.is_active = row.given_is_active ?? isActiveDay(row);
  });
  await each(drafts.survey_recipients.entries.values(), (row) => {
    identify(row, workspace);
  });
  await each(drafts.survey_responses.entries.values(), (row) => {
    row.answer_id = row.survey_response_id === null ? null : answerId(surveyKey, row.survey_response_id);
  });
  await each(drafts.deployments.entries.values(), (row) => {
    identify(row, workspace);
    row.origin ??= 'stated';
    if (row.origin !== 'stated') return;
    nameRepository(row);
    row.deployment_source = row.given_deployment_source ?? 'workflow_run';
  });
  await each(drafts.incidents.entries.values(), (row) => {
    const name = row.repository ?? row.service;
    row.repository_key = name === null ? null : keyOf(name);
  });
}
