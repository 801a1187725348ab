import { v4 } from 'uuid';
import { makeSecret, stopKind } from '../access/secret-token.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type Actor, audit } from '../store/audit.ts';
import { messageAddressContext } from '../store/encrypted-texts.ts';
import {
  addMessageReceivers,
  addMessages,
  countWaitingMessages,
  forgetAbout,
  listMessageReceivers,
  listMessages,
  type MessageReceiverRow,
  type MessageRow,
  stopReceiver,
} from '../store/message-rows.ts';
import type { OrganisationWriting, Store } from '../store/store.ts';
import type { MailServer } from './channels/mail-channel.ts';
import type { Medium, MessageOrigin, OutgoingMessage, Receiver } from './message-content.ts';
import { type ReadReceivers, type ReceiverPolicy, readReceivers, shownAddress } from './receivers.ts';
import { composedMail, type MailSender } from './render/mail.ts';
import type { Rendering } from './render/rendering.ts';
import { slackBody } from './render/slack-blocks.ts';
import { teamsBody } from './render/teams-card.ts';
import { webhookBody } from './render/webhook-body.ts';

/** How messages get out of the house: PLUMB_SMTP_URL, PLUMB_SMTP_FROM, PLUMB_PUBLIC_URL and PLUMB_SOURCE_HOSTS. */
export interface MessageSettings {
  readonly mailServer: MailServer | undefined;
  readonly mailSender: MailSender | undefined;
  readonly publicUrl: string | undefined;
  readonly privateHosts: readonly string[];
}

interface MessageParts {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
  readonly settings: MessageSettings;
  readonly now: () => Date;
  /** The addresses that a name has; injected by tests. */
  readonly addressesOf?: ReceiverPolicy['addressesOf'];
}

/** What was sent to a receiver, or is to be. */
interface MessageDelivery {
  readonly id: string;
  readonly origin: MessageOrigin;
  /** Of an address its host and its last four characters. */
  readonly receiver: Readonly<Partial<Record<Medium, string>>>;
  readonly receiverKey: string;
  readonly title: string;
  readonly state: 'queued' | 'sent' | 'failed';
  readonly queuedAt: Date;
  readonly tries: number;
  readonly triedAt: Date | null;
  /** The status that came back, or why none did; null before the first try. */
  readonly status: string | null;
  readonly nextTryAt: Date | null;
  readonly doneAt: Date | null;
}

const defaultDeliveries = 100;

/** Messages to people: who may get them, what waits to be sent, and what became of it. */
export class Messages {
  readonly #parts: MessageParts;
  readonly #wakers = new Set<() => void>();

  constructor(parts: MessageParts) {
    this.#parts = parts;
  }

  /** Reads `to` of an alert or a digest. */
  receiversOf(written: unknown, kept: readonly Receiver[]): Promise<ReadReceivers> {
    const { settings, addressesOf } = this.#parts;
    const { privateHosts } = settings;
    return readReceivers(written, kept, { privateHosts, ...(addressesOf ? { addressesOf } : {}) });
  }

  /** A receiver as people are shown it: `{"slack": "hooks.slack.com/…x4Zq"}`. It may be written so again. */
  shown(receiver: Receiver): Readonly<Partial<Record<Medium, string>>> {
    return { [receiver.medium]: shownAddress(receiver) };
  }

  /** The names of the settings that mail still needs. */
  missingSettings(): string[] {
    const { mailServer, mailSender, publicUrl } = this.#parts.settings;
    return [
      ...(mailServer === undefined ? ['PLUMB_SMTP_URL'] : []),
      ...(mailSender === undefined ? ['PLUMB_SMTP_FROM'] : []),
      ...(publicUrl === undefined ? ['PLUMB_PUBLIC_URL'] : []),
    ];
  }

  /** Which settings mail still needs, as a sentence; undefined where it can be sent. */
  mailProblem(): string | undefined {
    const missing = this.missingSettings();
    if (missing.length === 0) return undefined;
    const last = missing.pop();
    const names = missing.length === 0 ? last : `${missing.join(', ')} and ${last}`;
    return `This server can’t send email yet. Its operator has to set ${names}.`;
  }

  /**
   * Queues messages in the caller's transaction: they are sent exactly where it is kept. Those to receivers that have
   * stopped, and deliveries that are there already, are left out. Answers with how many there are.
   */
  async queue(session: OrganisationWriting, outgoing: readonly OutgoingMessage[]): Promise<number> {
    const receivers = await this.#noteReceivers(session, outgoing);
    const rows: MessageRow[] = [];
    for (const one of outgoing) {
      const known = receivers.get(receiverName(one));
      if (known?.stopped_at != null) continue;
      rows.push(await this.#row(session, one, known?.stop_token));
    }
    const unique = new Map(rows.toReversed().map((row) => [row.id, row]));
    await addMessages(session, [...unique.values()].toReversed());
    return unique.size;
  }

  /** Lets the one who sends look at once: the caller's transaction is over. */
  wake(): void {
    for (const look of this.#wakers) look();
  }

  onWake(look: () => void): void {
    this.#wakers.add(look);
  }

  /** Forgets an alert or a digest that is removed, with everything of it that waits. */
  forget(session: OrganisationWriting, origin: MessageOrigin): Promise<void> {
    return forgetAbout(session, origin);
  }

  /** The newest deliveries of an organisation, of one alert or digest, or to some receivers. */
  async deliveries(
    organisationId: string,
    { origin, receivers, limit = defaultDeliveries }: WantedDeliveries = {},
  ): Promise<MessageDelivery[]> {
    const { store } = this.#parts;
    const rows = await store.read(
      (session) => listMessages(session, organisationId, { about: origin, receivers, limit }),
      {
        organisationId,
      },
    );
    return rows.map(deliveryOf);
  }

  /** How many messages of all organisations wait to be sent. */
  waiting(): Promise<number> {
    return this.#parts.store.read(countWaitingMessages);
  }

  /** The keys of receivers that get nothing any more of an alert or a digest. */
  async stopped(organisationId: string, origin: MessageOrigin): Promise<ReadonlySet<string>> {
    const { store } = this.#parts;
    const rows = await store.read((session) => listMessageReceivers(session, organisationId, origin), {
      organisationId,
    });
    return new Set(rows.filter(({ stopped_at }) => stopped_at !== null).map(({ receiver }) => receiver));
  }

  /** Stops an alert or a digest for one receiver, and begins again. For others it goes on. */
  async setStopped(
    session: OrganisationWriting,
    actor: Actor,
    { origin, receiverKey, isStopped }: StoppedReceiver,
  ): Promise<void> {
    const { now } = this.#parts;
    await addMessageReceivers(session, [newReceiver(session.organisationId, origin, receiverKey)]);
    await stopReceiver(session, origin, receiverKey, isStopped ? now() : null);
    await audit(session, actor, now(), [
      {
        action: isStopped ? 'message.stop' : 'message.resume',
        subject: origin.slug,
        details: { kind: origin.kind, receiver: receiverKey },
      },
    ]);
  }

  /** Receivers of mail get a token each, with which the link in their mails stops. */
  async #noteReceivers(
    session: OrganisationWriting,
    outgoing: readonly OutgoingMessage[],
  ): Promise<ReadonlyMap<string, MessageReceiverRow>> {
    const { organisationId } = session;
    const mails = outgoing.filter(({ receiver }) => receiver.medium === 'email');
    const made = new Map(
      mails.map((one) => [receiverName(one), newReceiver(organisationId, one.origin, one.receiver.key)]),
    );
    await addMessageReceivers(session, [...made.values()]);
    const rows = await listMessageReceivers(session, organisationId);
    return new Map(rows.map((row) => [receiverNameOf(row.about_kind, row.about_slug, row.receiver), row]));
  }

  async #row(session: OrganisationWriting, one: OutgoingMessage, stopToken: string | undefined): Promise<MessageRow> {
    const { secrets, settings, now } = this.#parts;
    const { origin, receiver, content, deliveryId = v4(), notBefore } = one;
    const { organisationId } = session;
    const { key, ...address } = receiver;
    const queuedAt = now();
    const rendering: Rendering = { deliveryId, origin, content, publicUrl: settings.publicUrl, queuedAt };
    const row = {
      organisation_id: organisationId,
      id: deliveryId,
      about_kind: origin.kind,
      about_slug: origin.slug,
      receiver: key,
      medium: receiver.medium,
      shown: shownAddress(receiver),
      title: content.title,
      tries: 0,
      queued_at: queuedAt,
      next_try_at: notBefore !== undefined && notBefore > queuedAt ? notBefore : queuedAt,
      first_tried_at: null,
      last_tried_at: null,
      holder: null,
      lease_until: null,
    };
    const body = await this.#rendered(rendering, receiver, stopToken);
    if (body === undefined) {
      return { ...row, address: null, content: null, state: 'failed', last_status: notSetUp, done_at: queuedAt };
    }
    return {
      ...row,
      address: await secrets.encrypt(JSON.stringify(address), messageAddressContext(organisationId, deliveryId)),
      content: body,
      state: 'queued',
      last_status: null,
      done_at: null,
    };
  }

  /** What is sent, byte for byte, on every try. Undefined where a mail has no sender, or nowhere to lead to. */
  async #rendered(rendering: Rendering, { medium, address }: Receiver, stopToken = ''): Promise<string | undefined> {
    switch (medium) {
      case 'slack':
        return slackBody(rendering);
      case 'teams':
        return teamsBody(rendering);
      case 'webhook':
        return webhookBody(rendering);
      case 'email': {
        const { mailSender: from, publicUrl } = this.#parts.settings;
        if (from === undefined || publicUrl === undefined) return undefined;
        const envelope = {
          from,
          to: address,
          stopUrl: `${publicUrl}/stop/${stopToken}`,
          host: new URL(publicUrl).hostname,
        };
        return JSON.stringify(await composedMail(rendering, envelope));
      }
    }
  }
}

interface WantedDeliveries {
  readonly origin?: MessageOrigin;
  /** The keys of receivers; all of them where it is left out. */
  readonly receivers?: readonly string[];
  readonly limit?: number;
}

interface StoppedReceiver {
  readonly origin: MessageOrigin;
  readonly receiverKey: string;
  readonly isStopped: boolean;
}

const notSetUp = 'mail is not set up';

const receiverNameOf = (kind: string, slug: string, receiver: string): string => JSON.stringify([kind, slug, receiver]);
const receiverName = ({ origin, receiver }: OutgoingMessage): string =>
  receiverNameOf(origin.kind, origin.slug, receiver.key);

const newReceiver = (organisationId: string, { kind, slug }: MessageOrigin, receiver: string): MessageReceiverRow => ({
  organisation_id: organisationId,
  about_kind: kind,
  about_slug: slug,
  receiver,
  stop_token: makeSecret(stopKind),
  stopped_at: null,
});

const deliveryOf = (row: MessageRow): MessageDelivery => ({
  id: row.id,
  origin: { kind: row.about_kind as MessageOrigin['kind'], slug: row.about_slug },
  receiver: { [row.medium]: row.shown },
  receiverKey: row.receiver,
  title: row.title,
  state: row.state as MessageDelivery['state'],
  queuedAt: row.queued_at,
  tries: row.tries,
  triedAt: row.last_tried_at,
  status: row.last_status,
  nextTryAt: row.state === 'queued' ? row.next_try_at : null,
  doneAt: row.done_at,
});
