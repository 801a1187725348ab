import { keyOf } from '../../directory/identifier.ts';
import { EventLoopYield } from '../../yield-to-event-loop.ts';
import type { Batch } from '../apply/batch.ts';
import { identify } from '../resolve/person-naming.ts';
import { answerId } from './answer-id.ts';
import { isActiveDay } from './copilot.ts';
import { issueCycleTime } from './issue.ts';
import { repositoryName } from './repository-name.ts';
import { runCost, runDuration } from './run.ts';

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
export async function deriveSingleRows(batch: Batch): Promise<void> {
  const { tables, runnerPrices, surveyKey } = batch;
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
  await each(tables.issues.entries.values(), (row) => {
    identify(row, batch);
    row.issue_cycle_time = issueCycleTime(row);
  });
  await each(tables.release_details.entries.values(), (row) => {
    identify(row, batch);
    nameRepository(row);
  });
  await each(tables.workflow_runs.entries.values(), (row) => {
    identify(row, batch);
    nameRepository(row);
    row.run_duration = runDuration(row);
    row.estimated_cost = runCost(row.billable_ms, runnerPrices);
  });
  await each(tables.ai_copilot.entries.values(), (row) => {
    identify(row, batch);
    row.is_active = row.given_is_active ?? isActiveDay(row);
  });
  await each(tables.survey_recipients.entries.values(), (row) => {
    identify(row, batch);
  });
  await each(tables.survey_responses.entries.values(), (row) => {
    row.answer_id = row.survey_response_id === null ? null : answerId(surveyKey, row.survey_response_id);
  });
  await each(tables.deployments.entries.values(), (row) => {
    identify(row, batch);
    row.origin ??= 'stated';
    if (row.origin !== 'stated') return;
    nameRepository(row);
    row.deployment_source = row.given_deployment_source ?? 'workflow_run';
  });
  await each(tables.incidents.entries.values(), (row) => {
    const name = row.repository ?? row.service;
    row.repository_key = name === null ? null : keyOf(name);
  });
}
