import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pages, startPages } from './signed-in-pages.ts';

let pages: Pages;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

interface ListedKeys {
  readonly keys: readonly { readonly id: string; readonly name: string; readonly is_own: boolean }[];
  readonly sees: string;
  readonly owners: readonly object[];
}
interface ShownKey {
  readonly id: string;
  readonly key: string;
  readonly prefix: string;
}
const list = async (who: 'owner' | 'manager' | 'engineer') =>
  (await pages[who].request('GET', '/app/keys')).json as ListedKeys;

test('An engineer makes a key of their own, which is shown once and acts as they do', async () => {
  const { engineer, service } = pages;
  const { status, json } = await engineer.request('POST', '/app/keys', { name: ' nightly ', expires_at: '2099-12-31' });
  expect(status).toBe(201);
  const { id, key, prefix } = json as ShownKey;
  expect(json).toEqual({
    id,
    key: expect.stringMatching(/^plumb_[0-9A-Za-z]{39}$/),
    name: 'nightly',
    prefix: `plumb_…${key.slice(-4)}`,
    expires_at: '2099-12-31T23:59:59.999Z',
  });
  expect((await service.request('GET', '/teams', { key })).status).toBe(200);
  const body = { email_addresses: ['barbara@example.com'] };
  expect((await service.request('POST', '/users/onboarded-users-by-attributes', { key, body })).status).toBe(403);

  const again = await engineer.request('GET', '/app/keys');
  expect(again.text).not.toContain(key);
  const listed = (again.json as ListedKeys).keys.find((one) => one.id === id);
  expect(listed).toEqual({
    id,
    name: 'nightly',
    prefix,
    creator: { id: await service.idOf('edsger@example.com'), name: 'Edsger Dijkstra' },
    role: 'Engineer',
    status: 'active',
    created_at: expect.any(String),
    expires_at: '2099-12-31T23:59:59.999Z',
    revoked_at: null,
    last_used_at: null,
    is_own: true,
  });
});

test('Everybody sees their own keys, and Owners all of them', async () => {
  const owner = await list('owner');
  expect(owner.keys.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['owner', 'manager', 'engineer', 'squadLead']),
  );
  expect(owner.keys.filter(({ is_own }) => is_own).map(({ name }) => name)).toEqual(['owner']);
  const manager = await list('manager');
  expect(manager.keys.map(({ name }) => name)).toEqual(['manager']);
  expect(manager.owners).toEqual([{ name: 'Ada Lovelace', email: 'ada@example.com' }]);
});

test('Each reads in a sentence what a key of theirs will see', async () => {
  expect((await list('owner')).sees).toMatch(
    /^A key of yours sees everything in the organisation, and may choose who counts/,
  );
  expect((await list('manager')).sees).toMatch(/sees the work of everyone in the organisation\./);
  expect((await list('engineer')).sees).toMatch(/sees your own work, and the names and teams/);
  await pages.owner.request('PATCH', '/app/organisation', { team_restrictions: true });
  expect((await list('manager')).sees).toMatch(/sees the work of the teams assigned to you/);
  await pages.owner.request('PATCH', '/app/organisation', { team_restrictions: false });
});

test('A rotated key has a successor; the old one works for the overlap, and none at all where that is wanted', async () => {
  const { engineer, service } = pages;
  const works = async (key: string) => (await service.request('GET', '/teams', { key })).status === 200;
  const made = (await engineer.request('POST', '/app/keys', { name: 'a' })).json as ShownKey;
  const next = (await engineer.request('POST', `/app/keys/${made.id}/rotate`)).json as ShownKey;
  expect([await works(made.key), await works(next.key)]).toEqual([true, true]);
  const twice = await engineer.request('POST', `/app/keys/${made.id}/rotate`);
  expect([twice.status, twice.text]).toEqual([409, expect.stringContaining(`(${next.prefix})`)]);
  const last = (await engineer.request('POST', `/app/keys/${next.id}/rotate`, { overlap_seconds: 0 })).json as ShownKey;
  expect([await works(next.key), await works(last.key)]).toEqual([false, true]);
  expect((await engineer.request('POST', `/app/keys/${next.id}/rotate`)).status).toBe(409);
});

test('An Owner takes back the key of another, with the next request', async () => {
  const { engineer, owner, service } = pages;
  const { id, key } = (await engineer.request('POST', '/app/keys', { name: 'b' })).json as ShownKey;
  expect((await owner.request('DELETE', `/app/keys/${id}`)).status).toBe(204);
  expect((await service.request('GET', '/teams', { key })).status).toBe(401);
});

test('Only who holds a key rotates it: an Owner gets no key that asks in the name of another', async () => {
  const { engineer, owner, service } = pages;
  const { id, key } = (await engineer.request('POST', '/app/keys', { name: 'c' })).json as ShownKey;
  const refused = await owner.request('POST', `/app/keys/${id}/rotate`);
  expect([refused.status, refused.json]).toEqual([
    403,
    { detail: 'Only Edsger Dijkstra, whose key this is, can rotate it. You can revoke it.' },
  ]);
  expect((await owner.request('POST', '/app/keys/nobody/rotate')).status).toBe(404);
  const left = (await list('engineer')).keys.filter(({ name }) => name === 'c');
  expect(left.map((one) => one.id)).toEqual([id]);
  expect((await service.request('GET', '/teams', { key })).status).toBe(200);
  expect((await engineer.request('POST', `/app/keys/${id}/rotate`)).status).toBe(200);
  const own = (await owner.request('POST', '/app/keys', { name: 'd' })).json as ShownKey;
  expect((await owner.request('POST', `/app/keys/${own.id}/rotate`)).status).toBe(200);
});

test.each([
  [{}, "The body must have 'name'."],
  [{ name: ' ' }, 'name must not be blank.'],
  [{ name: 'x'.repeat(201) }, 'name is too long'],
  [{ name: 'x', expires_at: 'soon' }, 'The expiry must be a date'],
  [{ name: 'x', expires_at: '2001-01-01' }, 'A key must expire in the future.'],
  [{ name: 'x', role: 'Owner' }, "'role' is not a field of the body."],
  [{ name: 'x\0' }, 'NUL character'],
])('Refuses %j', async (body, says) => {
  const { status, json } = await pages.engineer.request('POST', '/app/keys', body);
  expect(status).toBe(400);
  expect(json).toEqual({ detail: expect.stringContaining(says) });
});

test('Nobody makes keys without end', async () => {
  const { manager } = pages;
  let made = 1;
  for (; made < 60; made += 1) {
    const { status, json } = await manager.request('POST', '/app/keys', { name: `k${made}` });
    if (status === 201) continue;
    expect([status, json]).toEqual([409, { detail: expect.stringContaining('Revoke one') }]);
    break;
  }
  expect(made).toBe(50);
});
