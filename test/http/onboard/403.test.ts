import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPerson } from '../../../src/directory/people.ts';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe.each([
  ['/users/onboarded-users-by-attributes', 'Onboarding'],
  ['/users/offboarded-users-by-attributes', 'Offboarding'],
])('POST %s', (path, what) => {
  test.each([
    ['manager', 'Manager'],
    ['engineer', 'Engineer'],
    ['squadLead', 'Squad Lead'],
  ] as const)('a key of the %s may not', async (key, role) => {
    const answer = await service.request('POST', path, {
      key: service.keys[key],
      body: { email_addresses: ['barbara@example.com'] },
    });
    expect(answer.status).toBe(403);
    expect(answer.json).toEqual({
      detail: `${what} needs a key whose creator has the role Owner. The creator of this key has the role ${role}.`,
    });
  });
});

test('A demotion takes effect with the next request', async () => {
  const context = { organisationId: service.organisationId, actor: { via: 'command', user: 'test' } } as const;
  await setPerson(service.app.directory, context, 'grace@example.com', { access_role: 'Owner' });
  const post = () =>
    service.request('POST', '/users/onboarded-users-by-attributes', {
      key: service.keys.manager,
      body: { github_usernames: ['barbara'] },
    });
  expect((await post()).status).toBe(200);
  await setPerson(service.app.directory, context, 'grace@example.com', { access_role: 'Manager' });
  expect((await post()).status).toBe(403);
});
