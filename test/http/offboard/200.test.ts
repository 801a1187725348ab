import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
beforeEach(async () => {
  service = await startService({ isQuick: true });
});
afterEach(() => service.close());

const offboard = (body: unknown) =>
  service.request('POST', '/users/offboarded-users-by-attributes', { key: service.keys.owner, body });

test('People are offboarded, and the answer is exactly as documented', async () => {
  const id = await service.idOf('grace@example.com');
  const answer = await offboard({ email_addresses: ['GRACE@example.com'], github_usernames: ['grace', 'Ghost'] });
  expect(answer.status).toBe(200);
  expect(answer.text).toBe(
    JSON.stringify({
      message: 'Users were successfully offboarded',
      offboarded_count: 1,
      offboarded_user_ids: [id],
      not_found: { email_addresses: [], github_usernames: ['Ghost'] },
      warnings: ['Some users were not found'],
    }),
  );
  const { text } = await service.request('GET', '/users/onboarded-users-by-attributes', { key: service.keys.owner });
  expect(text).not.toContain('Grace');
});

test('Someone known but not onboarded counts as not found', async () => {
  const answer = await offboard({ email_addresses: ['barbara@example.com', 'grace@example.com'] });
  expect(answer.json).toMatchObject({
    offboarded_count: 1,
    not_found: { email_addresses: ['barbara@example.com'], github_usernames: [] },
    warnings: ['Some users were not found'],
  });
});

test('Who is offboarded twice at once is offboarded once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => offboard({ github_usernames: ['grace'] })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
});
