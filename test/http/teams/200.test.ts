import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('Teams come by name, with their onboarded members by name, null where there is nothing', async () => {
  const answer = await service.request('GET', '/teams', { key: service.keys.owner });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const id = (email: string) => service.idOf(email);
  expect(answer.json).toEqual([
    {
      team_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      team_name: 'Payments',
      department: 'Product',
      members: [
        { merged_user_id: await id('ada@example.com'), name: 'Ada Lovelace' },
        { merged_user_id: await id('grace@example.com'), name: 'Grace Hopper' },
      ],
    },
    {
      team_id: expect.any(String),
      team_name: 'Platform',
      department: null,
      members: [{ merged_user_id: await id('edsger@example.com'), name: 'Edsger Dijkstra' }],
    },
    { team_id: expect.any(String), team_name: 'Research', department: null, members: null },
  ]);
});

test('A team has exactly the documented fields, in the same bytes every time', async () => {
  const first = await service.request('GET', '/teams', { key: service.keys.owner });
  const second = await service.request('GET', '/teams', { key: service.keys.engineer });
  expect(second.text).toBe(first.text);
  expect(first.text).toBe(JSON.stringify(await service.app.listings.teams(service.organisationId)));
  expect(first.text).toMatch(
    /^\[\{"team_id":"[^"]+","team_name":"Payments","department":"Product","members":\[\{"merged_user_id":/,
  );
});

test.each(['owner', 'manager', 'engineer', 'squadLead'] as const)('A key of the %s may ask', async (role) => {
  expect((await service.request('GET', '/teams', { key: service.keys[role] })).status).toBe(200);
});

test('HEAD answers like GET, without the body', async () => {
  const get = await service.request('GET', '/teams', { key: service.keys.owner });
  const head = await service.request('HEAD', '/teams', { key: service.keys.owner });
  expect(head.status).toBe(200);
  expect(head.text).toBe('');
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
  expect(head.headers['content-type']).toBe(get.headers['content-type']);
});

test('The same path written otherwise is the same path', async () => {
  const key = service.keys.owner;
  for (const path of ['/%74eams', `http://elsewhere.example/teams`, '/teams?']) {
    expect([path, (await service.request('GET', path, { key })).status]).toEqual([path, 200]);
  }
});

test('An onboarding shows in the very next answer', async () => {
  const body = { github_usernames: ['tex'] };
  await service.request('POST', '/users/onboarded-users-by-attributes', { key: service.keys.owner, body });
  const { text } = await service.request('GET', '/teams', { key: service.keys.engineer });
  expect(text).toContain('"team_name":"Research","department":null,"members":[{');
  await service.request('POST', '/users/offboarded-users-by-attributes', { key: service.keys.owner, body });
  const after = await service.request('GET', '/teams', { key: service.keys.engineer });
  expect(after.text).toContain('"team_name":"Research","department":null,"members":null');
});

test('The use of a key is noted', async () => {
  await service.request('GET', '/teams', { key: service.keys.squadLead });
  await service.app.lastUsed.flush();
  const listed = await service.app.keys.list(service.organisationId);
  expect(listed.find(({ name }) => name === 'squadLead')?.last_used_at).toBeInstanceOf(Date);
});
