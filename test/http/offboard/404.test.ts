import { expect, test } from 'vitest';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();

test('When no onboarded user matches, the identifiers are named', async () => {
  const answer = await service().request('POST', '/users/offboarded-users-by-attributes', {
    key: service().keys.owner,
    body: { email_addresses: ['barbara@example.com'], github_usernames: ['ghost'] },
  });
  expect(answer.status).toBe(404);
  expect(answer.text).toBe(
    '{"detail":"No onboarded user matches the supplied identifiers: barbara@example.com, ghost. Verify them and try again."}',
  );
});
