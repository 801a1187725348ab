import { Payload } from '../../payload.ts';
import { personOf } from './account.ts';
import { numberedId, runId } from './ids.ts';
import type { Repository } from './repository.ts';

export function convertWorkflowRun(repository: Repository, payload: unknown) {
  const run = Payload.of(payload, 'workflow run');
  return {
    workflow_run_id: runId(repository, run.id('id')),
    workflow_name: run.textOrNull('name'),
    source: 'github',
    repository: repository.name,
    ...personOf(run.objectOrNull('triggering_actor') ?? run.objectOrNull('actor')),
    branch: run.textOrNull('head_branch'),
    event: run.textOrNull('event'),
    run_status: run.textOrNull('status'),
    run_conclusion: run.textOrNull('conclusion'),
    run_number: run.integerOrNull('run_number'),
    run_attempt: run.integerOrNull('run_attempt'),
    run_created_at: run.time('created_at'),
    run_started_at: run.timeOrNull('run_started_at') ?? run.time('created_at'),
    run_updated_at: run.timeOrNull('updated_at'),
    head_sha: run.textOrNull('head_sha'),
    associated_pr_ids: pullRequestsOf(repository, run),
    run_url: run.textOrNull('html_url'),
  };
}

/** Pull requests of a fork that has the same branch are listed too, and are not of this repository. */
function pullRequestsOf(repository: Repository, run: Payload): string[] {
  const own = run.list('pull_requests').filter((pull) => {
    const base = pull.objectOrNull('base')?.objectOrNull('repo');
    return base === null || base === undefined || base.id('id') === repository.id;
  });
  return own.map((pull) => numberedId(repository, pull.integer('number')));
}

/** Milliseconds by kind of runner. Null where the host does not bill. */
export function convertTiming(payload: unknown): Record<string, number> | null {
  const billable = Payload.of(payload, 'timing of a run').objectOrNull('billable');
  if (billable === null) return null;
  const kinds = { ubuntu: 'UBUNTU', windows: 'WINDOWS', macos: 'MACOS' };
  const known = Object.entries(kinds).flatMap(([name, field]) => {
    const ms = billable.objectOrNull(field)?.integerOrNull('total_ms') ?? null;
    return ms === null ? [] : [[name, ms] as const];
  });
  return Object.fromEntries(known);
}

export const convertArtifacts = (payloads: readonly unknown[]): number =>
  payloads.reduce<number>(
    (bytes, payload) => bytes + Payload.of(payload, 'artifact of a run').integer('size_in_bytes'),
    0,
  );
