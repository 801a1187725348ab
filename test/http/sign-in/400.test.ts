import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const form = { 'content-type': 'application/x-www-form-urlencoded' };

test.each([
  ['no name', '', 'Give the key a name'],
  ['a blank name', 'name=+++', 'Give the key a name'],
  ['a very long name', `name=${'x'.repeat(101)}`, 'too long'],
  ['a control character', 'name=a%00b', 'control character'],
])('%s shows the form again and does not use the link up', async (_name, body, problem) => {
  const link = await service.signInLink('grace@example.com');
  const answer = await service.request('POST', link, { headers: form, body });
  expect(answer.status).toBe(400);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.text).toContain(problem);
  expect(answer.text).toContain('<form method="post">');
  expect((await service.request('POST', link, { headers: form, body: 'name=ok' })).status).toBe(200);
});

test('a large form is 413, another type 415, both as a page, and the link still works', async () => {
  const link = await service.signInLink('grace@example.com');
  const large = await service.request('POST', link, { headers: form, body: `name=${'x'.repeat(5_000)}` });
  const json = await service.request('POST', link, { body: { name: 'x' } });
  expect([large.status, json.status]).toEqual([413, 415]);
  for (const { headers } of [large, json]) expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect((await service.request('GET', link)).status).toBe(200);
});
