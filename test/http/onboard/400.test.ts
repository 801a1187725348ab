import { describe, expect, test } from 'vitest';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();

const nothingSupplied =
  'At least one of email_addresses, github_usernames must be supplied, with at least one identifier in it.';
const json = { 'content-type': 'application/json' };

describe.each(['/users/onboarded-users-by-attributes', '/users/offboarded-users-by-attributes'])('POST %s', (path) => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    service().request('POST', path, { key: service().keys.owner, body, headers });

  test.each([
    ['an empty object', {}],
    ['two nulls', { email_addresses: null, github_usernames: null }],
    ['two empty lists', { email_addresses: [], github_usernames: [] }],
    ['one empty list', { github_usernames: [] }],
  ])('%s names nobody', async (_name, body) => {
    const answer = await send(body);
    expect(answer.status).toBe(400);
    expect(answer.text).toBe(JSON.stringify({ detail: nothingSupplied }));
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each<[string, unknown, string]>([
    [
      'an unknown field',
      { emails: ['ada@example.com'] },
      "'emails' is not a field of the body. Known: email_addresses, github_usernames.",
    ],
    [
      'a mistyped field',
      { email_adresses: ['ada@example.com'] },
      "'email_adresses' is not a field of the body. Did you mean 'email_addresses'? Known: email_addresses, github_usernames.",
    ],
    ['an array', [], 'The body must be a JSON object, not an array.'],
    [
      'a text in place of a list',
      { email_addresses: 'ada@example.com' },
      'email_addresses must be an array of strings, not a string.',
    ],
    ['a number in a list', { github_usernames: ['ada', 7] }, 'github_usernames[1] must be a string, not a number.'],
    ['null in a list', { email_addresses: [null] }, 'email_addresses[0] must be a string, not null.'],
    ['an object in a list', { email_addresses: [{}] }, 'email_addresses[0] must be a string, not an object.'],
    ['a blank entry', { email_addresses: ['ada@example.com', ' \t'] }, 'email_addresses[1] must not be blank.'],
    ['an empty entry', { github_usernames: [''] }, 'github_usernames[0] must not be blank.'],
    [
      'an endless entry',
      { github_usernames: ['x'.repeat(1_001)] },
      'github_usernames[0] is too long: at most 1000 characters are accepted.',
    ],
    [
      'a control character',
      { github_usernames: ['ada', 'a\u0000b'] },
      'github_usernames[1] contains a control character or a broken Unicode character.',
    ],
    [
      'half a character',
      { email_addresses: ['\ud800@example.com'] },
      'email_addresses[0] contains a control character or a broken Unicode character.',
    ],
    [
      'too many identifiers in one list',
      { email_addresses: Array.from({ length: 10_001 }, (_, i) => `p${i}@example.com`) },
      'email_addresses has too many entries: at most 10000 are accepted.',
    ],
    [
      'too many identifiers in both lists',
      {
        email_addresses: Array.from({ length: 5_001 }, (_, i) => `p${i}@example.com`),
        github_usernames: Array.from({ length: 5_000 }, (_, i) => `p${i}`),
      },
      '10001 identifiers are too many: at most 10000 are accepted in one request, in both lists together.',
    ],
  ])('%s is explained in a sentence', async (_name, body, detail) => {
    const answer = await send(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ detail });
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['no body at all', '', /^The body is empty: it must be a JSON object\. \/docs shows/],
    ['broken JSON', '{"email_addresses": [', /^The body is not valid JSON: /],
    ['a word', 'hello', /^The body is not valid JSON: /],
    ['null', 'null', /^The body must be a JSON object, and it is empty or null\.$/],
    ['a number', '7', /^The body must be a JSON object, not a number\.$/],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /^The body is not valid UTF-8\.$/],
    [
      'a prototype',
      '{"__proto__": {"email_addresses": ["ada@example.com"]}}',
      /^'__proto__' is not a field of the body\./,
    ],
    ['a constructor', '{"constructor": {"prototype": {}}}', /^'constructor' is not a field of the body\./],
    [
      'very deep nesting',
      `{"email_addresses":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      /^The body is nested deeper than 16 levels\.$/,
    ],
    ['very deep broken nesting', '['.repeat(500_000), /^The body is nested deeper than 16 levels\.$/],
  ])('%s is readable too', async (_name, body, detail) => {
    const answer = await send(body, json);
    expect(answer.status).toBe(400);
    expect((answer.json as { detail: string }).detail).toMatch(detail);
  });

  test('Neither body nor content type is an absent body', async () => {
    const answer = await service().request('POST', path, { key: service().keys.owner });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ detail: 'The body must be a JSON object, and it is empty or null.' });
  });
});

test('A refused request changes nothing', async () => {
  await service().request('POST', '/users/onboarded-users-by-attributes', {
    key: service().keys.owner,
    body: { github_usernames: ['barbara', ''] },
  });
  const { text } = await service().request('GET', '/users/onboarded-users-by-attributes', {
    key: service().keys.owner,
  });
  expect(text).not.toContain('Barbara');
});
