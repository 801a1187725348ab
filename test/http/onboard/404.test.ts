import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const onboard = (body: unknown) =>
  service.request('POST', '/users/onboarded-users-by-attributes', { key: service.keys.owner, body });

test('When nobody matches, the identifiers are named', async () => {
  const answer = await onboard({ email_addresses: ['Nobody@example.com'], github_usernames: ['ghost'] });
  expect(answer.status).toBe(404);
  expect(answer.text).toBe(
    '{"detail":"No user matches the supplied identifiers: Nobody@example.com, ghost. Verify them and try again."}',
  );
});

test('An email address is no login, and a login no email address', async () => {
  expect((await onboard({ github_usernames: ['ada@example.com'] })).status).toBe(404);
  expect((await onboard({ email_addresses: ['ada'] })).status).toBe(404);
});

test('Every identifier is named, however many there are', async () => {
  const ghosts = Array.from({ length: 500 }, (_, i) => `ghost${i}`);
  const answer = await onboard({ github_usernames: ghosts });
  expect(answer.status).toBe(404);
  expect(answer.text).toContain(ghosts.join(', '));
});

test('A long identifier is simply unknown', async () => {
  expect((await onboard({ github_usernames: ['x'.repeat(1_000)] })).status).toBe(404);
});

test('People of another organisation are unknown', async () => {
  const { createOrganisation } = await import('../../../src/directory/organisations.ts');
  await createOrganisation(
    service.app.directory,
    { via: 'command', user: 'test' },
    {
      name: 'Elsewhere',
      ownerEmail: 'stranger@example.net',
    },
  );
  expect((await onboard({ email_addresses: ['stranger@example.net'] })).status).toBe(404);
});
