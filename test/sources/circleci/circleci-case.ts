import { circleci } from '../../../src/sources/circleci/circleci.ts';
import type { Reply } from '../../jobs/failing-answers.ts';
import type { ContractCase } from '../contract/contract-case.ts';
import type { AskedRequest } from '../contract/replay-host.ts';

export interface CirclePipeline {
  id: string;
  project_slug: string;
  created_at: string;
  errors: { type: string; message: string }[];
  [field: string]: unknown;
}

export interface CircleWorkflow {
  id: string;
  pipeline_id: string;
  status: string;
  created_at: string;
  stopped_at: string | null;
  [field: string]: unknown;
}

export interface CircleWorld {
  readonly pipelines: CirclePipeline[];
  readonly workflows: CircleWorkflow[];
}

export const circleNow = Date.UTC(2026, 2, 31, 12) / 1_000;
export const circleToken = 'token-of-nobody-in-particular';
const day = 86_400;
export const daysAgo = (days: number): string => new Date((circleNow - days * day) * 1_000).toISOString();
const slugs = ['gh/acme/web', 'gh/acme/api'] as const;

export const somePipeline = (number: number, days: number, more: Partial<CirclePipeline> = {}): CirclePipeline => {
  const slug = more.project_slug ?? slugs[0];
  const address = `https://github.com/${slug.slice('gh/'.length)}`;
  return {
    id: `p-${slug.split('/')[2]}-${number}`,
    number,
    project_slug: slug,
    state: 'created',
    errors: [],
    created_at: daysAgo(days),
    updated_at: daysAgo(days),
    trigger: { type: 'webhook', received_at: daysAgo(days), actor: { login: 'ada', avatar_url: null } },
    vcs: {
      provider_name: 'GitHub',
      origin_repository_url: address,
      target_repository_url: address,
      revision: `${number}`.padStart(40, 'a'),
      branch: 'main',
    },
    ...more,
  };
};

export const someWorkflow = (
  pipeline: CirclePipeline,
  status: string,
  more: Partial<CircleWorkflow> = {},
): CircleWorkflow => ({
  id: `w-${pipeline.id}-${more.name ?? 'build'}`,
  name: 'build',
  pipeline_id: pipeline.id,
  pipeline_number: pipeline.number,
  project_slug: pipeline.project_slug,
  status,
  started_by: 'someone',
  created_at: pipeline.created_at,
  stopped_at: ['running', 'on_hold', 'failing'].includes(status)
    ? null
    : new Date(Date.parse(pipeline.created_at) + 300_000).toISOString(),
  ...more,
});

const ages = [0.05, 0.1, 1, 4, 9, 15, 22, 29, 40, 45, 70];

/** Eleven pipelines of each project with two workflows, and one whose configuration has an error. */
function makeWorld(): CircleWorld {
  const pipelines: CirclePipeline[] = [];
  const workflows: CircleWorkflow[] = [];
  for (const slug of slugs) {
    for (const [number, age] of ages.entries()) {
      const pipeline = somePipeline(number, age, { project_slug: slug });
      pipelines.push(pipeline);
      workflows.push(someWorkflow(pipeline, number === 0 ? 'running' : number % 4 === 1 ? 'failed' : 'success'));
      workflows.push(someWorkflow(pipeline, age === 40 ? 'on_hold' : 'success', { name: 'deploy-production' }));
    }
    pipelines.push(
      somePipeline(99, 2, { project_slug: slug, state: 'errored', errors: [{ type: 'config', message: 'no' }] }),
    );
  }
  return { pipelines, workflows };
}

/** Lists in pages by token, the newest first, without a way to ask since when. Pages are smaller here. */
export function circleAnswer({ pipelines, workflows }: CircleWorld, { path, query, headers }: AskedRequest): Reply {
  if (headers['circle-token'] !== circleToken) return { status: 401, body: { message: 'You must log in first.' } };
  if (path === '/me') return { status: 200, body: { id: '1', login: 'ada', name: 'Ada' } };
  const [, kind = '', ...rest] = path.split('/');
  const last = rest.at(-1);
  const id = rest[0] ?? '';
  if (kind === 'project' && last === 'pipeline') {
    const slug = rest.slice(0, -1).join('/');
    if (!slugs.some((one) => one === slug)) return { status: 404, body: { message: 'Project not found' } };
    const own = pipelines.filter(({ project_slug }) => project_slug === slug);
    return listed(
      own.sort((a, b) => (a.created_at < b.created_at ? 1 : -1)),
      query,
      3,
    );
  }
  if (kind === 'pipeline' && last === 'workflow') {
    return listed(
      workflows.filter(({ pipeline_id }) => pipeline_id === id),
      query,
      2,
    );
  }
  const found = (kind === 'pipeline' ? pipelines : workflows).find((one) => one.id === id);
  return found ? { status: 200, body: found } : { status: 404, body: { message: 'Not found' } };
}

function listed(items: readonly { readonly id: string }[], query: URLSearchParams, size: number): Reply {
  const after = query.get('page-token');
  const start = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const page = items.slice(start, start + size);
  const next = start + size < items.length ? page.at(-1)?.id : null;
  return { status: 200, body: { items: page, next_page_token: next } };
}

const workflowIn = ({ workflows }: CircleWorld, id: string): CircleWorkflow => {
  const found = workflows.find((workflow) => workflow.id === id);
  if (!found) throw new Error(`there is no workflow ${id}`);
  return found;
};

const end = (workflow: CircleWorkflow, status = 'success'): void => {
  Object.assign(workflow, { status, stopped_at: daysAgo(0) });
};

const add = ({ pipelines, workflows }: CircleWorld, pipeline: CirclePipeline, status: string): void => {
  pipelines.push(pipeline);
  workflows.push(someWorkflow(pipeline, status));
};

export const circleciCase: ContractCase<CircleWorld> = {
  kind: circleci,
  settings: { projects: ['gh/acme/web', 'github/acme/api'] },
  secrets: { token: circleToken },
  now: circleNow,
  makeWorld,
  answer: circleAnswer,
  table: 'workflow_runs',
  orderedBy: 'run_created_at',
  rows: 44,
  // Who asks; of each project the newest pipelines, the workflows of two, and two that had not ended.
  maxQuietRequests: 15,
  changes: {
    'a new pipeline': { make: (world) => add(world, somePipeline(20, 0), 'running'), rows: 45 },
    'a pipeline that arrives late': { make: (world) => add(world, somePipeline(21, 0.15), 'success'), rows: 45 },
    'the end of a run': { make: (world) => end(workflowIn(world, 'w-p-web-0-build'), 'failed'), rows: 44 },
    'an approval after forty days': {
      make: (world) => end(workflowIn(world, 'w-p-api-8-deploy-production')),
      rows: 44,
    },
    'a workflow that is run again': {
      make: ({ pipelines, workflows }) => {
        const pipeline = pipelines.find(({ id }) => id === 'p-web-1') ?? somePipeline(1, 0.1);
        workflows.push(someWorkflow(pipeline, 'success', { id: 'w-again', created_at: daysAgo(0.01) }));
      },
      rows: 45,
    },
  },
  broken: { isAsked: ({ path }) => path.startsWith('/project/gh/acme/api/'), minRows: 22 },
  changed: {
    object: { id: 'workflow@w-p-web-3-build', kind: 'workflow', scope: '', reference: 'w-p-web-3-build' },
    remove: (world) => world.workflows.splice(world.workflows.indexOf(workflowIn(world, 'w-p-web-3-build')), 1),
  },
};
