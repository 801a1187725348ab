import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OtherOrganisation, type Pages, startPages } from './signed-in-pages.ts';

let pages: Pages;
/** What the Owner's own organisation has, for paths that name something. */
let own: Omit<OtherOrganisation, 'id' | 'key'>;

beforeAll(async () => {
  pages = await startPages();
  const { owner, service } = pages;
  const ask = async (path: string, body: object) => (await owner.request('POST', path, body)).json as { id: string };
  own = {
    personId: await service.idOf('donald@example.com'),
    teamId: (await ask('/app/groups', { kind: 'team', name: 'Tools' })).id,
    keyId: (await ask('/app/keys', { name: 'mine' })).id,
    sourceId: (
      await ask('/app/sources', { kind: 'toy', name: 'Host', settings: { token: 'word', base_url: pages.hostUrl } })
    ).id,
  };
});
afterAll(() => pages.close());

type Ids = typeof own;
interface ChangingRoute {
  readonly method: string;
  readonly path: (ids: Ids) => string;
  readonly body?: (ids: Ids) => unknown;
  readonly status: number;
  /** What the audit log says of it afterwards. */
  readonly action: string;
  /** Everybody may, where it is their own. */
  readonly isOwn?: true;
  /** The path or the body names something. */
  readonly names?: true;
}

/** Everything under /app that changes something, in an order in which all of it works. */
const routes: readonly ChangingRoute[] = [
  {
    method: 'POST',
    path: () => '/app/keys',
    body: () => ({ name: 'k' }),
    status: 201,
    action: 'key.create',
    isOwn: true,
  },
  {
    method: 'POST',
    path: ({ keyId }) => `/app/keys/${keyId}/rotate`,
    status: 200,
    action: 'key.rotate',
    names: true,
    isOwn: true,
  },
  {
    method: 'DELETE',
    path: ({ keyId }) => `/app/keys/${keyId}`,
    status: 204,
    action: 'key.revoke',
    names: true,
    isOwn: true,
  },
  {
    method: 'POST',
    path: () => '/app/people',
    body: () => ({ main_email: 'new@example.com' }),
    status: 201,
    action: 'person.create',
  },
  {
    method: 'PATCH',
    path: ({ personId }) => `/app/people/${personId}`,
    body: () => ({ job_title: 'Author' }),
    status: 200,
    action: 'person.update',
    names: true,
  },
  {
    method: 'POST',
    path: ({ personId }) => `/app/people/${personId}/sign-in-link`,
    status: 201,
    action: 'sign-in.create',
    names: true,
  },
  {
    method: 'POST',
    path: () => '/app/people/merge',
    body: ({ personId }) => ({ into: 'asa@example.com', from: personId }),
    status: 200,
    action: 'person.merge',
    names: true,
  },
  {
    method: 'POST',
    path: () => '/app/people/unmerge',
    body: ({ personId }) => ({ person: personId }),
    status: 200,
    action: 'person.unmerge',
    names: true,
  },
  {
    method: 'DELETE',
    path: ({ personId }) => `/app/people/${personId}`,
    status: 204,
    action: 'person.remove',
    names: true,
  },
  {
    method: 'POST',
    path: () => '/app/groups',
    body: () => ({ kind: 'squad', name: 'Red' }),
    status: 201,
    action: 'squad.create',
  },
  {
    method: 'PATCH',
    path: ({ teamId }) => `/app/groups/${teamId}`,
    body: () => ({ department: 'R&D' }),
    status: 200,
    action: 'team.update',
    names: true,
  },
  { method: 'DELETE', path: ({ teamId }) => `/app/groups/${teamId}`, status: 204, action: 'team.remove', names: true },
  {
    method: 'PATCH',
    path: () => '/app/organisation',
    body: () => ({ time_zone: 'Europe/Vienna' }),
    status: 200,
    action: 'organisation.set',
  },
  {
    method: 'POST',
    path: () => '/app/sources',
    body: () => ({ kind: 'toy', name: 'Second', settings: { token: 'word', base_url: pages.hostUrl } }),
    status: 201,
    action: 'source.add',
  },
  {
    method: 'PATCH',
    path: ({ sourceId }) => `/app/sources/${sourceId}`,
    body: () => ({ settings: { forks: true } }),
    status: 200,
    action: 'source.set',
    names: true,
  },
  {
    method: 'POST',
    path: ({ sourceId }) => `/app/sources/${sourceId}/sync`,
    status: 202,
    action: 'source.sync',
    names: true,
  },
  {
    method: 'DELETE',
    path: ({ sourceId }) => `/app/sources/${sourceId}`,
    status: 204,
    action: 'source.remove',
    names: true,
  },
];

/** Those that tell or ask others something, and change nothing. */
const readings: readonly Pick<ChangingRoute, 'method' | 'path' | 'body' | 'names'>[] = [
  { method: 'POST', path: () => '/app/people/preview', body: () => ({ identifiers: ['ada'] }) },
  { method: 'GET', path: () => '/app/people/suggestions' },
  { method: 'GET', path: () => '/app/sources' },
  { method: 'POST', path: ({ sourceId }) => `/app/sources/${sourceId}/check`, names: true },
  { method: 'GET', path: () => '/app/audit' },
  { method: 'GET', path: () => '/app/backup' },
  { method: 'POST', path: () => '/app/backup/download' },
];

const titled = <R extends { method: string; path: (ids: Ids) => string }>(all: readonly R[]): [string, R][] =>
  all.map((route) => [
    `${route.method} ${route.path({ personId: ':id', teamId: ':id', keyId: ':id', sourceId: ':id' })}`,
    route,
  ]);

describe.each(titled([...routes, ...readings]))('%s', (_, route) => {
  const isOwn = 'isOwn' in route && route.isOwn === true;
  const isRead = route.method === 'GET';
  const ask = (who: { headers?: Record<string, string>; key?: string }, ids: Ids = own) =>
    pages.service.request(route.method, route.path(ids), {
      ...who,
      ...(route.body ? { body: route.body(ids) } : {}),
    });

  test('A route of pages takes no key and nobody who is not signed in', async () => {
    const before = await pages.version();
    expect((await ask({ key: pages.service.keys.owner })).status).toBe(403);
    expect((await ask({})).status).toBe(401);
    expect(await pages.version()).toBe(before);
  });

  if (!isOwn)
    test('A route of pages is for Owners', async () => {
      const before = await pages.version();
      for (const who of [pages.manager, pages.engineer, pages.squadLead]) {
        const { status, json } = await ask({ headers: { ...who.headers } });
        expect(status).toBe(403);
        expect(json).toEqual({ detail: expect.stringMatching(/needs the role Owner\. You have the role/) });
      }
      expect(await pages.version()).toBe(before);
    });

  if (!isRead)
    test('A request that changes something comes from a page of ours', async () => {
      const before = await pages.version();
      for (const origin of ['https://evil.example', 'null', undefined]) {
        const headers = { cookie: pages.owner.cookie, ...(origin === undefined ? {} : { origin }) };
        expect((await ask({ headers })).status).toBe(403);
      }
      expect(await pages.version()).toBe(before);
    });

  if (route.names)
    test('A route of pages knows nothing of another organisation', async () => {
      const { id: _id, key: _key, ...theirs } = pages.other;
      const before = await pages.version();
      const { status, text } = await ask({ headers: { ...pages.owner.headers } }, theirs);
      expect(status).toBe(404);
      expect(text).not.toMatch(/charles|Theirs/i);
      expect(await pages.version()).toBe(before);
    });

  if (isOwn && route.names)
    test('A key is only for who made it, and for Owners', async () => {
      for (const who of [pages.manager, pages.engineer]) {
        expect((await ask({ headers: { ...who.headers } })).status).toBe(404);
      }
    });
});

test('Everything that an Owner changes is in the audit log under their name', async () => {
  const ada = await pages.service.idOf('ada@example.com');
  for (const { method, path, body, status, action } of routes) {
    const answer = await pages.owner.request(method, path(own), body?.(own));
    expect([method, path(own), answer.status, answer.status >= 400 ? answer.text : '']).toEqual([
      method,
      path(own),
      status,
      '',
    ]);
    const entries = await pages.audited(3);
    expect(entries.find((entry) => entry.action === action)).toMatchObject({ via: 'session', actor: ada });
  }
});

test.each(['/app/events', '/app/backup/download'])('Nobody asks for the headers of %s alone', async (path) => {
  expect((await pages.owner.request('HEAD', path)).status).toBe(405);
});

test('Nothing under /app is in the public document', async () => {
  expect((await pages.service.request('GET', '/openapi.json')).text).not.toContain('/app/');
});
