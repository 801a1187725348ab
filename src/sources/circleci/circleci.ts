import { secondsOfDay } from '../../calendar.ts';
import type { Requests } from '../host-port.ts';
import type { NotSeen } from '../not-seen.ts';
import { type PageOfList, readAll, secondsOf, tokenPage } from '../paging.ts';
import { orUnknown, Payload, UnknownShape } from '../payload.ts';
import type { ChangedObject, Check, OpenSource, Page, SourceKind, SourceOpening, Stream } from '../source.ts';
import { SourceProblem } from '../source.ts';
import { addressField, allowHostsField, keepFreeField, sinceField, tokenField } from '../source-settings.ts';
import { type ConvertedItems, newestFirstStream, type WalkRange } from '../streams/newest-first-stream.ts';
import { type ReadThing, UnendedThings, unendedStream } from '../streams/unended-things.ts';
import { isPathName, objectsByEvent } from '../webhooks.ts';
import { convertPipelines, isOpen, type PipelineWorkflows, runId } from './convert.ts';

const settings: SourceKind['settings'] = [
  addressField('address of CircleCI’s API (https://HOST/api/v2 for your own server)', 'https://circleci.com/api/v2'),
  tokenField('Token', 'personal API token of someone who sees the projects'),
  {
    name: 'projects',
    label: 'Projects',
    meaning: 'whose runs are read, each as in its address at CircleCI, such as gh/acme/web',
    type: 'list',
    isRequired: true,
  },
  sinceField('run of a pipeline that was made'),
  keepFreeField,
  allowHostsField,
];

/** The list has no order by update: pipelines of the last hours are looked at again, since workflows are run again. */
const rereadSeconds = 6 * 3_600;

/** The projects of the settings, and how their pipelines are asked for. */
class OpenCircleci implements OpenSource {
  readonly #requests: Requests;
  readonly #opening: SourceOpening;
  readonly #projects: readonly string[];

  constructor(opening: SourceOpening) {
    const { projects } = opening.settings;
    this.#requests = opening.requests;
    this.#opening = opening;
    this.#projects = slugsIn(Array.isArray(projects) ? projects : []);
  }

  async check(): Promise<Check> {
    const { body, at } = await this.#requests.get('/me');
    const account = Payload.of(body, 'account').textOrNull('login');
    const missing: string[] = [];
    for (const project of this.#projects) {
      const { status, body: list } = await this.#requests.get(`/project/${project}/pipeline`, { alsoGood: refused });
      if (status >= 300) missing.push(`The project ${project} is not seen. ${giveAccess}`);
      const [first] = status >= 300 ? [] : Payload.of(list, 'list of pipelines').list('items');
      if (!first) continue;
      const [itself, workflows] = [
        await this.#requests.get(`/pipeline/${first.text('id')}`, { alsoGood: refused }),
        await this.#requests.get(workflowsPath(first), { alsoGood: refused }),
      ];
      if (itself.status >= 300 || workflows.status >= 300)
        missing.push(`Workflows of ${project} cannot be read. ${giveAccess}`);
    }
    return {
      ...(account !== null && { account }),
      sees: [`${this.#projects.length - missing.length} of ${this.#projects.length} projects`],
      missing,
      clockDifferenceSeconds: at - Math.floor(Date.now() / 1_000),
    };
  }

  async *streams(): AsyncIterable<Stream> {
    const { memory, settings: values } = this.#opening;
    const readFrom = typeof values.since === 'string' ? secondsOfDay(values.since) : undefined;
    const { at: now } = await this.#requests.get('/me');
    for (const project of this.#projects) {
      const id = project.toLowerCase();
      const open = new UnendedThings(memory, id);
      const common = { scope: project, feeds: ['workflow_runs'] } as const;
      yield newestFirstStream({
        ...common,
        id: `runs@${id}`,
        name: 'runs',
        rereadSeconds,
        readFrom,
        notSeen: [lateReruns, ...(project.startsWith('gh/') ? [] : [hiddenPeople])],
        ask: (next, range) => this.#pipelines(project, next, range),
        timeOf: (item) => createdAt(item.object('pipeline')),
        convert: (items) => this.#convert(items as readonly PipelineWorkflows[], open, now),
      });
      yield unendedStream({
        ...common,
        id: `unended_runs@${id}`,
        name: 'runs that had not ended',
        things: open,
        now,
        reread: (pipeline) => this.#rereadPipeline(pipeline, now),
      });
    }
  }

  /** A webhook names a workflow. One of a project that is not to be read brings nothing. */
  async reread({ reference }: Pick<ChangedObject, 'reference'>): Promise<Page> {
    const { status, body, at } = await this.#requests.get(`/workflow/${reference}`, { alsoGood: [404] });
    const gone = [{ workflow_run_id: runId(this.#opening.host, String(reference)), _deleted: true }];
    if (status === 404) return { records: [{ table: 'workflow_runs', records: gone }], count: 1, at };
    const workflow = Payload.of(body, 'workflow');
    const [project = ''] = slugsIn([workflow.text('project_slug')]);
    if (!this.#projects.some((one) => one.toLowerCase() === project.toLowerCase()))
      return { records: [], count: 0, at };
    const { body: pipeline } = await this.#requests.get(`/pipeline/${workflow.text('pipeline_id')}`);
    return { ...convertPipelines(this.#opening.host, [{ pipeline, workflows: [body] }]), count: 1, at };
  }

  /** With their workflows, since the list does not say how these have gone on. */
  async #pipelines(project: string, token: PageOfList['next'], { downTo = 0 }: WalkRange): Promise<PageOfList> {
    const page = await this.#list(`/project/${project}/pipeline`, token);
    return { ...page, items: await Promise.all(page.items.map((pipeline) => this.#withWorkflows(pipeline, downTo))) };
  }

  async #convert(read: readonly PipelineWorkflows[], open: UnendedThings, now: number): Promise<ConvertedItems> {
    const some = read
      .filter((one) => isOpen(one, now))
      .map(({ pipeline }) => Payload.of(pipeline, 'pipeline').text('id'));
    // The oldest first, so that the newest are those that are remembered.
    await open.add(some.toReversed());
    return convertPipelines(this.#opening.host, read);
  }

  async #rereadPipeline(id: string, now: number): Promise<ReadThing> {
    const { status, body, at } = await this.#requests.get(`/pipeline/${id}`, { alsoGood: [404] });
    if (status === 404) return { records: [], count: 0, at, isOpen: false };
    const read = await this.#withWorkflows(body);
    return { ...convertPipelines(this.#opening.host, [read]), count: 1, at, isOpen: isOpen(read, now) };
  }

  /** A pipeline with errors in its configuration has none, and is no run. Of older ones than are wanted none are asked for. */
  async #withWorkflows(pipeline: unknown, downTo = 0): Promise<PipelineWorkflows> {
    const items = await orUnknown(async () => {
      const payload = Payload.of(pipeline, 'pipeline');
      if (createdAt(payload) < downTo) return [];
      return (await readAll((token) => this.#list(workflowsPath(payload), token, [404]))).items;
    });
    if (items instanceof UnknownShape) return { pipeline, workflows: [], problem: items.message };
    return { pipeline, workflows: items };
  }

  async #list(path: string, token: PageOfList['next'], alsoGood: readonly number[] = []): Promise<PageOfList> {
    const query = typeof token === 'string' ? { 'page-token': token } : {};
    const answer = await this.#requests.get(path, { query, alsoGood });
    if (answer.status === 404) return { items: [], at: answer.at };
    return tokenPage(answer, { field: 'items', token: 'next_page_token' });
  }
}

const createdAt = (pipeline: Payload): number => secondsOf(pipeline.time('created_at'));

const workflowsPath = (pipeline: Payload): string => `/pipeline/${pipeline.text('id')}/workflow`;
const refused = [403, 404];
const hiddenPeople: NotSeen = {
  why: 'hidden',
  what: 'CircleCI names who started a run only for GitHub projects',
};
const lateReruns: NotSeen = {
  why: 'window',
  what: 'Workflows that are run again more than six hours after their pipeline was made are not seen by a sync',
  toDo: 'Make a webhook, which tells of each.',
};
const giveAccess = 'Correct the setting projects, or follow the project at CircleCI as the owner of the token';

/** Both spellings of a code host are taken: `github/acme/web` is `gh/acme/web`. */
function slugsIn(texts: readonly string[]): readonly string[] {
  return texts.map((text) => {
    const parts = text.split('/');
    if (parts.length !== 3 || !parts.every(isPathName)) {
      throw new SourceProblem(
        `'${text.slice(0, 100)}' is no project`,
        'Give each as in its address at CircleCI: gh/acme/web',
      );
    }
    return text.replace(/^github\//i, 'gh/').replace(/^bitbucket\//i, 'bb/');
  });
}

/** Jobs change nothing that is kept. */
const changedWorkflow = (payload: Payload): ChangedObject | undefined => {
  const id = payload.object('workflow').text('id');
  return isPathName(id) ? { id: `workflow@${id}`, kind: 'workflow', scope: '', reference: id } : undefined;
};

export const circleci: SourceKind = {
  kind: 'circleci',
  label: 'CircleCI',
  meaning: 'Runs of CircleCI: how long they take, how they end, and which of them deploy.',
  // CircleCI knows people by their login on the code host.
  accounts: 'github',
  settings,
  authorization: ({ token }) => ({ 'circle-token': String(token) }),
  webhook: {
    signature: { header: 'circleci-signature', prefix: 'v1=' },
    eventHeader: 'circleci-event-type',
    objectsOf: objectsByEvent({ 'workflow-completed': changedWorkflow }),
  },
  open: (opening) => new OpenCircleci(opening),
};
