import { Payload } from '../../payload.ts';
import { personOf } from './account.ts';
import { deploymentId } from './ids.ts';
import type { Repository } from './repository.ts';

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
    is_production: deployment.isTrue('production_environment') ? true : null,
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
