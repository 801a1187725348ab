import { isWellFormed, stopKind } from '../access/secret-token.ts';
import { Refusal } from '../refusal.ts';
import { findByStopToken, type MessageReceiverRow } from '../store/message-rows.ts';
import { findOrganisation } from '../store/organisation-rows.ts';
import type { Store } from '../store/store.ts';
import type { MessageOrigin } from './message-content.ts';
import type { Messages } from './messages.ts';

/** What a link in a mail stops: one alert or digest for one receiver. */
interface StopLink {
  readonly origin: MessageOrigin;
  readonly organisationName: string;
  readonly address: string;
  readonly isStopped: boolean;
}

const unknownLink = (): Refusal =>
  new Refusal('not-found', 'This link stops nothing: what it was for has been removed, or the address is not whole.');

/** The links in mails. Who has one can stop what it names, and do nothing else. */
export class StopLinks {
  readonly #store: Pick<Store, 'read' | 'change'>;
  readonly #messages: Pick<Messages, 'setStopped'>;

  constructor(store: Pick<Store, 'read' | 'change'>, messages: Pick<Messages, 'setStopped'>) {
    this.#store = store;
    this.#messages = messages;
  }

  async peek(token: string): Promise<StopLink> {
    const row = await this.#row(token);
    const organisation = await this.#store.read((session) => findOrganisation(session, row.organisation_id));
    if (!organisation) throw unknownLink();
    return {
      origin: originOf(row),
      organisationName: organisation.name,
      address: row.receiver.replace(/^email:/, ''),
      isStopped: row.stopped_at !== null,
    };
  }

  /** A second time changes nothing. */
  async stop(token: string): Promise<StopLink> {
    const link = await this.peek(token);
    if (link.isStopped) return link;
    const row = await this.#row(token);
    await this.#store.change(row.organisation_id, (session) =>
      this.#messages.setStopped(
        session,
        { via: 'mail' },
        { origin: originOf(row), receiverKey: row.receiver, isStopped: true },
      ),
    );
    return { ...link, isStopped: true };
  }

  async #row(token: string): Promise<MessageReceiverRow> {
    const isToken = isWellFormed(stopKind, token);
    const row = isToken ? await this.#store.read((session) => findByStopToken(session, token)) : undefined;
    if (!row) throw unknownLink();
    return row;
  }
}

const originOf = ({ about_kind, about_slug }: MessageReceiverRow): MessageOrigin => ({
  kind: about_kind as MessageOrigin['kind'],
  slug: about_slug,
});
