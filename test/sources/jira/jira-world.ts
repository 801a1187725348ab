import type { Reply } from '../../jobs/failing-answers.ts';
import type { AskedRequest } from '../contract/replay-host.ts';

/** A Jira as a test has it. Times are seconds since 1970. */
export interface JiraWorld {
  readonly isCloud: boolean;
  readonly projects: { id: string; key: string; name: string }[];
  readonly statuses: { id: string; name: string; category: string; projectId?: string }[];
  readonly issues: WorldIssue[];
  /** Issues on a page of a search, and comments that a search gives of each. */
  readonly pageSize: number;
  readonly commentsInSearch: number;
  /** Jira Cloud forgets tokens of pages after a while. */
  hasForgotten?: boolean;
}

export interface WorldIssue {
  id: string;
  key: string;
  projectId: string;
  type: string;
  created: number;
  updated: number;
  statusId: string;
  resolved: number | null;
  changes: { at: number; field: string; from: string; to: string; fromName?: string }[];
  comments: { id: string; at: number; body: unknown }[];
  fields: Record<string, unknown>;
}

export const jiraNow = Date.UTC(2026, 2, 31, 12) / 1_000;
export const jiraToken = 'token-of-nobody-in-particular';
export const jiraEmail = 'reader@acme.example';
/** The account is in Kathmandu, which is always 5 hours and 45 minutes ahead. */
const zone = { name: 'Asia/Kathmandu', seconds: 5.75 * 3_600 };

const isoIn = (seconds: number): string => `${new Date(seconds * 1_000).toISOString().slice(0, -1)}+0000`;

export function jiraAnswer(world: JiraWorld, asked: AskedRequest): Reply {
  const { path, query, headers, body } = asked;
  const basic = `Basic ${Buffer.from(`${jiraEmail}:${jiraToken}`).toString('base64')}`;
  if (headers.authorization !== (world.isCloud ? basic : `Bearer ${jiraToken}`)) return { status: 401, body: {} };
  if (path === '/rest/api/2/serverInfo') {
    return ok({ deploymentType: world.isCloud ? 'Cloud' : 'Server', baseUrl: 'https://jira.acme.example' });
  }
  const api = world.isCloud ? '/rest/api/3' : '/rest/api/2';
  if (!path.startsWith(`${api}/`)) return { status: 404, body: {} };
  const [what = '', id = '', part] = path.slice(api.length + 1).split('/');
  const fields = (text: unknown) => new Set(Array.isArray(text) ? (text as string[]) : String(text ?? '').split(','));
  const shown = (issue: WorldIssue, names: unknown, hasHistory: boolean) =>
    shownIssue(world, issue, { names: fields(names), hasHistory, comments: world.commentsInSearch });
  switch (`${what}${id === '' ? '' : `/${/^\d+$/.test(id) ? '*' : id}`}${part === undefined ? '' : `/${part}`}`) {
    case 'myself':
      return ok({ ...person('reader'), timeZone: zone.name });
    case 'field':
      return ok(jiraFields);
    case 'status':
      return ok(world.statuses.map(shownStatus));
    case 'issuetype':
      return ok(['Story', 'Bug', '[System] Incident'].map((name) => ({ id: '1', name })));
    case 'mypermissions':
      return ok({ permissions: { BROWSE_PROJECTS: { havePermission: true } } });
    case 'project':
      return world.isCloud ? { status: 410, body: {} } : ok(world.projects);
    case 'project/search': {
      const startAt = Number(query.get('startAt'));
      return ok({ values: world.projects.slice(startAt, startAt + 2), isLast: startAt + 2 >= world.projects.length });
    }
    case 'project/*/components':
      return ok([{ id: '7', name: 'Checkout' }]);
    case 'search/jql': {
      const { jql, fields: names, nextPageToken: token } = body as Record<string, string>;
      const found = foundBy(world, jql ?? '');
      if (!found || (token !== undefined && world.hasForgotten)) return { status: 400, body: {} };
      // A token is the last issue of the page before: what moves meanwhile shifts no page.
      const [updated, last] = JSON.parse(token ?? '[null]') as [number | null, string];
      const start = updated === null ? 0 : found.findIndex((one) => isBelow(one, updated, last));
      const page = start === -1 ? [] : found.slice(start, start + world.pageSize);
      const end = page.at(-1);
      const isLast = end === undefined || end === found.at(-1);
      const next = isLast ? { isLast } : { isLast, nextPageToken: JSON.stringify([end.updated, end.id]) };
      return ok({ issues: page.map((issue) => shown(issue, names, false)), ...next });
    }
    case 'search': {
      const found = world.isCloud ? undefined : foundBy(world, query.get('jql') ?? '');
      if (!found) return { status: world.isCloud ? 410 : 400, body: {} };
      const startAt = Number(query.get('startAt'));
      const page = found.slice(startAt, startAt + world.pageSize);
      const hasHistory = query.get('expand') === 'changelog';
      const issues = page.map((issue) => shown(issue, query.get('fields'), hasHistory));
      return ok({ startAt, maxResults: world.pageSize, total: found.length, issues });
    }
    case 'changelog/bulkfetch': {
      const { issueIdsOrKeys: ids, nextPageToken: token } = body as {
        issueIdsOrKeys: string[];
        nextPageToken?: string;
      };
      const chosen = world.issues.filter((issue) => ids.includes(issue.id));
      const all = chosen.flatMap((issue) => issue.changes.map((change, i) => ({ issue, history: history(change, i) })));
      const start = Number(token ?? 0);
      // One page may have a part of the history of an issue.
      const page = all.slice(start, start + 5);
      const issueChangeLogs = page.map(({ issue, history: { created, ...rest } }) => ({
        issueId: issue.id,
        changeHistories: [{ ...rest, created: Date.parse(created) }],
      }));
      return ok({ issueChangeLogs, nextPageToken: start + 5 < all.length ? String(start + 5) : null });
    }
    case 'issue/*': {
      const issue = world.issues.find((each) => each.id === id);
      if (!issue) return { status: 404, body: {} };
      return ok(shown(issue, query.get('fields'), query.get('expand') === 'changelog'));
    }
    case 'issue/*/comment': {
      const issue = world.issues.find((each) => each.id === id);
      if (!issue) return { status: 404, body: {} };
      const startAt = Number(query.get('startAt'));
      const comments = issue.comments.slice(startAt, startAt + 2).map(shownComment);
      return ok({ startAt, total: issue.comments.length, comments });
    }
    default:
      return { status: 404, body: {} };
  }
}

const ok = (body: unknown): Reply => ({ status: 200, body });

const isBelow = (issue: WorldIssue, updated: number, id: string): boolean =>
  issue.updated < updated || (issue.updated === updated && Number(issue.id) < Number(id));

/** JQL as it is asked here, read independently; undefined for what Jira refuses. */
function foundBy({ issues, projects }: JiraWorld, jql: string): WorldIssue[] | undefined {
  const [, wanted = '', order] = /^(.*) ORDER BY (.*)$/.exec(jql) ?? [];
  if (order !== 'updated DESC, key DESC') return undefined;
  let found = [...issues];
  for (const clause of wanted.split(' AND ')) {
    const [, project] = /^project = (\d+)$/.exec(clause) ?? [];
    const [, types] = /^issuetype in \((.*)\)$/.exec(clause) ?? [];
    const [, time] = /^updated >= "(\d{4}\/\d\d\/\d\d \d\d:\d\d)"$/.exec(clause) ?? [];
    if (project !== undefined) {
      if (!projects.some(({ id }) => id === project)) return undefined;
      found = found.filter(({ projectId }) => projectId === project);
    } else if (types !== undefined) found = found.filter(({ type }) => types.includes(`"${type}"`));
    else if (time !== undefined) {
      const from = Date.parse(`${time.replaceAll('/', '-').replace(' ', 'T')}:00Z`) / 1_000 - zone.seconds;
      found = found.filter(({ updated }) => updated >= from);
    } else return undefined;
  }
  return found.sort((one, other) => other.updated - one.updated || Number(other.id) - Number(one.id));
}

/** The account of somebody: addresses are hidden in the cloud. */
const person = (name: string) => ({ displayName: name.toUpperCase(), name, active: true });
export const cloudPerson = (name: string, more: object = {}) => ({
  accountId: `5b10:${name}`,
  accountType: 'atlassian',
  displayName: name.toUpperCase(),
  ...more,
});

export const jiraFields = [
  { id: 'summary', name: 'Summary', schema: { type: 'string', system: 'summary' } },
  { id: 'customfield_10016', name: 'Story point estimate', schema: { type: 'number' } },
  {
    id: 'customfield_10020',
    name: 'Sprint',
    schema: { type: 'array', custom: 'com.pyxis.greenhopper.jira:gh-sprint' },
  },
  { id: 'customfield_10028', name: 'Story Points', schema: { type: 'number' } },
  { id: 'customfield_10030', name: 'Story Points', schema: { type: 'string' } },
  { id: 'customfield_10040', name: 'Affected services', schema: { type: 'array' } },
];

const shownStatus = ({ id, name, category, projectId }: JiraWorld['statuses'][number]) => ({
  id,
  name,
  statusCategory: { id: 1, key: category },
  ...(projectId && { scope: { type: 'PROJECT', project: { id: projectId } } }),
});

const history = ({ at, field, from, to, fromName }: WorldIssue['changes'][number], i: number) => ({
  id: String(500 + i),
  created: isoIn(at),
  items: [{ field, fieldId: field, fieldtype: 'jira', from, fromString: fromName ?? null, to, toString: null }],
});

const shownComment = ({ id, at, body }: WorldIssue['comments'][number]) => ({
  id,
  author: cloudPerson('grace'),
  body,
  created: isoIn(at),
  updated: isoIn(at),
});

interface Shown {
  readonly names: ReadonlySet<string>;
  readonly hasHistory: boolean;
  readonly comments: number;
}

export function shownIssue(world: JiraWorld, issue: WorldIssue, { names, hasHistory, comments }: Shown) {
  const status = world.statuses.find(({ id }) => id === issue.statusId);
  const fields: Record<string, unknown> = {
    summary: `Issue ${issue.id}`,
    issuetype: { id: '1', name: issue.type },
    status: status && shownStatus(status),
    project: world.projects.find(({ id }) => id === issue.projectId),
    created: isoIn(issue.created),
    updated: isoIn(issue.updated),
    resolutiondate: issue.resolved === null ? null : isoIn(issue.resolved),
    labels: ['web'],
    comment: {
      comments: issue.comments.slice(0, comments).map(shownComment),
      total: issue.comments.length,
      maxResults: comments,
      startAt: 0,
    },
    ...issue.fields,
  };
  // Jira lists the newest change first, here and there.
  const histories = issue.changes.map(history).reverse();
  return {
    id: issue.id,
    key: issue.key,
    fields: Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name))),
    ...(hasHistory && { changelog: { startAt: 0, total: histories.length, histories } }),
  };
}
