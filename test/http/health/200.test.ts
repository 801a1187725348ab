import { expect, test } from 'vitest';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();

test.each([
  ['/livez', '{"status":"ok"}'],
  ['/readyz', '{"status":"ready"}'],
])('%s needs no key', async (path, body) => {
  const answer = await service().request('GET', path);
  expect([answer.status, answer.text]).toEqual([200, body]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect((await service().request('HEAD', path)).status).toBe(200);
  expect((await service().request('GET', `${path}?now`)).status).toBe(200);
});
