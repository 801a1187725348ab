import { jenkins } from '../../../src/sources/jenkins/jenkins.ts';
import type { Reply } from '../../jobs/failing-answers.ts';
import type { ContractCase } from '../contract/contract-case.ts';
import type { AskedRequest } from '../contract/replay-host.ts';

export interface JenkinsBuild {
  number: number;
  timestamp: number;
  duration: number;
  building: boolean;
  result: string | null;
  [field: string]: unknown;
}

/** Builds of each job by its full name, the newest first. */
export type JenkinsWorld = Map<string, JenkinsBuild[]>;

export const jenkinsNow = Date.UTC(2026, 2, 31, 12) / 1_000;
export const jenkinsToken = '11token-of-nobody-in-particular';
const msPerDay = 86_400_000;

export const someBuild = (number: number, daysAgo: number, more: Partial<JenkinsBuild> = {}): JenkinsBuild => ({
  _class: 'org.jenkinsci.plugins.workflow.job.WorkflowRun',
  number,
  timestamp: jenkinsNow * 1_000 - daysAgo * msPerDay + 123,
  duration: 61_500,
  building: false,
  result: 'SUCCESS',
  url: `https://jenkins.acme.example/job/x/${number}/`,
  actions: [
    { _class: 'hudson.model.CauseAction', causes: [{ _class: 'hudson.model.Cause$UserIdCause', userId: 'ada' }] },
    {},
    {
      _class: 'hudson.plugins.git.util.BuildData',
      lastBuiltRevision: { SHA1: 'b'.repeat(40), branch: [{ name: 'refs/remotes/origin/main' }] },
      remoteUrls: ['https://github.com/acme/web.git'],
    },
  ],
  ...more,
});

export const running = { building: true, result: null, duration: 0 };

/** One job with more builds than a page has, one of a branch, one that runs, and one in five folders. */
function makeWorld(): JenkinsWorld {
  const several = (count: number, days: number, more: Partial<JenkinsBuild> = {}) =>
    Array.from({ length: count }, (_, i) => someBuild(count - i, (i + 0.1) * days, more));
  const [newest, ...others] = several(6, 9, { actions: [{}] });
  return new Map([
    ['api', several(120, 0.5)],
    ['team/web/main', [{ ...(newest ?? someBuild(6, 0)), ...running }, ...others]],
    ['team/web/feature%2Fx', several(2, 3)],
    ['a/b/c/d/e/deep', several(1, 2)],
  ]);
}

interface Listed {
  readonly fullName: string;
  readonly jobs?: readonly Listed[];
}

/** The jobs of a folder, with those of its folders as deep as is asked. */
function listedIn(world: JenkinsWorld, folder: string, depth: number): readonly Listed[] {
  const beginning = folder === '' ? '' : `${folder}/`;
  const inside = [...world.keys()].filter((name) => name.startsWith(beginning));
  const names = new Set(inside.map((name) => `${beginning}${name.slice(beginning.length).split('/')[0]}`));
  return [...names].map((fullName) => {
    if (world.has(fullName)) return { fullName };
    return { fullName, ...(depth > 1 && { jobs: listedIn(world, fullName, depth - 1) }) };
  });
}

/** Jenkins gives what the tree asks for, builds by their place. */
export function jenkinsAnswer(world: JenkinsWorld, { path, query, headers }: AskedRequest): Reply {
  const expected = `Basic ${Buffer.from(`ada:${jenkinsToken}`).toString('base64')}`;
  if (headers.authorization !== expected) return { status: 401, body: 'Unauthorized' };
  const tree = query.get('tree') ?? '';
  const [, own = '', number] = /^((?:\/job\/[^/]+)*)(?:\/(\d+))?\/api\/json$/.exec(path) ?? [];
  const name = own.split('/job/').slice(1).map(decodeURIComponent).join('/');
  const builds = world.get(name);
  if (number !== undefined) {
    const build = builds?.find((one) => one.number === Number(number));
    return build ? { status: 200, body: build } : { status: 404, body: 'Not Found' };
  }
  if (builds === undefined) {
    const depth = tree.split('jobs[').length - 1;
    const isFolder = name === '' || [...world.keys()].some((one) => one.startsWith(`${name}/`));
    return isFolder
      ? { status: 200, body: { jobs: listedIn(world, name, depth) } }
      : { status: 404, body: 'Not Found' };
  }
  const [, from, to] = /\{(\d+),(\d+)\}$/.exec(tree) ?? [];
  return { status: 200, body: { allBuilds: builds.slice(Number(from), Number(to)) } };
}

const buildsOf = (world: JenkinsWorld, job: string): JenkinsBuild[] => {
  const builds = world.get(job);
  if (!builds) throw new Error(`there is no job ${job}`);
  return builds;
};

export const jenkinsCase: ContractCase<JenkinsWorld> = {
  kind: jenkins,
  settings: { user: 'ada', job_repositories: ['team/web=acme/web'] },
  secrets: { token: jenkinsToken },
  now: jenkinsNow,
  makeWorld,
  answer: jenkinsAnswer,
  table: 'workflow_runs',
  orderedBy: 'run_created_at',
  rows: 129,
  // The folders, in two requests, and the newest builds of each job.
  maxQuietRequests: 6,
  changes: {
    'a new build': { make: (world) => buildsOf(world, 'api').unshift(someBuild(121, 0, running)), rows: 130 },
    'the end of a build': {
      make: (world) =>
        Object.assign(buildsOf(world, 'team/web/main')[0] ?? {}, {
          building: false,
          result: 'UNSTABLE',
          duration: 5_000,
        }),
      rows: 129,
    },
    'a job that is new': { make: (world) => world.set('team/new', [someBuild(1, 40)]), rows: 130 },
    'a build that arrives late': {
      make: (world) => buildsOf(world, 'team/web/feature%2Fx').splice(1, 0, someBuild(7, 2)),
      rows: 130,
    },
  },
  broken: { isAsked: ({ path }) => path.startsWith('/job/team/job/web/job/main'), minRows: 123 },
  changed: {
    object: { id: 'build@api#9', kind: 'build', scope: '', reference: { job: 'api', number: 9 } },
    remove: (world) =>
      buildsOf(world, 'api').splice(
        buildsOf(world, 'api').findIndex(({ number }) => number === 9),
        1,
      ),
  },
};
