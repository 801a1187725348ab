import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../setup/running-app.ts';
import { type SignedIn, signIn } from '../../setup/signed-in.ts';

let service: Service;
let ada: SignedIn;
let edsger: SignedIn;
beforeAll(async () => {
  service = await startService();
  ada = await signIn(service, 'ada@example.com');
  edsger = await signIn(service, 'edsger@example.com');
  for (const [slug, visible_to] of [
    ['everyone', 'organisation'],
    ['also-everyone', 'organisation'],
    ['own', 'me'],
  ]) {
    const headers = { ...ada.headers, 'if-none-match': '*' };
    const body = { title: `Board ${slug}`, visible_to, panels: [] };
    expect((await service.request('PUT', `/boards/${slug}`, { headers, body })).status).toBe(201);
  }
});
afterAll(() => service.close());

const pinned = async (person: SignedIn) =>
  ((await person.request('GET', '/app/pinned-boards')).json as { board: string }[]).map(({ board }) => board);

test('Everyone pins boards for themselves, in their order', async () => {
  for (const slug of ['own', 'everyone', 'also-everyone', 'own'])
    expect((await ada.request('PUT', `/app/pinned-boards/${slug}`)).status).toBe(204);
  expect(await pinned(ada)).toEqual(['own', 'everyone', 'also-everyone']);
  expect(await pinned(edsger)).toEqual([]);
  expect((await ada.request('DELETE', '/app/pinned-boards/everyone')).status).toBe(204);
  expect((await ada.request('DELETE', '/app/pinned-boards/everyone')).status).toBe(204);
  expect(await pinned(ada)).toEqual(['own', 'also-everyone']);
});

test('A board that somebody may not see cannot be pinned, and leaves the navigation when it is hidden or removed', async () => {
  expect((await edsger.request('PUT', '/app/pinned-boards/own')).status).toBe(404);
  for (const slug of ['everyone', 'also-everyone']) await edsger.request('PUT', `/app/pinned-boards/${slug}`);
  const headers = { ...ada.headers, 'if-match': '*' };
  const body = { title: 'Hidden', visible_to: 'me', panels: [] };
  expect((await service.request('PUT', '/boards/everyone', { headers, body })).status).toBe(200);
  expect(await pinned(edsger)).toEqual(['also-everyone']);
  expect((await ada.request('DELETE', '/boards/also-everyone')).status).toBe(204);
  expect(await pinned(edsger)).toEqual([]);
});

test('Pins are for people who are signed in', async () => {
  const answer = await service.request('GET', '/app/pinned-boards', { key: service.keys.owner });
  expect(answer.status).toBe(403);
});
