import { expect, test } from 'vitest';
import { unchangedService } from '../../setup/unchanged-service.ts';

const path = '/users/onboarded-users-by-attributes';
const service = unchangedService();

test('Everyone onboarded comes by name, with a null login for who has none', async () => {
  const answer = await service().request('GET', path, { key: service().keys.engineer });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const ids = await Promise.all(['ada', 'edsger', 'grace'].map((name) => service().idOf(`${name}@example.com`)));
  expect(answer.text).toBe(
    JSON.stringify({
      users: [
        { merged_user_id: ids[0], name: 'Ada Lovelace', email: 'ada@example.com', github_username: 'ada' },
        { merged_user_id: ids[1], name: 'Edsger Dijkstra', email: 'edsger@example.com', github_username: null },
        { merged_user_id: ids[2], name: 'Grace Hopper', email: 'grace@example.com', github_username: 'grace' },
      ],
      total_users_found: 3,
    }),
  );
});

test('HEAD is answered too', async () => {
  const head = await service().request('HEAD', path, { key: service().keys.manager });
  expect([head.status, head.text]).toEqual([200, '']);
});
