import { expect, test } from 'vitest';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();

test.each([
  ['DELETE', '/teams', 'GET, HEAD'],
  ['POST', '/teams', 'GET, HEAD'],
  ['OPTIONS', '/teams', 'GET, HEAD'],
  ['TRACE', '/teams', 'GET, HEAD'],
  ['PROPFIND', '/teams', 'GET, HEAD'],
  ['PUT', '/%74eams', 'GET, HEAD'],
  ['PATCH', '/users/onboarded-users-by-attributes', 'GET, HEAD, POST'],
  ['GET', '/users/offboarded-users-by-attributes', 'POST'],
  ['HEAD', '/users/offboarded-users-by-attributes', 'POST'],
  ['PUT', '/metrics/cycle-time', 'GET, HEAD, POST'],
  ['PATCH', '/metrics/get-multiple-metrics', 'GET, HEAD, POST'],
  ['DELETE', '/catalogue', 'GET, HEAD'],
])('%s %s says what the path takes', async (method, path, allow) => {
  const answer = await service().request(method, path, { key: service().keys.engineer });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe(allow);
  if (method !== 'HEAD') {
    expect((answer.json as { detail: string }).detail).toContain(`does not take ${method}. It takes ${allow}.`);
  }
});

test.each([
  ['POST', '/livez', 'GET, HEAD'],
  ['DELETE', '/', 'GET, HEAD'],
  ['PUT', '/openapi.json', 'GET, HEAD'],
  ['DELETE', '/sign-in/whatever', 'GET, HEAD, POST'],
  ['DELETE', '/stop/whatever', 'GET, HEAD, POST'],
  ['PUT', '/sign-in', 'GET, HEAD, POST'],
  ['POST', '/docs', 'GET, HEAD'],
])('%s %s needs no key to learn it', async (method, path, allow) => {
  const answer = await service().request(method, path);
  expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
});

test('A method that HTTP does not know, and CONNECT, are answered and not dropped', async () => {
  const unknown = await service().raw('FROBNICATE /teams HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(unknown).toMatch(/^HTTP\/1\.1 405 /);
  expect(unknown.toLowerCase()).toContain('\r\nallow: get, head\r\n');
  expect(unknown).toContain('{"detail":"This path does not take FROBNICATE. It takes GET, HEAD."}');
  const connect = await service().raw('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
  expect(connect).toMatch(/^HTTP\/1\.1 405 /);
  expect(connect).toContain('{"detail":"CONNECT is not taken here: this is no proxy."}');
});
