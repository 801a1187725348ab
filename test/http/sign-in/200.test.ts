import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPerson } from '../../../src/directory/people.ts';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const submit = (link: string, body: string, headers: Record<string, string> = {}) =>
  service.request('POST', link, { headers: { ...form, ...headers }, body });

test('the page says whose organisation it is and who is meant, and looking does not use the link up', async () => {
  const link = await service.signInLink('grace@example.com');
  for (const method of ['GET', 'HEAD', 'GET']) {
    const answer = await service.request(method, link);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    if (method === 'HEAD') continue;
    expect(answer.text).toContain('Welcome to Analytical Engines');
    expect(answer.text).toContain('<strong>Grace Hopper</strong>');
    expect(answer.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(answer.text).not.toContain('<script');
  }
  expect((await submit(link, 'name=x')).status).toBe(200);
});

test('the button makes a key that works, acts for that person, and is shown with a command to paste', async () => {
  const link = await service.signInLink('grace@example.com');
  const answer = await submit(link, 'name=Laptop+%26+co', { host: 'plumb.example:4400' });
  expect(answer.status).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  const key = /<p class="key" id="key">(plumb_[0-9A-Za-z]+)<\/p>/.exec(answer.text)?.[1] ?? '';
  expect(answer.text).toContain(`curl -H &#39;Authorization: ${key}&#39; http://plumb.example:4400/teams`);
  expect(answer.text).toContain('href="/docs"');
  expect((await service.request('GET', '/teams', { key })).status).toBe(200);
  expect((await service.request('POST', '/users/onboarded-users-by-attributes', { key, body: {} })).status).toBe(403);
  const listed = await service.app.keys.list(service.organisationId);
  expect(listed).toContainEqual(expect.objectContaining({ name: 'Laptop & co', creator_name: 'Grace Hopper' }));
});

test('a strange Host header does not get into the command', async () => {
  const answer = await submit(await service.signInLink('grace@example.com'), 'name=x', { host: "x'; rm -rf /; '" });
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('rm -rf');
  expect(answer.text).toContain(`http://127.0.0.1:${service.port}/teams`);
});

test('names are shown as they are, whatever they contain', async () => {
  const context = { organisationId: service.organisationId, actor: { via: 'command', user: 'test' } } as const;
  await setPerson(service.app.directory, context, 'donald@example.com', { name: '<img src=x onerror="alert(1)">&' });
  const { text } = await service.request('GET', await service.signInLink('donald@example.com'));
  expect(text).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;');
  expect(text).not.toContain('<img');
});
