import { afterEach, expect, test } from 'vitest';
import type { OutgoingMessage } from '../../src/messages/message-content.ts';
import { embedded } from '../conformance/stores.ts';
import { mailHost, readMail } from './mail-host.ts';
import { sampleDigest } from './sample-digest.ts';
import { sendingWorld } from './sending-world.ts';

const { queue, sender, deliveries, later, messages, store, organisationId } = sendingWorld(embedded);
const hosts: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});
const hostThat = async (...given: Parameters<typeof mailHost>) => {
  const host = await mailHost(...given);
  hosts.push(host);
  return host;
};
const digest = { kind: 'digest', slug: 'monday' } as const;
const to = (address: string): OutgoingMessage => ({
  origin: digest,
  receiver: { key: `email:${address}`, medium: 'email', address },
  content: sampleDigest,
});

test('A mail is HTML with plain text beside it, and has a link that stops it for its receiver', async () => {
  const host = await hostThat();
  await queue(to('ada@acme.example'), to('ben@acme.example'));
  await (await sender({ mailServer: host.server })).settled();
  // Two receivers are sent to at the same time.
  const mails = host.received.toSorted((a, b) => (String(a.to) < String(b.to) ? -1 : 1));
  expect(mails.map((mail) => mail.to)).toEqual([['ada@acme.example'], ['ben@acme.example']]);
  const [first, second] = mails.map(readMail);
  const [delivery] = (await deliveries()).filter(({ receiverKey }) => receiverKey.includes('ada'));
  expect(host.received[0]?.from).toBe('plumb@acme.example');
  expect(first?.headers.get('subject')).toBe('Faster again, but failures stay high');
  expect(first?.headers.get('from')).toBe('Plumb <plumb@acme.example>');
  expect(first?.headers.get('to')).toBe('ada@acme.example');
  expect(first?.headers.get('message-id')).toBe(`<${delivery?.id}@plumb.acme.example>`);
  expect(first?.headers.get('date')).toBe('Mon, 16 Nov 2026 08:00:00 +0000');
  expect(first?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const stopUrl = first?.headers.get('list-unsubscribe')?.slice(1, -1) ?? '';
  expect(stopUrl).toMatch(/^https:\/\/plumb\.acme\.example\/stop\/plumbstop_\w+$/);
  expect(second?.headers.get('list-unsubscribe')).not.toContain(stopUrl);
  for (const text of [first?.text, first?.html]) {
    expect(text).toContain(stopUrl);
    for (const word of [
      'Cycle time, median',
      '1d 18h',
      '2h shorter than the week before',
      'Off track',
      'Longest 3d 6h',
    ])
      expect(text).toContain(word);
    expect(text).toContain('https://plumb.acme.example/delivery?repositories=ledger');
  }
});

test('The links of later mails are those of the first one', async () => {
  const host = await hostThat();
  const one = await sender({ mailServer: host.server });
  for (let week = 0; week < 2; week += 1) {
    await queue(to('ada@acme.example'));
    await one.settled();
    later(7 * 24 * 3_600_000);
  }
  const links = host.received.map((mail) => readMail(mail).headers.get('list-unsubscribe'));
  expect(new Set(links).size).toBe(1);
});

test('A server that refuses, hangs, cuts and says later gets the same bytes again until it takes them', async () => {
  const ways = [
    () => Promise.reject(Object.assign(new Error('later'), { responseCode: 451 })),
    () => new Promise<void>(() => {}),
    async () => {
      host.cut();
      await new Promise<void>(() => {});
    },
    () => Promise.reject(Object.assign(new Error('no'), { responseCode: 554 })),
    async () => {},
  ];
  const host = await hostThat({ answer: () => ways.shift()?.() ?? Promise.resolve() });
  const one = await sender({ mailServer: host.server, timeoutMs: 200 });
  await queue(to('ada@acme.example'));
  const statuses: (string | null | undefined)[] = [];
  for (let attempt = 0; attempt < 7; attempt += 1) {
    await one.settled();
    statuses.push((await deliveries())[0]?.status);
    later(3_600_000);
  }
  expect(statuses).toEqual([
    'smtp 451',
    'no answer in time',
    'connection broken',
    'smtp 554',
    'smtp 250',
    'smtp 250',
    'smtp 250',
  ]);
  expect(host.received).toHaveLength(5);
  expect(new Set(host.received.map(({ raw }) => raw)).size).toBe(1);
});

test('A server that does not greet, and one that is not there, are tried again', async () => {
  const host = await hostThat({ onConnect: () => {} });
  await queue(to('ada@acme.example'));
  await (await sender({ mailServer: host.server, timeoutMs: 150 })).settled();
  expect(await deliveries()).toMatchObject([{ state: 'queued', status: 'no answer in time' }]);
  later(3_600_000);
  await (await sender({ mailServer: { host: '127.0.0.1', port: 9, isSecure: false } })).settled();
  expect(await deliveries()).toMatchObject([{ state: 'queued', status: 'connection refused' }]);
  later(3_600_000);
  await (await sender()).settled();
  expect(await deliveries()).toMatchObject([{ state: 'queued', status: 'mail is not set up' }]);
});

test('A user is logged in, a wrong password is said, and a certificate has to be trusted', async () => {
  const host = await hostThat({
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'plumb' && password === 'right') done(null, { user: 'plumb' });
      else done(new Error('wrong'));
    },
  });
  await queue(to('ada@acme.example'));
  await (await sender({ mailServer: { ...host.server, user: 'plumb', password: 'wrong' } })).settled();
  expect((await deliveries())[0]?.status).toBe('smtp 535');
  later(3_600_000);
  await (await sender({ mailServer: { ...host.server, user: 'plumb', password: 'right' } })).settled();
  expect((await deliveries())[0]).toMatchObject({ state: 'sent', status: 'smtp 250' });
  const withTls = await hostThat({ secure: true, disabledCommands: [] });
  await queue(to('ben@acme.example'));
  await (await sender({ mailServer: { ...withTls.server, isSecure: true } })).settled();
  expect((await deliveries()).find(({ receiverKey }) => receiverKey.includes('ben'))?.status).toBe('no trusted TLS');
  expect(withTls.received).toHaveLength(0);
});

test('Names cannot begin another header, another receiver or another element', async () => {
  const host = await hostThat();
  const hostile = 'Team\r\nBcc: evil@x.org\u2028<img src=https://evil.example/x.png onerror=alert(1)>\u202e"\'&';
  const line = {
    text: hostile,
    detail: hostile,
    state: { text: hostile, tone: 'bad' },
    link: '//evil.example/',
  } as const;
  await queue({
    ...to('ada@acme.example'),
    content: {
      ...sampleDigest,
      title: hostile,
      organisation: hostile,
      period: hostile,
      intro: [hostile],
      figures: [
        { label: hostile, value: hostile, change: { text: hostile, tone: 'good' }, link: 'https://evil.example' },
      ],
      sections: [{ title: hostile, lines: [line] }],
      button: { text: hostile, link: 'javascript:alert(1)' },
      notes: [hostile],
    },
  });
  await (await sender({ mailServer: host.server })).settled();
  const [mail] = host.received;
  expect(mail?.to).toEqual(['ada@acme.example']);
  const read = readMail(mail ?? { raw: '' });
  expect([...read.headers.keys()]).not.toContain('bcc');
  expect(read.head).not.toMatch(/^bcc/im);
  expect(read.html).not.toMatch(/<img|<script|javascript:|href="[^"]*evil/i);
  expect(read.html).not.toMatch(/[\u2028\u202e]/);
  expect(read.text).not.toMatch(/[\u2028\u202e]|^Bcc/m);
  const addresses = [...read.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = '']) => new URL(address).host);
  expect(new Set(addresses)).toEqual(new Set(['plumb.acme.example']));
});

test('A mail that nobody could send when it was queued has failed at once, and says why', async () => {
  const host = await hostThat();
  const without = messages(undefined, { mailSender: undefined });
  await store().change(organisationId(), (session) => without.queue(session, [to('ada@acme.example')]));
  expect(await deliveries()).toMatchObject([{ state: 'failed', status: 'mail is not set up', tries: 0 }]);
  await (await sender({ mailServer: host.server })).settled();
  expect(host.received).toHaveLength(0);
});

test('What mail still needs is said by name', () => {
  expect(messages().mailProblem()).toBe('This server can’t send email yet. Its operator has to set PLUMB_SMTP_URL.');
  expect(messages({ host: 'localhost', port: 25, isSecure: false }).mailProblem()).toBeUndefined();
});
