import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSecret, signInKind } from '../../../src/access/secret-token.ts';
import { type Service, startService } from '../../setup/running-app.ts';

let now = new Date('2026-03-01T12:00:00Z');
let service: Service;
beforeAll(async () => {
  service = await startService({ now: () => now });
});
afterAll(() => service.close());

const submit = (link: string) =>
  service.request('POST', link, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'name=x' });

const expectGone = async (link: string) => {
  for (const answer of [await service.request('GET', link), await submit(link)]) {
    expect(answer.status).toBe(404);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(answer.text).toContain(
      'This sign-in link does not work: it was used already, has expired, or never existed.',
    );
  }
};

test('a link that was used', async () => {
  const link = await service.signInLink('grace@example.com');
  expect((await submit(link)).status).toBe(200);
  await expectGone(link);
});

test('a link that was never made', async () => {
  for (const token of ['x', '%00', '<script>', makeSecret(signInKind), 'x'.repeat(5_000)]) {
    await expectGone(`/sign-in/${encodeURIComponent(token)}`);
  }
});

test('a link that has expired', async () => {
  const link = await service.signInLink('grace@example.com');
  now = new Date('2026-03-02T12:00:01Z');
  await expectGone(link);
});

test('of twenty who press the button at once, one gets a key', async () => {
  const link = await service.signInLink('grace@example.com');
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => submit(link)))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 404)).toHaveLength(19);
});
