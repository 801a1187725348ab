import { Payload } from '../../payload.ts';
import { personOf } from './person.ts';
import { deploymentId, numberedId, type Project, runId, taggedId } from './project.ts';

const deploymentStatuses: Readonly<Record<string, 'success' | 'failure' | 'cancelled'>> = {
  success: 'success',
  failed: 'failure',
  canceled: 'cancelled',
};

/** Null for a deployment that has not ended. */
export const endOf = (deployment: Payload) => deploymentStatuses[deployment.text('status')] ?? null;

/** What is known of a deployment besides its payload. */
interface DeploymentFacts {
  readonly status: 'success' | 'failure' | 'cancelled';
  /** Of its environment; undefined where the environment is gone. */
  readonly tier: string | undefined;
  /** What it brought; empty where GitLab does not say it. */
  readonly mergeRequests: readonly unknown[];
}

export function deploymentRecord(project: Project, deployment: Payload, facts: DeploymentFacts) {
  const job = deployment.objectOrNull('deployable');
  const pipeline = job?.objectOrNull('pipeline');
  const mergeRequests = facts.mergeRequests.map((item) => Payload.of(item, 'merge request'));
  const own = mergeRequests.filter((one) => !one.has('project_id') || one.id('project_id') === project.id);
  return {
    deployment_id: deploymentId(project, deployment.id('id')),
    repository: project.name,
    source: 'gitlab',
    ...personOf(deployment.objectOrNull('user')),
    deployed_at: job?.timeOrNull('finished_at') ?? deployment.timeOrNull('updated_at') ?? deployment.time('created_at'),
    started_at: job?.timeOrNull('started_at') ?? deployment.time('created_at'),
    status: facts.status,
    environment: deployment.objectOrNull('environment')?.textOrNull('name') ?? null,
    // A name says less than the tier that the company has given.
    production: facts.tier === undefined ? null : facts.tier === 'production',
    workflow_name: job?.textOrNull('name') ?? null,
    version: job?.isTrue('tag') ? deployment.textOrNull('ref') : null,
    sha: deployment.textOrNull('sha'),
    deployment_source: 'workflow_run',
    run_url: pipeline?.textOrNull('web_url') ?? job?.textOrNull('web_url') ?? null,
    // Without any, the commit says what it brought.
    pr_ids: own.length === 0 ? null : own.map((one) => numberedId(project, one.integer('iid'))),
  };
}

const conclusions: Readonly<Record<string, string>> = {
  success: 'success',
  failed: 'failure',
  canceled: 'cancelled',
  skipped: 'skipped',
};

/** Null for a child pipeline: it belongs to its parent, which ends as it does. */
export function pipelineRecord(project: Project, pipeline: Payload) {
  const event = pipeline.textOrNull('source');
  if (event === 'parent_pipeline') return null;
  const status = pipeline.text('status');
  const conclusion = conclusions[status] ?? null;
  const ref = pipeline.textOrNull('ref');
  const [, mergeRequest] = /^refs\/merge-requests\/(\d+)\//.exec(ref ?? '') ?? [];
  return {
    workflow_run_id: runId(project, pipeline.id('id')),
    workflow_name: pipeline.textOrNull('name'),
    source: 'gitlab',
    repository: project.name,
    ...personOf(pipeline.objectOrNull('user')),
    branch: mergeRequest === undefined ? ref : null,
    event,
    run_status: conclusion === null ? status : 'completed',
    run_conclusion: conclusion,
    run_number: pipeline.integerOrNull('iid'),
    run_created_at: pipeline.time('created_at'),
    run_started_at: pipeline.timeOrNull('started_at') ?? pipeline.time('created_at'),
    run_updated_at: pipeline.timeOrNull('finished_at') ?? pipeline.timeOrNull('updated_at'),
    head_sha: pipeline.textOrNull('sha'),
    associated_pr_ids: mergeRequest === undefined ? [] : [numberedId(project, mergeRequest)],
    run_url: pipeline.textOrNull('web_url'),
  };
}

export function releaseRecord(project: Project, payload: unknown) {
  const release = Payload.of(payload, 'release');
  const tag = release.text('tag_name');
  // One that is announced for later has the day on which it will be out.
  const isOut = !release.isTrue('upcoming_release');
  return {
    release_id: taggedId(project, tag),
    version: tag,
    release_name: release.textOrNull('name') ?? tag,
    notes: release.textOrNull('description'),
    source: 'gitlab',
    repository: project.name,
    ...personOf(release.objectOrNull('author')),
    release_url: release.objectOrNull('_links')?.textOrNull('self') ?? null,
    created_at: release.time('created_at'),
    release_date: isOut ? (release.timeOrNull('released_at') ?? release.time('created_at')) : null,
    is_prerelease: false,
  };
}
