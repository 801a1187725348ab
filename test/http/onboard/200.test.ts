import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditEntries } from '../../../src/store/audit.ts';
import { times } from '../../setup/how-long.ts';
import { type HttpAnswer, type Service, startService } from '../../setup/running-app.ts';

const path = '/users/onboarded-users-by-attributes';
let service: Service;
beforeAll(async () => {
  service = await startService({ isQuick: true });
});
afterAll(() => service.close());

const onboard = (body: unknown) => service.request('POST', path, { key: service.keys.owner, body });

/** Nobody knows what an earlier test has left of Barbara. */
async function barbaraIsNotOnboarded(): Promise<void> {
  const body = { github_usernames: ['barbara'] };
  const off = '/users/offboarded-users-by-attributes';
  expect((await service.request('POST', off, { key: service.keys.owner, body })).status).toBe(200);
}

test('New people are onboarded, and the answer is exactly as documented', async () => {
  const answer = await onboard({ email_addresses: ['barbara@example.com'], github_usernames: ['tex'] });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const ids = [await service.idOf('barbara@example.com'), await service.idOf('donald@example.com')].sort();
  expect(answer.text).toBe(
    JSON.stringify({
      message: 'Users were successfully onboarded',
      onboarded_count: 2,
      onboarded_user_ids: ids,
      total_users_found: 2,
      not_found: { email_addresses: [], github_usernames: [] },
      warnings: [],
    }),
  );
});

test('Whoever is onboarded already is found, but not counted again', async () => {
  const answer = await onboard({ email_addresses: ['ada@example.com'] });
  expect(answer.text).toBe(
    '{"message":"All users are already onboarded","onboarded_count":0,"onboarded_user_ids":[],"total_users_found":1,"not_found":{"email_addresses":[],"github_usernames":[]},"warnings":[]}',
  );
});

test('Identifiers match trimmed and in any case, a person named thrice counts once, strangers come back as sent', async () => {
  await barbaraIsNotOnboarded();
  const answer = await onboard({
    email_addresses: ['  BARBARA@Example.com ', 'Nobody@Example.com'],
    github_usernames: ['Barbara', 'LISKOV', ' ghost '],
  });
  expect(answer.json).toEqual({
    message: 'Users were successfully onboarded',
    onboarded_count: 1,
    onboarded_user_ids: [await service.idOf('barbara@example.com')],
    total_users_found: 1,
    not_found: { email_addresses: ['Nobody@Example.com'], github_usernames: [' ghost '] },
    warnings: ['Some users were not found'],
  });
});

test('Null is the same as an absent list', async () => {
  await barbaraIsNotOnboarded();
  const answer = await onboard({ email_addresses: null, github_usernames: ['barbara'] });
  expect(answer.json).toMatchObject({ onboarded_count: 1 });
});

test('Ten thousand identifiers are taken', async () => {
  const strangers = Array.from({ length: 9_999 }, (_, i) => `nobody${i}@example.com`);
  const answer = await onboard({ email_addresses: strangers, github_usernames: ['barbara'] });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ total_users_found: 1, not_found: { email_addresses: strangers } });
});

test('A byte order mark and a charset do not harm', async () => {
  const answer = await service.request('POST', path, {
    key: service.keys.owner,
    headers: { 'content-type': 'application/json; charset="UTF-8"' },
    body: '\uFEFF{"github_usernames":["barbara"]}',
  });
  expect(answer.status).toBe(200);
});

/** Whoever has waited for two seconds is refused, and asks again: a refused call must have changed nothing. */
async function untilTaken(call: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    await sleep(100);
  }
}

test('Very many callers at once with overlapping lists count each person once in all, also where some have to ask again', async () => {
  await service.put(
    Array.from({ length: 40 }, (_, i) => ({
      name: `Person ${i}`,
      main_email: `person${i}@example.com`,
      onboarded: false,
    })),
  );
  const answers = await Promise.all(
    Array.from({ length: times(40, 200) }, (_, i) =>
      untilTaken(() =>
        onboard({ email_addresses: Array.from({ length: 5 }, (_, j) => `person${(i + j * 7) % 40}@example.com`) }),
      ),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const bodies = answers.map(({ json }) => json as { onboarded_count: number; onboarded_user_ids: string[] });
  const ids = bodies.flatMap(({ onboarded_user_ids }) => onboarded_user_ids);
  expect(ids).toHaveLength(40);
  expect(new Set(ids).size).toBe(40);
  expect(bodies.reduce((sum, { onboarded_count }) => sum + onboarded_count, 0)).toBe(40);
});

test('The audit log says who did it, with which key', async () => {
  await barbaraIsNotOnboarded();
  await onboard({ github_usernames: ['barbara'] });
  const [entry] = await service.app.store.read((session) => auditEntries(session, service.organisationId, 1));
  const [key] = (await service.app.keys.list(service.organisationId)).filter(({ name }) => name === 'owner');
  expect(entry).toMatchObject({
    via: 'api',
    action: 'person.onboard',
    actor: await service.idOf('ada@example.com'),
    key_id: key?.id,
    subject: await service.idOf('barbara@example.com'),
  });
});
