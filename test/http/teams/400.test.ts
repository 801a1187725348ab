import { expect, test } from 'vitest';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();

test.each([
  ['GET', '/teams?limit=5', 'limit'],
  ['GET', '/users/onboarded-users-by-attributes?page=2', 'page'],
  ['GET', '/teams?__proto__=1', '__proto__'],
  ['GET', '/teams?%zz=%', '%zz'],
])('%s %s says that there are no query parameters', async (method, path, name) => {
  const answer = await service().request(method, path, { key: service().keys.owner });
  expect(answer.status).toBe(400);
  expect(answer.text).toBe(
    JSON.stringify({ detail: `This operation takes no query parameters, but '${name}' was sent.` }),
  );
});

test('So is onboarding', async () => {
  const path = '/users/onboarded-users-by-attributes?dry_run=true';
  const body = { github_usernames: ['barbara'] };
  const answer = await service().request('POST', path, { key: service().keys.owner, body });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('no query parameters');
});
