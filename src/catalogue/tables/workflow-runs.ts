import { amount, duration, integer, json, number, text, textList, timestamp } from '../record.ts';
import { idOfWorkflowRun } from '../record-ids.ts';
import { derived, hidden, type RowOf, table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';

/** Conclusions that can be filtered by. A source may know others. */
export const runConclusions = ['success', 'failure', 'cancelled', 'skipped', 'timed_out'] as const;

export const workflowRuns = table({
  name: 'workflow_runs',
  one: 'a workflow run',
  meaning: 'Runs of continuous integration and delivery workflows.',
  key: ['workflow_run_id'],
  composedKey: {
    field: 'workflow_run_id',
    from: 'source, repository and a run_url such as https://github.com/acme/web/actions/runs/7',
    example: 'github:acme/web:run:7',
    make: idOfWorkflowRun,
  },
  references: ['associated_pr_ids'],
  person: 'person who triggered it',
  naming: personNaming,
  repository: ['repository'],
  countsForRepository: true,
  dates: {
    run_created_at: 'run_created_at',
    created_at: 'run_created_at',
    run_updated_at: 'run_updated_at',
    updated_at: 'run_updated_at',
    started_at: 'run_started_at',
  },
  needs: { run_duration: ['run_conclusion'] },
  columns: {
    workflow_run_id: text('Identifier of the run.'),
    workflow_name: text('Name of the workflow.'),
    source: text('Where it ran, such as github.'),
    repository: text('Repository, owner/name.'),
    repository_name: derived(text('Repository without its owner.')),
    repository_key: hidden(derived(text('Repository as it is matched, without regard to case.'))),
    ...personColumns,
    branch: text('Branch it ran on.'),
    event: text('What triggered it.'),
    run_status: text('Status, such as completed.'),
    run_conclusion: text('Conclusion. Null while it runs.'),
    run_number: amount('Number of the run.'),
    run_attempt: integer('Which attempt this was.'),
    run_created_at: timestamp('When it was created.'),
    run_started_at: timestamp('When it started.'),
    run_updated_at: timestamp('When it last changed. Its end, once it has a conclusion.'),
    head_sha: text('Commit it ran on.'),
    environment: text('Environment it deployed to.'),
    associated_pr_ids: textList('Pull requests it ran for. acme/web#7 is short for an id.'),
    artifact_bytes: amount('Size of its artifacts.'),
    billable_ms: json('Billable milliseconds by kind of runner: {"ubuntu", "windows", "macos"}.', 'object'),
    run_url: text('Address of its page.'),
    run_duration: derived(duration('Started to finished. Null without a conclusion.')),
    estimated_cost: derived(number('Billable minutes times the price of each kind of runner, in US dollars.')),
  },
});
export type WorkflowRunRow = RowOf<typeof workflowRuns>;
