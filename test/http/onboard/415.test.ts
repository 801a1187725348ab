import { describe, expect, test } from 'vitest';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();

describe.each(['/users/onboarded-users-by-attributes', '/users/offboarded-users-by-attributes'])('POST %s', (path) => {
  test.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['something like JSON', { 'content-type': 'application/jsonp' }],
    ['nonsense', { 'content-type': ';;;' }],
    ['an empty type', { 'content-type': '' }],
    ['no type at all', {}],
    ['another charset', { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['UTF-16', { 'content-type': 'application/json;charset="utf-16"' }],
    ['a compressed body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('%s is not JSON', async (_name, headers) => {
    const answer = await service().request('POST', path, {
      key: service().keys.owner,
      headers: headers as Record<string, string>,
      body: '{"github_usernames":["barbara"]}',
    });
    expect(answer.status).toBe(415);
    expect(Object.keys(answer.json as object)).toEqual(['detail']);
    expect(answer.text).toMatch(/JSON|plain/);
  });
});
