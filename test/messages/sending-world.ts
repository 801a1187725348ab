import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import { HttpChannel } from '../../src/messages/channels/http-channel.ts';
import { MailChannel, type MailServer } from '../../src/messages/channels/mail-channel.ts';
import type { MessageContent, OutgoingMessage, Receiver } from '../../src/messages/message-content.ts';
import { MessageSender } from '../../src/messages/message-sender.ts';
import { type MessageSettings, Messages } from '../../src/messages/messages.ts';
import { Secrets } from '../../src/secrets/secrets.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { type StoreHome, someOrganisation, type TestedStore } from '../conformance/stores.ts';

export const content: MessageContent = {
  title: 'Lead time is unusual',
  organisation: 'Acme',
  intro: ['Lead time of Checkout was 4d 2h last week.'],
  data: { metric: 'lead-time-for-changes', value: 352_800 },
};

export const origin = { kind: 'alert', slug: 'lead-time' } as const;

/** A store with an organisation, messages in it, and as many senders over it as a test starts. */
export function sendingWorld(engine: TestedStore) {
  let home: StoreHome;
  let store: Store;
  let organisationId: string;
  let opened: { close(): Promise<void> }[];
  let clock: Date;
  const now = () => clock;

  beforeEach(async () => {
    clock = new Date('2026-11-16T08:00:00Z');
    home = await engine.placeWithTables();
    store = await openStore(home);
    ({ id: organisationId } = await someOrganisation(store));
    opened = [];
  });
  afterEach(async () => {
    for (const one of opened.toReversed()) await one.close();
    await store.close();
    await home.remove();
  });

  /** Making a key of a word takes a tenth of a second. */
  const known = new Map<string, Secrets>();
  const secrets = (secret = 'a word'): Secrets => {
    const made = known.get(secret) ?? new Secrets({ folder: home.folder, secret });
    known.set(secret, made);
    return made;
  };
  const messages = (mailServer?: MailServer, settings: Partial<MessageSettings> = {}) =>
    new Messages({
      store,
      secrets: secrets(),
      now,
      settings: {
        mailServer,
        mailSender: { name: 'Plumb', address: 'plumb@acme.example' },
        publicUrl: 'https://plumb.acme.example',
        privateHosts: ['127.0.0.1'],
        ...settings,
      },
    });

  /** A process that sends, over a store of its own where it is on a server. */
  async function sender({
    mailServer,
    timeoutMs = 400,
    leaseMs = 60_000,
    secret,
  }: {
    readonly mailServer?: MailServer;
    readonly timeoutMs?: number;
    readonly leaseMs?: number;
    readonly secret?: string;
  } = {}): Promise<MessageSender> {
    const own = home.databaseUrl === undefined ? undefined : await openStore(home);
    if (own) opened.push(own);
    const http = new HttpChannel({ mayBePrivate: (host) => host === '127.0.0.1', now, timeoutMs });
    const timeouts = { greetingMs: timeoutMs, idleMs: timeoutMs, exchangeMs: 2 * timeoutMs };
    const made = new MessageSender({
      store: own ?? store,
      secrets: secrets(secret),
      channels: { slack: http, teams: http, webhook: http, email: new MailChannel({ server: mailServer, timeouts }) },
      holder: randomUUID(),
      now,
      onError: (error) => {
        throw error;
      },
      terms: { leaseMs, lookMs: 50 },
    });
    opened.push(made);
    return made;
  }

  const webhook = (address: string, key = `webhook:${address}`): Receiver => ({
    key,
    medium: 'webhook',
    address,
    signingSecret: 'shared',
  });

  const queue = (...outgoing: OutgoingMessage[]): Promise<number> =>
    store.change(organisationId, (session) => messages().queue(session, outgoing));

  return {
    messages,
    sender,
    webhook,
    queue,
    content,
    origin,
    store: () => store,
    home: () => home,
    organisationId: () => organisationId,
    deliveries: () => messages().deliveries(organisationId),
    later: (ms: number) => {
      clock = new Date(clock.getTime() + ms);
    },
  };
}
