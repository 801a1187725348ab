import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOrganisation } from '../../../src/directory/organisations.ts';
import { putRecords } from '../../../src/directory/put-records.ts';
import { type Pages, startPages } from './signed-in-pages.ts';

let pages: Pages;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

test('Setup is where its Owners left it, and nobody else has one', async () => {
  const { owner } = pages;
  const before = await pages.version();
  const open = { skipped: [], is_closed: false, sample: null };
  expect((await owner.request('GET', '/app/setup')).json).toEqual(open);
  const left = { skipped: ['people'], is_closed: true };
  expect((await owner.request('PUT', '/app/setup', left)).status).toBe(204);
  expect((await owner.request('GET', '/app/setup')).json).toEqual({ ...left, sample: null });
  // No answer depends on it.
  expect(await pages.version()).toBe(before);
  for (const wrong of [{ skipped: [] }, { skipped: 'people', is_closed: true }, { ...left, colour: 'red' }]) {
    expect((await owner.request('PUT', '/app/setup', wrong)).status).toBe(400);
  }
  for (const role of ['manager', 'engineer', 'squadLead'] as const) {
    expect((await pages[role].request('GET', '/app/setup')).status).toBe(403);
    expect((await pages[role].request('PUT', '/app/setup', left)).status).toBe(403);
    expect((await pages[role].request('POST', '/app/sample')).status).toBe(403);
  }
});

test('Sample data is opened as a Manager of the demo, only where the server has one, and ends the own session', async () => {
  const { owner, service } = pages;
  expect((await owner.request('POST', '/app/sample')).status).toBe(404);
  const { directory } = service.app;
  const actor = { via: 'demo' } as const;
  const { id } = await createOrganisation(directory, actor, {
    name: 'Northwind',
    ownerEmail: 'olga@northwind.example',
  });
  expect((await owner.request('GET', '/app/setup')).json).toMatchObject({ sample: null });
  const manager = { main_email: 'max@northwind.example', name: 'Max', access_role: 'Manager' };
  await putRecords(directory, { organisationId: id, actor }, 'people', [{ line: 1, value: manager }]);
  expect((await owner.request('GET', '/app/setup')).json).toMatchObject({ sample: { name: 'Northwind' } });

  // Nobody is let in where real tools are connected.
  const change = { organisationId: id, actor, origin: 'command' } as const;
  await service.app.sources.add(change, 'git', 'Code', { path: service.folder, repository: 'northwind/web' });
  expect((await owner.request('GET', '/app/setup')).json).toMatchObject({ sample: null });
  expect((await owner.request('POST', '/app/sample')).status).toBe(404);
  await service.app.sources.remove(change, 'Code');

  const opened = await owner.request('POST', '/app/sample');
  expect([opened.status, opened.json]).toEqual([200, { organisation: 'Northwind' }]);
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
  const session = await service.request('GET', '/app/session', { headers: { cookie } });
  expect(session.json).toMatchObject({ role: 'Manager', person: { name: 'Max' }, organisation: { id, is_demo: true } });
  expect((await owner.request('GET', '/app/session')).status).toBe(401);
});
