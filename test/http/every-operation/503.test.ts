import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Refusal } from '../../../src/refusal.ts';
import { type Service, serveBeside } from '../../setup/running-app.ts';
import { unchangedService } from '../../setup/unchanged-service.ts';

const data = unchangedService();
let service: Service;
afterEach(() => service.close());

const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

test('While it drains, new requests are turned away and the connection is closed; health checks are answered', async () => {
  service = await serveBeside(data(), {});
  service.httpApp.drain();
  const answer = await service.request('GET', '/teams', { key: service.keys.owner });
  expect(answer.status).toBe(503);
  expect(answer.text).toBe('{"detail":"The service is shutting down. Send the request again in a moment."}');
  expect(answer.headers).toMatchObject({ 'retry-after': '5', connection: 'close' });
  expect((await service.request('GET', '/livez')).status).toBe(200);
  const ready = await service.request('GET', '/readyz');
  expect([ready.status, ready.text]).toEqual([503, '{"detail":"The service is shutting down."}']);
});

test('Closing finishes what is under way, also on connections that stay open, and then ends', async () => {
  const { open, opened } = gate();
  const { open: begun, opened: hasBegun } = gate();
  service = await serveBeside(data(), {
    parts: (app) => ({
      listings: {
        onboardedUsers: (id) => app.listings.onboardedUsers(id),
        teams: async (id) => {
          begun();
          await opened;
          return app.listings.teams(id);
        },
      },
    }),
  });
  const underWay = service.raw(
    `GET /teams HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.keys.owner}\r\n\r\n`,
    20_000,
  );
  const idle = connect(service.port, '127.0.0.1');
  idle.on('error', () => {});
  await hasBegun;
  const startedAt = Date.now();
  const closed = service.httpApp.close();
  setTimeout(open, 300);
  expect(await underWay).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"team_name":"Payments"/);
  await closed;
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  idle.destroy();
});

test('Too many requests at once are turned away until the others are done', async () => {
  const { open, opened } = gate();
  service = await serveBeside(data(), {
    parts: (app) => ({
      load: { maxInFlight: 3 },
      listings: {
        onboardedUsers: (id) => app.listings.onboardedUsers(id),
        teams: async (id) => {
          await opened;
          return app.listings.teams(id);
        },
      },
    }),
  });
  const waiting = Array.from({ length: 3 }, () => service.request('GET', '/teams', { key: service.keys.owner }));
  const users = () => service.request('GET', '/users/onboarded-users-by-attributes', { key: service.keys.owner });
  await expect.poll(async () => (await users()).status).toBe(503);
  const refused = await users();
  expect(refused.headers['retry-after']).toBe('2');
  expect(refused.text).toBe('{"detail":"The service is overloaded. Send the request again in a moment."}');
  expect((await service.request('GET', '/livez')).status).toBe(200);
  expect((await service.request('GET', '/readyz')).status).toBe(200);
  open();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await users()).status).toBe(200);
});

test('Callers that hang up do not count as under way for ever', async () => {
  service = await serveBeside(data(), {
    parts: () => ({
      load: { maxInFlight: 2 },
      listings: { teams: () => new Promise(() => {}), onboardedUsers: async () => [] },
    }),
  });
  for (let i = 0; i < 3; i += 1) {
    await service.raw(`GET /teams HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.keys.owner}\r\n\r\n`, 100);
  }
  const users = () => service.request('GET', '/users/onboarded-users-by-attributes', { key: service.keys.owner });
  await expect.poll(async () => (await users()).status).toBe(200);
  expect(service.log.join('')).toContain('abandoned');
});

test('A store that is away is 503 with the time to come back', async () => {
  const away = () =>
    Promise.reject(new Refusal('unavailable', 'The store cannot be reached.', { retryAfterSeconds: 3 }));
  service = await serveBeside(data(), {
    parts: () => ({
      listings: { teams: away, onboardedUsers: away },
      authentication: {
        authenticate: away,
        authenticateSession: away,
        known: () => undefined,
        recognise: () => undefined,
      },
      ready: away,
    }),
  });
  const answer = await service.request('GET', '/teams', { key: service.keys.owner });
  expect([answer.status, answer.text]).toEqual([503, '{"detail":"The store cannot be reached."}']);
  expect(answer.headers['retry-after']).toBe('3');
  expect((await service.request('GET', '/readyz')).status).toBe(503);
});

test('Why the store is away stands in the log, and is not shown to the caller', async () => {
  const cause = new Error('IO Error: No space left on device');
  const away = () => Promise.reject(new Refusal('unavailable', 'Send the request again.', { cause }));
  service = await serveBeside(data(), { parts: () => ({ listings: { teams: away, onboardedUsers: away } }) });
  const answer = await service.request('GET', '/teams', { key: service.keys.owner });
  expect([answer.status, answer.text]).toEqual([503, '{"detail":"Send the request again."}']);
  await expect.poll(() => service.log.join('')).toContain('No space left on device');
});

test('A store that fails in some other way makes it unready without saying how', async () => {
  service = await serveBeside(data(), {
    parts: () => ({ ready: () => Promise.reject(new Error('password=hunter2')) }),
  });
  const answer = await service.request('GET', '/readyz');
  expect([answer.status, answer.text]).toEqual([503, '{"detail":"The store or the tables cannot be reached."}']);
  expect((await service.request('GET', '/livez')).text).toBe('{"status":"ok"}');
});
