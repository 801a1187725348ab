import { secondsPerDay } from '../../calendar.ts';
import type { FieldValues } from '../../catalogue/field-values.ts';
import { hostedId } from '../../catalogue/record-ids.ts';
import { checkedOutFrom } from '../checkout-address.ts';
import { secondsOf } from '../paging.ts';
import { convertEach, Payload } from '../payload.ts';
import type { ConvertedItems } from '../streams/newest-first-stream.ts';

/** A pipeline with all of its workflows, each of which is a run. */
export interface PipelineWorkflows {
  readonly pipeline: unknown;
  readonly workflows: readonly unknown[];
  /** Why it could not be read. */
  readonly problem?: string;
}

export const runId = (host: string, workflow: string): string => hostedId('circleci', host, workflow);

export function convertPipelines(host: string, pipelines: readonly PipelineWorkflows[]): ConvertedItems {
  const runs = pipelines.flatMap(({ pipeline, workflows }) => workflows.map((workflow) => ({ pipeline, workflow })));
  const { records, problems } = convertEach(runs, ({ pipeline, workflow }) => runRecord(host, pipeline, workflow));
  const unread = pipelines.flatMap(({ problem }) => problem ?? []);
  return { records: [{ table: 'workflow_runs', records }], problems: [...problems, ...unread] };
}

const conclusions: Readonly<Record<string, string>> = {
  success: 'success',
  failed: 'failure',
  error: 'failure',
  canceled: 'cancelled',
  unauthorized: 'cancelled',
  not_run: 'skipped',
};

function runRecord(host: string, pipelinePayload: unknown, workflowPayload: unknown): FieldValues {
  const pipeline = Payload.of(pipelinePayload, 'pipeline');
  const workflow = Payload.of(workflowPayload, 'workflow');
  const id = workflow.text('id');
  const status = workflow.text('status');
  const createdAt = workflow.time('created_at');
  const stoppedAt = workflow.timeOrNull('stopped_at');
  const code = checkoutOf(pipeline);
  const number = pipeline.has('number') ? Number(pipeline.id('number')) : null;
  return {
    workflow_run_id: runId(host, id),
    source: 'circleci',
    workflow_name: workflow.text('name'),
    repository: code.repository,
    branch: code.branch,
    head_sha: code.sha,
    event: pipeline.objectOrNull('trigger')?.textOrNull('type') ?? null,
    run_status: status,
    run_conclusion: conclusions[status] ?? null,
    run_number: number,
    run_created_at: createdAt,
    run_started_at: createdAt,
    // Clocks of several machines: some runs end before they were made.
    run_updated_at: stoppedAt !== null && stoppedAt < createdAt ? createdAt : stoppedAt,
    run_url: runAddress(host, pipeline, number, id),
    ...personOf(code.isOnGithub ? actorOf(pipeline) : null),
    ...(code.review !== null && { associated_pr_ids: [code.review] }),
  };
}

/** Where the code came from. Projects of the GitHub App and of GitLab have it in the parameters of the trigger. */
function checkoutOf(pipeline: Payload) {
  const vcs = pipeline.objectOrNull('vcs');
  const parameters = pipeline.objectOrNull('trigger_parameters')?.objectOrNull('git');
  const address =
    vcs?.textOrNull('target_repository_url') ??
    vcs?.textOrNull('origin_repository_url') ??
    parameters?.textOrNull('repo_url') ??
    parameters?.textOrNull('checkout_url');
  // `gh/acme/web` is the name on the code host; `circleci/…` says nothing.
  const [prefix = '', ...name] = (pipeline.textOrNull('project_slug') ?? '').split('/');
  const code = checkedOutFrom(address ?? '');
  const repository = code?.repository ?? (/^(?:gh|bb)$/.test(prefix) ? name.join('/') : null);
  const review = vcs?.textOrNull('review_id') ?? '';
  return {
    repository,
    branch: vcs?.textOrNull('branch') ?? parameters?.textOrNull('branch') ?? null,
    sha: vcs?.textOrNull('revision') ?? parameters?.textOrNull('checkout_sha') ?? null,
    review: repository !== null && /^\d{1,15}$/.test(review) ? `${repository}#${review}` : null,
    isOnGithub: prefix === 'gh' || code?.host === 'github' || vcs?.textOrNull('provider_name') === 'GitHub',
  };
}

/** The people of a pipeline are those of GitHub, who may be others than those of the same names elsewhere. */
const personOf = (login: string | null) => ({
  person_login: login,
  person_source: login === null ? null : 'github',
});

/** Schedules and removed accounts have an empty login. */
const actorOf = (pipeline: Payload): string | null =>
  pipeline.objectOrNull('trigger')?.objectOrNull('actor')?.textOrNull('login') ?? null;

/** Servers of one's own have their pages elsewhere. */
function runAddress(host: string, pipeline: Payload, number: number | null, id: string): string | null {
  const slug = pipeline.textOrNull('project_slug');
  if (host !== 'circleci.com' || slug === null || number === null) return null;
  return `https://app.circleci.com/pipelines/${slug}/${number}/workflows/${id}`;
}

/** An approval that nobody gives holds a workflow for ever. */
const maxOpenSeconds = 90 * secondsPerDay;

/** Whether a pipeline may still change: one of its workflows has not ended, or none has begun yet. */
export function isOpen({ pipeline, workflows, problem }: PipelineWorkflows, now: number): boolean {
  if (problem !== undefined) return false;
  const payload = Payload.of(pipeline, 'pipeline');
  const age = now - secondsOf(payload.time('created_at'));
  if (workflows.length === 0) return age < secondsPerDay && payload.list('errors').length === 0;
  const statuses = workflows.map((workflow) => Payload.of(workflow, 'workflow').textOrNull('status') ?? '');
  return age < maxOpenSeconds && statuses.some((status) => conclusions[status] === undefined);
}
