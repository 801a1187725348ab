import type { Reply } from '../../jobs/failing-answers.ts';
import type { ContractCase } from '../contract/contract-case.ts';
import type { AskedRequest } from '../contract/replay-host.ts';
import { tracker } from './skeleton.ts';

interface TrackerIssue {
  id: number;
  project: string;
  title: string;
  created: string;
  updated: string;
  closed: string | null;
  assignee: { login: string } | null;
}

const now = Date.UTC(2026, 2, 31, 12) / 1_000;
const day = 86_400;
const at = (daysAgo: number): string => new Date((now - daysAgo * day) * 1_000).toISOString();
const projects = ['WEB', 'API', 'OPS'];
const pageSize = 3;

/** Ten issues of each project, the oldest sixty days old. */
const makeWorld = (): TrackerIssue[] =>
  projects.flatMap((project, p) =>
    Array.from({ length: 10 }, (_, i) => ({
      id: 100 * (p + 1) + i,
      project,
      title: `Issue ${i}`,
      created: at(6 * (i + 1)),
      updated: at(6 * (i + 1) - 1),
      closed: i % 2 === 0 ? at(6 * (i + 1) - 1) : null,
      assignee: i % 3 === 0 ? { login: 'ada' } : null,
    })),
  );

/** A list of projects by offset, issues by token, the newest update first, and one issue by its number. */
function answer(world: TrackerIssue[], { path, query, headers }: AskedRequest): Reply {
  if (headers['x-api-key'] !== skeletonCase.secrets.token) return { status: 401, body: {} };
  if (path === '/projects') {
    const offset = Number(query.get('offset'));
    const some = projects.slice(offset, offset + 2).map((key) => ({ key }));
    return { status: 200, body: { projects: some, total: projects.length } };
  }
  const [, id] = /^\/issues\/(\d+)$/.exec(path) ?? [];
  const found = world.find((issue) => issue.id === Number(id));
  if (id !== undefined) return found ? { status: 200, body: shown(found) } : { status: 404, body: {} };
  const [, project] = /^\/projects\/(\w+)\/issues$/.exec(path) ?? [];
  const issues = world.filter((issue) => issue.project === project).sort((a, b) => (a.updated < b.updated ? 1 : -1));
  // A token is the last issue of the page before: what moves meanwhile shifts no page.
  const after = query.get('page_token');
  const start = after === null ? 0 : issues.findIndex(({ updated }) => updated < after);
  const page = start === -1 ? [] : issues.slice(start, start + pageSize);
  const isMore = start + pageSize < issues.length;
  return { status: 200, body: { issues: page.map(shown), next_page_token: isMore ? page.at(-1)?.updated : '' } };
}

const shown = ({ project, ...issue }: TrackerIssue) => ({ ...issue, key: `${project}-${issue.id}` });

const issueIn = (world: TrackerIssue[], id: number): TrackerIssue => {
  const found = world.find((issue) => issue.id === id);
  if (!found) throw new Error(`there is no issue ${id}`);
  return found;
};

export const skeletonCase: ContractCase<TrackerIssue[]> = {
  kind: tracker,
  settings: {},
  secrets: { token: 'token-of-nobody-in-particular' },
  now,
  makeWorld,
  answer,
  table: 'issues',
  orderedBy: 'created_at',
  rows: 30,
  // The list of projects in two pages, and the first page of each.
  maxQuietRequests: 5,
  changes: {
    'a new issue': {
      make: (world) => world.push({ ...issueIn(world, 100), id: 150, created: at(0), updated: at(0), closed: null }),
      rows: 31,
    },
    'an old issue that is closed': {
      make: (world) => Object.assign(issueIn(world, 209), { closed: at(0), updated: at(0) }),
      rows: 30,
    },
    'an issue of this month that is gone': {
      make: (world) => world.splice(world.indexOf(issueIn(world, 100)), 1),
      rows: 29,
    },
    'an issue that arrives late': {
      make: (world) => world.push({ ...issueIn(world, 301), id: 350, created: at(0.02), updated: at(0.02) }),
      rows: 31,
    },
  },
  broken: { isAsked: ({ path }) => path.includes('/API/'), minRows: 20 },
  changed: {
    object: { id: 'issue@104', kind: 'issue', scope: '', reference: '104' },
    remove: (world) => world.splice(world.indexOf(issueIn(world, 104)), 1),
  },
};
