import type { Json } from '../../catalogue/record.ts';
import type { Requests } from '../host-port.ts';
import { itemsOf, offsetPage, type PageOfList, readAll, tokenPage } from '../paging.ts';
import { convertEach, orUnknown, Payload, type UnknownShape } from '../payload.ts';
import { SourceProblem } from '../source.ts';
import type { JiraSite } from './site.ts';

const pageSize = 100;
/** So many ids are listed, newest update first, to see which issues are gone. */
const idsListed = 2_000;
const maxIdsPerPage = 1_000;

/** An issue with all of its history and comments. */
export interface WholeIssue {
  readonly issue: Payload;
  readonly histories: readonly Payload[];
  /** Null where they cannot be read any more, or are not wanted. */
  readonly comments: readonly Payload[] | null;
}

const issueFields: readonly string[] = [
  ...['summary', 'description', 'issuetype', 'status', 'priority', 'labels', 'project', 'parent', 'components'],
  ...['assignee', 'creator', 'created', 'updated', 'resolutiondate'],
];

function fieldsAsked({ fields: { storyPoints, sprint, services }, hasComments }: JiraSite): string[] {
  const comment = hasComments ? ['comment'] : [];
  return [...issueFields, ...comment, ...storyPoints, sprint, services].filter((field) => field !== undefined);
}

/** A page of the issues that a search finds. */
export function searchIssues(
  requests: Requests,
  site: JiraSite,
  jql: string,
  next: Json | undefined,
): Promise<PageOfList> {
  const asked: Search = { jql, fields: fieldsAsked(site), maxResults: pageSize };
  return site.isCloud ? cloudPage(requests, site, asked, next) : dataCenterPage(requests, site, asked, next);
}

/** The ids of what a search finds, the newest of them. */
export async function searchIds(requests: Requests, site: JiraSite, jql: string) {
  let listed = 0;
  return readAll(async (next) => {
    const asked: Search = { jql, fields: ['id'], maxResults: maxIdsPerPage };
    const page = site.isCloud
      ? await cloudPage(requests, site, asked, next)
      : await dataCenterPage(requests, site, asked, next);
    listed += page.items.length;
    const { next: further, ...last } = page;
    return listed < idsListed && further !== undefined ? page : last;
  });
}

interface Search {
  readonly jql: string;
  readonly fields: readonly string[];
  readonly maxResults: number;
}

/** Jira Cloud leads on by a token, which it may not know any more when a read goes on much later: then from the top again. */
async function cloudPage(
  requests: Requests,
  { api }: JiraSite,
  asked: Search,
  next: Json | undefined,
): Promise<PageOfList> {
  const token = typeof next === 'string' ? { nextPageToken: next } : {};
  const answer = await requests.post(`${api}/search/jql`, { ...asked, ...token }, { alsoGood: [400] });
  if (answer.status !== 400) return tokenPage(answer, { field: 'issues', token: 'nextPageToken' });
  if (next !== undefined) return cloudPage(requests, { api } as JiraSite, asked, undefined);
  throw notSearchable();
}

/** Where a page of Data Center begins, and the issue that stood there when the page before it was read. */
interface PlaceInList {
  readonly startAt: number;
  readonly last: string;
}

/**
 * Data Center counts by place. Where something before is deleted, everything moves up: so a page begins with the last issue
 * of the page before it, and where that is not on it any more, a page of issues is read again.
 */
async function dataCenterPage(
  requests: Requests,
  { api }: JiraSite,
  asked: Search,
  next: Json | undefined,
): Promise<PageOfList> {
  const place = next as unknown as PlaceInList | undefined;
  const read = async (startAt: number): Promise<PageOfList> => {
    const { jql, fields, maxResults } = asked;
    const isWhole = fields.length > 1 ? { expand: 'changelog' } : {};
    const answer = await requests.get(`${api}/search`, {
      query: { jql, startAt, maxResults, fields: fields.join(','), ...isWhole },
      alsoGood: [400],
    });
    if (answer.status === 400) throw notSearchable();
    const total = Payload.of(answer.body, 'list of issues').integer('total');
    const { items } = offsetPage(answer, { field: 'issues', offset: startAt, isMore: false });
    const last = items.length > 0 ? idOf(items.at(-1)) : undefined;
    const end = startAt + items.length;
    const isMore = end < total && last !== undefined && items.length > 1;
    return { items, at: answer.at, total, ...(isMore && { next: { startAt: end - 1, last } }) };
  };
  const page = await read(place?.startAt ?? 0);
  const others = page.items.filter((item) => idOf(item) !== place?.last);
  const hasMoved = place !== undefined && others.length === page.items.length;
  return hasMoved ? read(Math.max(0, place.startAt - asked.maxResults)) : { ...page, items: others };
}

/** Undefined where the item is of an unknown shape, which its conversion tells. */
const idOf = (item: unknown): string | undefined =>
  convertEach([item], (each) => Payload.of(each, 'issue').id('id')).records[0];

const notSearchable = (): SourceProblem =>
  new SourceProblem(
    'Jira does not search here (400)',
    'See that the account has the permission Browse Projects, and that the settings name what there is.',
    { isRefused: true },
  );

/** What a search leaves out of its issues. One of an unknown shape takes the place of its problem. */
export async function wholeIssues(
  requests: Requests,
  site: JiraSite,
  items: readonly unknown[],
): Promise<readonly (WholeIssue | UnknownShape)[]> {
  const ids = items.flatMap((item) => idOf(item) ?? []);
  const histories = site.isCloud && ids.length > 0 ? await historiesOf(requests, site, ids) : undefined;
  const whole: (WholeIssue | UnknownShape)[] = [];
  for (const item of items) {
    whole.push(
      await orUnknown(async () => {
        const issue = Payload.of(item, 'issue');
        const history = histories ? (histories.get(issue.id('id')) ?? []) : await historyIn(requests, site, issue);
        return { issue, histories: history, comments: await commentsOf(requests, site, issue) };
      }),
    );
  }
  return whole;
}

/** Of many issues at a time. One page may have a part of the history of an issue. */
async function historiesOf(requests: Requests, { api }: JiraSite, ids: readonly string[]) {
  const asked = { issueIdsOrKeys: ids, fieldIds: ['status', 'issuetype'], maxResults: 1_000 };
  const { items } = await readAll(async (next) => {
    const token = typeof next === 'string' ? { nextPageToken: next } : {};
    const answer = await requests.post(`${api}/changelog/bulkfetch`, { ...asked, ...token });
    return tokenPage(answer, { field: 'issueChangeLogs', token: 'nextPageToken' });
  });
  const histories = new Map<string, Payload[]>();
  for (const log of Payload.listOf(items, 'history')) {
    const id = log.id('issueId');
    histories.set(id, [...(histories.get(id) ?? []), ...log.list('changeHistories')]);
  }
  return histories;
}

/** A search may cut histories off: an issue by itself has all of its own. */
async function historyIn(requests: Requests, { api }: JiraSite, issue: Payload): Promise<readonly Payload[]> {
  const log = issue.objectOrNull('changelog');
  const histories = log?.list('histories') ?? [];
  if (log && (log.integerOrNull('total') ?? 0) <= histories.length) return histories;
  const query = { fields: 'id', expand: 'changelog' };
  const answer = await requests.get(`${api}/issue/${issue.id('id')}`, { query, alsoGood: [404] });
  return answer.status === 404
    ? histories
    : (Payload.of(answer.body, 'issue').objectOrNull('changelog')?.list('histories') ?? []);
}

/** A search has the first of them, and says how many there are. */
async function commentsOf(
  requests: Requests,
  { api, hasComments }: JiraSite,
  issue: Payload,
): Promise<readonly Payload[] | null> {
  if (!hasComments) return null;
  const list = issue.object('fields').objectOrNull('comment');
  const comments = list?.list('comments') ?? [];
  if (list && (list.integerOrNull('total') ?? 0) <= comments.length) return comments;
  let isGone = false;
  const { items } = await readAll(async (next) => {
    const offset = Number(next ?? 0);
    const answer = await requests.get(`${api}/issue/${issue.id('id')}/comment`, {
      query: { startAt: offset, maxResults: pageSize },
      alsoGood: [404],
    });
    isGone = answer.status === 404;
    if (isGone) return { items: [], at: answer.at };
    const total = Payload.of(answer.body, 'list of comments').integer('total');
    const count = itemsOf(answer.body, 'comments').length;
    return offsetPage(answer, { field: 'comments', offset, isMore: offset + count < total });
  });
  return isGone ? null : Payload.listOf(items, 'comment');
}

/** An issue by itself, as it is now; undefined where it is gone, or not for this account. */
export async function readIssue(requests: Requests, site: JiraSite, id: string) {
  const query = { fields: fieldsAsked(site).join(','), ...(!site.isCloud && { expand: 'changelog' }) };
  const { status, body, at } = await requests.get(`${site.api}/issue/${id}`, { query, alsoGood: [404] });
  return { at, issue: status === 404 ? undefined : body };
}
