import { gitlab } from '../../../src/sources/gitlab/gitlab.ts';
import type { ContractCase } from '../contract/contract-case.ts';
import {
  commit,
  daysAgo,
  type GitlabWorld,
  gitlabAnswer,
  gitlabNow,
  gitlabToken,
  type Item,
  note,
  type ProjectWorld,
  someDeployment,
  someIssue,
  someMergeRequest,
  somePipeline,
  someProject,
  someRelease,
  systemNote,
  user,
} from './gitlab-world.ts';

/** Two projects with half a year of everything, a fork and an archived one. */
export function makeGitlabWorld(): GitlabWorld {
  const web = someProject(101, 'acme/web', { merge_trains_enabled: true });
  web.lists.merge_requests.push(
    someMergeRequest(6, 0.5, { state: 'opened', draft: true }),
    someMergeRequest(5, 2),
    someMergeRequest(4, 9, { state: 'closed' }),
    someMergeRequest(3, 40),
    someMergeRequest(2, 90),
    someMergeRequest(1, 180),
  );
  web.parts['merge_requests/5/notes'] = [
    systemNote(51, 2.2, 'ada', 'marked this merge request as **ready**'),
    note(52, 2.15, 'grace', 'Why so?', { type: 'DiffNote', position: { new_path: 'src/one.ts' } }),
    note(53, 2.14, 'ada', 'Because.'),
    systemNote(54, 2.1, 'grace', 'approved this merge request'),
  ];
  web.parts['merge_requests/5/commits'] = [commit('5a'.repeat(20), 2.4), commit('5c'.repeat(20), 2.3)];
  web.parts['merge_requests/2/commits'] = [commit('2a'.repeat(20), 91)];
  web.cars['5'] = { id: 1, created_at: daysAgo(2.05), merge_request: { iid: 5 } };
  web.lists.environments.push({ id: 1, name: 'live-eu', tier: 'production' }, { id: 2, name: 'qa', tier: 'testing' });
  web.lists.deployments.push(
    someDeployment(301, 1.9),
    someDeployment(302, 1, { status: 'failed', environment: { id: 2, name: 'qa' } }),
    someDeployment(303, 0.1, { status: 'running' }),
    someDeployment(300, 39),
  );
  web.parts['deployments/301/merge_requests'] = [{ iid: 5, project_id: 101 }];
  web.lists.releases.push(someRelease('v1.1', 1.8), someRelease('v1.0', 60));
  web.lists.issues.push(
    someIssue(1, 3, { user_notes_count: 1, labels: ['incident'] }),
    someIssue(2, 50, { state: 'closed', closed_at: daysAgo(50) }),
  );
  web.parts['issues/1/notes'] = [note(71, 3, 'grace', 'It is down.'), systemNote(72, 3, 'ada', 'assigned to @ada')];
  web.lists.pipelines.push(
    somePipeline(31, 1.9),
    somePipeline(32, 0.3, { status: 'running' }),
    somePipeline(33, 5, { source: 'parent_pipeline' }),
    somePipeline(30, 45, { status: 'failed', ref: 'refs/merge-requests/3/head', source: 'merge_request_event' }),
  );
  const api = someProject(102, 'acme/shop/api');
  api.lists.merge_requests.push(someMergeRequest(2, 4), someMergeRequest(1, 70));
  const others = [
    someProject(103, 'acme/fork', { forked_from_project: { id: 1 } }),
    someProject(104, 'acme/old', { archived: true }),
  ];
  return {
    projects: [web, api, ...others],
    groups: [
      { id: 10, full_path: 'acme', full_name: 'Acme', members: [user('ada'), user('grace')] },
      { id: 11, full_path: 'acme/shop', full_name: 'Acme / Shop', members: [user('linus')] },
    ],
    refused: [],
    hasGraphql: true,
    maxPage: 3,
    scopes: ['read_api'],
  };
}

const webOf = (world: GitlabWorld): ProjectWorld => {
  const [web] = world.projects;
  if (!web) throw new Error('there is no project');
  return web;
};

const itemOf = (world: GitlabWorld, list: keyof ProjectWorld['lists'], key: string, value: unknown): Item => {
  const found = webOf(world).lists[list].find((item) => item[key] === value);
  if (!found) throw new Error(`there is no ${key} ${value} among ${list}`);
  return found;
};

const without = (list: keyof ProjectWorld['lists'], key: string, value: unknown) => (world: GitlabWorld) => {
  const items = webOf(world).lists[list];
  items.splice(items.indexOf(itemOf(world, list, key, value)), 1);
};

export const gitlabCase: ContractCase<GitlabWorld> = {
  kind: gitlab,
  settings: { group: 'acme', incident_labels: ['incident'] },
  secrets: { token: gitlabToken },
  now: gitlabNow,
  makeWorld: makeGitlabWorld,
  answer: gitlabAnswer,
  table: 'pull_requests',
  orderedBy: 'pr_created_at',
  rows: 8,
  // Two pages of projects, six of members, and the first page of five lists of each project; two of releases.
  maxQuietRequests: 18,
  changes: {
    'a new merge request': {
      make: (world) => webOf(world).lists.merge_requests.push(someMergeRequest(7, 0, { state: 'opened' })),
      rows: 9,
    },
    'an old one that is approved and merged': {
      make: (world) => {
        Object.assign(itemOf(world, 'merge_requests', 'iid', 4), {
          state: 'merged',
          merged_at: daysAgo(0),
          updated_at: daysAgo(0),
        });
        webOf(world).parts['merge_requests/4/notes'] = [systemNote(41, 0, 'grace', 'approved this merge request')];
      },
      rows: 8,
    },
    'a commit that is pushed away': {
      make: (world) => {
        itemOf(world, 'merge_requests', 'iid', 5).updated_at = daysAgo(0);
        webOf(world).parts['merge_requests/5/commits']?.splice(0, 1);
      },
      rows: 8,
    },
    'a merge request that is deleted': { make: without('merge_requests', 'iid', 5), rows: 7 },
    'a release that is deleted': { make: without('releases', 'tag_name', 'v1.0'), rows: 8 },
    'a deployment that ends': {
      make: (world) =>
        Object.assign(itemOf(world, 'deployments', 'id', 303), { status: 'success', updated_at: daysAgo(0) }),
      rows: 8,
    },
    'an issue that loses its label': {
      make: (world) => Object.assign(itemOf(world, 'issues', 'iid', 1), { labels: [], updated_at: daysAgo(0) }),
      rows: 8,
    },
    'a pipeline that arrives late': {
      make: (world) => webOf(world).lists.pipelines.push(somePipeline(34, 0.02)),
      rows: 8,
    },
  },
  broken: { isAsked: ({ path }) => path.startsWith('/api/v4/projects/102/'), minRows: 6 },
  changed: {
    object: { id: 'merge_request@101:"3"', kind: 'merge_request', scope: '101', reference: '3' },
    remove: without('merge_requests', 'iid', 3),
  },
};
