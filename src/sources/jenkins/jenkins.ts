import { secondsOfDay } from '../../calendar.ts';
import { basicAuthorization } from '../authorization.ts';
import type { Requests } from '../host-port.ts';
import type { NotSeen } from '../not-seen.ts';
import { offsetPage, type PageOfList } from '../paging.ts';
import { Payload } from '../payload.ts';
import type {
  ChangedObject,
  Check,
  OpenSource,
  Page,
  PickableItem,
  SourceKind,
  SourceOpening,
  Stream,
} from '../source.ts';
import { SourceProblem } from '../source.ts';
import {
  addressField,
  allowHostsField,
  keepFreeField,
  repositoryByName,
  sinceField,
  tokenField,
} from '../source-settings.ts';
import { newestFirstStream } from '../streams/newest-first-stream.ts';
import { type DeliveryReader, objectsIn } from '../webhooks.ts';
import { type BuildContext, buildId, convertBuilds, startOf } from './convert.ts';

const settings: SourceKind['settings'] = [
  addressField('address of Jenkins, such as https://jenkins.acme.example'),
  { name: 'user', label: 'User', meaning: 'the user whose API token it is', type: 'text', isRequired: true },
  tokenField('API token', 'API token of the user'),
  {
    name: 'jobs',
    label: 'Jobs',
    meaning: 'whose builds are read, by full name, a folder for all that is in it (all that the user sees when unset)',
    type: 'list',
    isPicked: true,
  },
  {
    name: 'job_repositories',
    label: 'Repositories of jobs',
    meaning:
      'which repository a job or folder is of, team/web=owner/name, where builds do not say what they checked out',
    type: 'list',
    isRepositoryMap: true,
  },
  sinceField('build that began'),
  keepFreeField,
  allowHostsField,
];

/** The list says how each build has gone on: builds of the last week are looked at again. */
const rereadSeconds = 7 * 86_400;
const pageSize = 100;
/** So many jobs are tried one by one. */
const maxJobsChecked = 50;
/** Without a tree Jenkins gives numbers alone. */
const buildFields =
  'number,timestamp,duration,result,building,url,actions[_class,causes[_class,userId],remoteUrls,lastBuiltRevision[SHA1,branch[name]]]';
/** Folders within folders that one request lists; what lies deeper is asked for by itself. */
const foldersAtOnce = 4;
const jobFields = (depth: number): string => `jobs[fullName${depth === 0 ? '' : `,${jobFields(depth - 1)}`}]`;
const jobTree = jobFields(foldersAtOnce);

/** The jobs of a server, and how their builds are asked for. */
class OpenJenkins implements OpenSource {
  readonly #requests: Requests;
  readonly #host: string;
  readonly #settings: SourceOpening['settings'];
  readonly #repositoryOf: BuildContext['repositoryOf'];

  constructor({ requests, host, settings: values }: SourceOpening) {
    this.#requests = requests;
    this.#host = host;
    this.#settings = values;
    this.#repositoryOf = repositoryByName(values.job_repositories);
  }

  async check(): Promise<Check> {
    const { jobs, missing, at } = await this.#chosenJobs();
    const unread: string[] = [];
    for (const job of jobs.slice(0, maxJobsChecked)) {
      const { status } = await this.#requests.get(pathOf(job), { ...newestOf(1), alsoGood: refused });
      if (status >= 300) unread.push(job);
    }
    return {
      account: String(this.#settings.user),
      sees: [`${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'}`],
      missing: [
        ...missing.map((name) => `${unseenJob(name)}. ${giveAccess}`),
        ...(jobs.length === 0 ? [`The user sees no job. ${giveAccess}`] : []),
        ...unread.map((job) => `Builds of ${job} cannot be read. ${giveAccess}`),
      ],
      clockDifferenceSeconds: at - Math.floor(Date.now() / 1_000),
    };
  }

  async choices(): Promise<readonly PickableItem[]> {
    const { all } = await this.#chosenJobs();
    return all.map((job) => ({ value: job }));
  }

  async *streams(): AsyncIterable<Stream> {
    const { jobs, missing } = await this.#chosenJobs();
    if (jobs.length === 0) throw new SourceProblem('The user sees no job that is to be read', `${giveAccess}.`);
    const { since, job_repositories: repositories } = this.#settings;
    const unseen = missing.map((name) => ({ why: 'right', what: unseenJob(name), toDo: `${giveAccess}.` }) as const);
    for (const job of jobs) {
      yield newestFirstStream({
        id: `builds@${job}`,
        name: 'builds',
        scope: job,
        feeds: ['workflow_runs'],
        rereadSeconds,
        readFrom: typeof since === 'string' ? secondsOfDay(since) : undefined,
        notSeen: [deletedBuilds, longBuilds, ...unseen],
        basis: JSON.stringify(repositories ?? null),
        ask: (next) => this.#builds(job, Number(next ?? 0)),
        timeOf: (build) => Math.floor(startOf(build)),
        convert: (builds) => convertBuilds(this.#contextOf(job), builds),
      });
    }
  }

  async reread({ reference }: Pick<ChangedObject, 'reference'>): Promise<Page> {
    const named = Payload.of(reference, 'build');
    const [job, number] = [named.text('job'), named.integer('number')];
    const asked = { query: { tree: buildFields }, alsoGood: [404] };
    const { status, body, at } = await this.#requests.get(pathOf(job, `/${number}`), asked);
    const gone = [{ workflow_run_id: buildId(this.#host, job, number), _deleted: true }];
    if (status === 404) return { records: [{ table: 'workflow_runs', records: gone }], count: 1, at };
    if (!this.#wanted().some((one) => isWithin(job, one))) return { records: [], count: 0, at };
    return { ...convertBuilds(this.#contextOf(job), [body]), count: 1, at };
  }

  #contextOf(job: string): BuildContext {
    return { host: this.#host, job, repositoryOf: this.#repositoryOf };
  }

  /** Every job is within the empty name. */
  #wanted(): readonly string[] {
    const { jobs } = this.#settings;
    return Array.isArray(jobs) ? jobs : [''];
  }

  async #chosenJobs() {
    const jobs: string[] = [];
    const at = await this.#listJobs('', jobs);
    const wanted = this.#wanted();
    return {
      all: jobs,
      jobs: jobs.filter((job) => wanted.some((one) => isWithin(job, one))),
      missing: wanted.filter((one) => one !== '' && !jobs.some((job) => isWithin(job, one))),
      at,
    };
  }

  /** Folders, projects with many branches and organisations are whatever has jobs of its own. */
  async #listJobs(folder: string, found: string[]): Promise<number> {
    const { body, at } = await this.#requests.get(pathOf(folder), { query: { tree: jobTree } });
    const deeper: string[] = [];
    const collect = (parent: Payload, depth: number): void => {
      for (const item of parent.list('jobs')) {
        if (!item.has('jobs')) found.push(item.text('fullName'));
        else if (depth > 1) collect(item, depth - 1);
        else deeper.push(item.text('fullName'));
      }
    };
    collect(Payload.of(body, 'folder'), foldersAtOnce);
    for (const name of deeper) await this.#listJobs(name, found);
    return at;
  }

  async #builds(job: string, offset: number): Promise<PageOfList> {
    const answer = await this.#requests.get(pathOf(job), newestOf(pageSize, offset));
    const count = Payload.of(answer.body, 'job').list('allBuilds').length;
    return offsetPage(answer, { field: 'allBuilds', offset, isMore: count === pageSize });
  }
}

const newestOf = (count: number, offset = 0) => ({
  query: { tree: `allBuilds[${buildFields}]{${offset},${offset + count}}` },
});

const deletedBuilds: NotSeen = { why: 'retention', what: 'Jenkins deletes old builds as each job says' };
const longBuilds: NotSeen = {
  why: 'window',
  what: 'How builds end that run for more than a week, and which are deleted by hand, is not seen by a sync',
  toDo: 'Call the webhook when a build is over.',
};

const refused = [403, 404];
const giveAccess = 'Correct the setting jobs, or give the user Overall/Read and Job/Read';
const unseenJob = (name: string): string => `The job ${name} is not seen`;

/** A job of that name, or in a folder of that name. */
const isWithin = (job: string, name: string): boolean =>
  name === '' || `${job.toLowerCase()}/`.startsWith(`${name.toLowerCase()}/`);

/** `team/web` is `/job/team/job/web`. A name that leads elsewhere is refused. */
function pathOf(name: string, below = ''): string {
  const parts = name === '' ? [] : name.split('/');
  if (!parts.every(isJobName)) {
    throw new SourceProblem(`'${name.slice(0, 100)}' is no job`, 'Give its full name, such as team/web.');
  }
  return `${parts.map((part) => `/job/${encodeURIComponent(part)}`).join('')}${below}/api/json`;
}

const isJobName = (part: string): boolean => part !== '' && part !== '.' && part !== '..';

/** As the Notification plugin writes it, or a step of a pipeline: a job with the number of its build. */
const changedBuild: DeliveryReader = (payload) => {
  const build = payload.objectOrNull('build');
  const number = (build ?? payload).integer('number');
  const job = build ? jobAt(build.text('url')) : payload.text('job');
  if (job === undefined || !job.split('/').every(isJobName)) return undefined;
  return { id: `build@${job}#${number}`, kind: 'build', scope: '', reference: { job, number } };
};

/** `job/team/job/web/7/` is a build of `team/web`. */
function jobAt(path: string): string | undefined {
  const parts = path.split('/').filter(Boolean).slice(0, -1);
  if (!parts.every((part, place) => place % 2 === 1 || part === 'job')) return undefined;
  try {
    return parts.flatMap((part, place) => (place % 2 === 1 ? decodeURIComponent(part) : [])).join('/');
  } catch {
    return undefined;
  }
}

export const jenkins: SourceKind = {
  kind: 'jenkins',
  label: 'Jenkins',
  meaning: 'Builds of Jenkins: how long they take, how they end, and which of them deploy.',
  accounts: 'own',
  settings,
  authorization: ({ user, token }) => basicAuthorization(String(user), String(token)),
  webhook: { token: 'in the address', objectsOf: objectsIn((_, payload) => changedBuild(payload)) },
  open: (opening) => new OpenJenkins(opening),
};
