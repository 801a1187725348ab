import { Payload } from '../../payload.ts';
import { personOf } from './account.ts';
import { deploymentId, numberedId, type Repository, runId, taggedId } from './repository.ts';

/** Null for a deployment that has not ended. Statuses as GitHub lists them, the newest first. */
export function convertDeployment(repository: Repository, payload: unknown, statuses: readonly unknown[]) {
  const deployment = Payload.of(payload, 'deployment');
  const ended = endOf(statuses.map((status) => Payload.of(status, 'deployment status')));
  if (ended === null) return null;
  const ref = deployment.textOrNull('ref');
  const sha = deployment.textOrNull('sha');
  return {
    deployment_id: deploymentId(repository, deployment.id('id')),
    repository: repository.name,
    source: 'github',
    ...personOf(deployment.objectOrNull('creator')),
    deployed_at: ended.at,
    started_at: ended.startedAt ?? deployment.time('created_at'),
    status: ended.status,
    environment: deployment.textOrNull('environment'),
    // Said only of what is production: an environment that is production by its name need not be marked.
    production: deployment.isTrue('production_environment') ? true : null,
    version: ref === sha || ref === repository.defaultBranch ? null : ref,
    sha,
    run_url: ended.url,
  };
}

interface DeploymentEnd {
  readonly status: 'success' | 'failure' | 'cancelled';
  readonly at: string;
  readonly startedAt: string | null;
  readonly url: string | null;
}

const endStates: Readonly<Record<string, DeploymentEnd['status']>> = {
  success: 'success',
  failure: 'failure',
  error: 'failure',
};

/** The newest status decides. One that a later deployment made inactive is as it was before. */
function endOf(newestFirst: readonly Payload[]): DeploymentEnd | null {
  const stateOf = (status: Payload) => status.text('state');
  const [newest] = newestFirst;
  const last = newestFirst.find((status) => stateOf(status) !== 'inactive') ?? newest;
  if (newest === undefined || last === undefined) return null;
  const status = endStates[stateOf(last)] ?? (stateOf(newest) === 'inactive' ? 'cancelled' : undefined);
  if (status === undefined) return null;
  return {
    status,
    at: (status === 'cancelled' ? newest : last).time('created_at'),
    startedAt: newestFirst.findLast((each) => stateOf(each) === 'in_progress')?.time('created_at') ?? null,
    url: last.textOrNull('log_url') ?? last.textOrNull('target_url'),
  };
}

/** Null for a draft: it has no tag yet, and nobody but its authors sees it. */
export function convertRelease(repository: Repository, payload: unknown) {
  const release = Payload.of(payload, 'release');
  if (release.isTrue('draft')) return null;
  const tag = release.text('tag_name');
  return {
    release_id: taggedId(repository, tag),
    version: tag,
    release_name: release.textOrNull('name') ?? tag,
    notes: release.textOrNull('body'),
    source: 'github',
    repository: repository.name,
    ...personOf(release.objectOrNull('author')),
    release_url: release.textOrNull('html_url'),
    created_at: release.time('created_at'),
    release_date: release.timeOrNull('published_at'),
    is_prerelease: release.isTrue('prerelease'),
  };
}

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
