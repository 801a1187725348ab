import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RequestLog } from '../../../src/http/request-log.ts';
import type { MessageContent } from '../../../src/messages/message-content.ts';
import { Messages } from '../../../src/messages/messages.ts';
import { auditEntries } from '../../../src/store/audit.ts';
import { listMessageReceivers } from '../../../src/store/message-rows.ts';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
let token = '';
beforeAll(async () => {
  service = await startService({ rateLimit: 6_000 });
  await queueTo('ada@acme.example', 'ben@acme.example');
  token = (await rows())[0]?.stop_token ?? '';
});
afterAll(() => service.close());

const origin = { kind: 'digest', slug: 'monday' } as const;
const content: MessageContent = { title: 'Monday', organisation: 'Acme', intro: [], data: {} };

/** As a server whose operator has set mail up. */
const ready = () =>
  new Messages({
    store: service.app.store,
    secrets: service.app.secrets,
    now: service.app.now,
    settings: {
      mailServer: undefined,
      mailSender: { name: '', address: 'plumb@acme.example' },
      publicUrl: service.url,
      privateHosts: [],
    },
  });

const queueTo = (...addresses: string[]): Promise<unknown> =>
  service.app.store.change(service.organisationId, (session) =>
    ready().queue(
      session,
      addresses.map((address) => ({
        origin,
        receiver: { key: `email:${address}`, medium: 'email' as const, address },
        content,
      })),
    ),
  );
const rows = () => service.app.store.read((session) => listMessageReceivers(session, service.organisationId, origin));
const waiting = async () =>
  (await service.app.messages.deliveries(service.organisationId)).map(({ receiverKey }) => receiverKey).toSorted();

/** As mail programs send it by themselves: from nowhere, without a session. */
const oneClick = (token: string, type = 'application/x-www-form-urlencoded') =>
  fetch(`${service.url}/stop/${token}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': type, origin: 'https://mail.example' },
    body: 'List-Unsubscribe=One-Click',
  });

test('Opening the link of a mail shows a button, loads nothing and changes nothing', async () => {
  const answer = await fetch(`${service.url}/stop/${token}`);
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(page).toContain('Stop this digest?');
  expect(page).toContain('monday of Analytical Engines won’t be sent to ada@acme.example any more.');
  expect(page).toContain('<form method="post">');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await waiting()).toEqual(['email:ada@acme.example', 'email:ben@acme.example']);
});

test('The token of a link opens nothing else', async () => {
  const asKey = await fetch(`${service.url}/teams`, { headers: { authorization: `Bearer ${token}` } });
  const asSession = await fetch(`${service.url}/app/me`, { headers: { cookie: `plumb_session=${token}` } });
  const asSignIn = await fetch(`${service.url}/sign-in/${token}`);
  expect([asKey.status, asSession.status, asSignIn.status]).toEqual([401, 401, 404]);
});

test('Its button and a mail program stop one digest for one receiver, and a second time changes nothing', async () => {
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
    const answer = await oneClick(token, type);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('You won’t get the digest monday again.');
  }
  expect((await rows()).map(({ receiver, stopped_at }) => [receiver, stopped_at === null])).toEqual([
    ['email:ada@acme.example', false],
    ['email:ben@acme.example', true],
  ]);
  expect(await waiting()).toEqual(['email:ben@acme.example']);
  await queueTo('ada@acme.example', 'ben@acme.example');
  expect(await waiting()).toEqual(['email:ben@acme.example', 'email:ben@acme.example']);
  const entries = await service.app.store.read((session) => auditEntries(session, service.organisationId, 20));
  const stops = entries.filter(({ action }) => action === 'message.stop');
  expect(stops).toHaveLength(1);
  expect(stops[0]).toMatchObject({ via: 'mail', actor: null, subject: 'monday' });
  expect(await (await fetch(`${service.url}/stop/${token}`)).text()).toContain('<h1>Stopped</h1>');
});

test('A removed digest takes its links along', async () => {
  const [, other] = await rows();
  await service.app.store.change(service.organisationId, (session) => service.app.messages.forget(session, origin));
  expect((await oneClick(other?.stop_token ?? '')).status).toBe(404);
  expect(await waiting()).toEqual([]);
});

test('Guesses at links are limited, and are not looked up where they cannot be one', async () => {
  const first = await fetch(`${service.url}/stop/plumbstop_guess`);
  expect(first.status).toBe(404);
  expect(await first.text()).toContain('This link doesn’t work');
  const statuses: number[] = [];
  for (let guess = 0; guess < 40; guess += 1) statuses.push((await fetch(`${service.url}/stop/${guess}`)).status);
  expect(new Set(statuses)).toEqual(new Set([404, 429]));
});

test('A fault that quotes the address of a link says nothing of its token in the log', () => {
  const lines: string[] = [];
  const log = new RequestLog(pino({}, { write: (line) => void lines.push(line) }), undefined);
  const request = { id: 'one', routeOptions: { url: '/stop/:token' } } as FastifyRequest;
  log.fault(request, new Error(`no answer for /stop/${token}`));
  expect(lines.join('')).toContain('/stop/plumb_…');
  expect(lines.join('')).not.toContain(token);
});
