import { jira } from '../../../src/sources/jira/jira.ts';
import { jiraOperations } from '../../../src/sources/jira/jira-operations.ts';
import type { ContractCase } from '../contract/contract-case.ts';
import {
  cloudPerson,
  type JiraWorld,
  jiraAnswer,
  jiraEmail,
  jiraNow,
  jiraToken,
  type WorldIssue,
} from './jira-world.ts';

const day = 86_400;
export const ago = (days: number): number => Math.floor(jiraNow - days * day);

export const someProjects = [
  { id: '10000', key: 'WEB', name: 'Web shop' },
  { id: '10001', key: 'API', name: 'Interface' },
  { id: '10002', key: 'OPS', name: 'Operations' },
];

export const someStatuses = [
  { id: '1', name: 'To Do', category: 'new' },
  { id: '3', name: 'In Progress', category: 'indeterminate' },
  { id: '5', name: 'In Review', category: 'indeterminate' },
  { id: '6', name: 'Done', category: 'done' },
];

export function someIssue(number: number, created: number, more: Partial<WorldIssue> = {}): WorldIssue {
  const project = someProjects[number % 3] ?? { id: '', key: '' };
  const [startedAt, doneAt] = [created + day / 4, created + day / 2];
  return {
    id: String(20_000 + number),
    key: `${project.key}-${number}`,
    projectId: project.id,
    type: number % 4 === 0 ? '[System] Incident' : 'Story',
    created,
    updated: doneAt,
    statusId: '6',
    resolved: doneAt,
    changes: [
      { at: startedAt, field: 'status', from: '1', to: '3' },
      { at: doneAt, field: 'status', from: '3', to: '6' },
    ],
    comments: [1, 2, 3].map((i) => ({ id: `${number}${i}`, at: created + i * 60, body: `Comment ${i}` })),
    fields: { assignee: cloudPerson('ada'), priority: { name: 'High' }, customfield_10028: 3 },
    ...more,
  };
}

const isOpen: Partial<WorldIssue> = { statusId: '1', resolved: null, changes: [] };

/** Twenty-four issues of three projects within two years. */
const makeWorld =
  (isCloud: boolean, pageSize = 3) =>
  (): JiraWorld => ({
    isCloud,
    projects: [...someProjects],
    statuses: [...someStatuses],
    issues: [1, 2, 3, 5, 7, 9, 11, 13, 16, 19, 22, 26, 29, 33, 36, 40, 50, 60, 90, 120, 200, 300, 500, 700].map(
      (days, number) => someIssue(number, ago(days), number % 5 === 0 ? isOpen : {}),
    ),
    pageSize,
    commentsInSearch: 2,
  });

export const issueIn = ({ issues }: JiraWorld, number: number): WorldIssue => {
  const found = issues.find(({ id }) => id === String(20_000 + number));
  if (!found) throw new Error(`there is no issue ${number}`);
  return found;
};

const lose = (world: JiraWorld, number: number): void =>
  void world.issues.splice(world.issues.indexOf(issueIn(world, number)), 1);

const changed: ContractCase<JiraWorld>['changed'] = {
  object: { id: 'issue@20004', kind: 'issue', scope: '', reference: '20004' },
  remove: (world) => lose(world, 4),
};

const broken = ({ path, query, body }: { path: string; query: URLSearchParams; body: unknown }): boolean =>
  path.includes('/search') && `${query.get('jql')} ${JSON.stringify(body)}`.includes('project = 10001');

const moveToApi = (world: JiraWorld, number: number): void => {
  Object.assign(issueIn(world, number), { key: 'API-900', projectId: '10001', updated: ago(0) });
};

const shared = { secrets: { token: jiraToken }, now: jiraNow, answer: jiraAnswer, changed };

const issuesCase = (isCloud: boolean): ContractCase<JiraWorld> => ({
  ...shared,
  kind: jira,
  settings: { ...(isCloud && { email: jiraEmail }), incident_types: ['[System] Incident'] },
  makeWorld: makeWorld(isCloud),
  table: 'issues',
  orderedBy: 'created_at',
  rows: 24,
  // What the site is, its projects, and of each project what has changed and the ids of three pages.
  maxQuietRequests: 4 + 2 + 3 * (1 + 4),
  changes: {
    'a new issue': { make: ({ issues }) => issues.push(someIssue(90, ago(0.51), { updated: ago(0.01) })), rows: 25 },
    'an old issue that is done': {
      make: (world) =>
        Object.assign(issueIn(world, 20), {
          ...someIssue(20, ago(200)),
          updated: ago(0),
          changes: [{ at: ago(0), field: 'status', from: '1', to: '6' }],
        }),
      rows: 24,
    },
    'an issue that is opened again': {
      make: (world) => {
        const issue = issueIn(world, 22);
        issue.changes.push({ at: ago(0), field: 'status', from: '6', to: '3' });
        Object.assign(issue, { statusId: '3', resolved: null, updated: ago(0) });
      },
      rows: 24,
    },
    'an issue of last year that is gone': { make: (world) => lose(world, 21), rows: 23 },
    'an issue that moves to another project': { make: (world) => moveToApi(world, 3), rows: 24 },
    'a comment that is gone, of an issue that has changed': {
      make: (world) => Object.assign(issueIn(world, 1), { updated: ago(0) }).comments.pop(),
      rows: 24,
    },
    'a project with another key': {
      make: ({ projects }) => projects.splice(0, 1, { id: '10000', key: 'SHOP', name: 'Web shop' }),
      rows: 24,
    },
    'a status that counts as another': {
      make: ({ statuses }) => statuses.splice(1, 1, { id: '3', name: 'In Progress', category: 'new' }),
      rows: 24,
    },
    'an issue that arrives late': {
      make: ({ issues }) => issues.push(someIssue(91, ago(1), { updated: ago(0.03) })),
      rows: 25,
    },
    'an incident that becomes a story': {
      make: (world) => {
        const issue = issueIn(world, 8);
        issue.changes.push({ at: ago(0), field: 'issuetype', from: '7', to: '8', fromName: '[System] Incident' });
        Object.assign(issue, { type: 'Story', updated: ago(0) });
      },
      rows: 24,
    },
  },
  broken: { isAsked: broken, minRows: 16 },
});

export const jiraCloudCase: ContractCase<JiraWorld> = { ...issuesCase(true), form: 'Cloud' };
const dataCenter = issuesCase(false);
/** What is read in another way than in the cloud. */
const changesThere = [
  'an issue that is opened again',
  'an issue of last year that is gone',
  'a project with another key',
];

export const jiraDataCenterCase: ContractCase<JiraWorld> = {
  ...dataCenter,
  form: 'Data Center',
  changes: Object.fromEntries(Object.entries(dataCenter.changes).filter(([name]) => changesThere.includes(name))),
};

export const jiraOperationsCase: ContractCase<JiraWorld> = {
  ...shared,
  kind: jiraOperations,
  settings: {
    email: jiraEmail,
    projects: ['web', 'API', 'OPS'],
    incident_types: ['[System] Incident'],
    service_repositories: ['Web shop=acme/web'],
  },
  makeWorld: makeWorld(true, 1),
  table: 'incidents',
  orderedBy: 'opened_at',
  rows: 6,
  maxQuietRequests: 4 + 2 + 3 * 3,
  changes: {
    'a new incident': {
      make: ({ issues }) => issues.push(someIssue(92, ago(0.5), { ...isOpen, updated: ago(0) })),
      rows: 7,
    },
    'the end of an old one': {
      make: (world) => Object.assign(issueIn(world, 20), { statusId: '6', resolved: ago(0), updated: ago(0) }),
      rows: 6,
    },
    'an incident that is gone': { make: (world) => lose(world, 16), rows: 5 },
    'an incident that is only a story': {
      make: (world) => {
        const issue = issueIn(world, 12);
        issue.changes.push({ at: ago(0), field: 'issuetype', from: '7', to: '8', fromName: '[System] Incident' });
        Object.assign(issue, { type: 'Story', updated: ago(0) });
      },
      rows: 5,
    },
  },
  broken: { isAsked: broken, minRows: 3 },
};
