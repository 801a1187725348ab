import { actorOf, type Principal } from '../access/principal.ts';
import { readPeople } from '../alerts/kept-receivers.ts';
import type { StoredReceiver } from '../alerts/recipients.ts';
import type { StoredDocument } from '../documents/document-kind.ts';
import type { DocumentCaller } from '../documents/documents.ts';
import { TeamsOfReader, teamIdsIn } from '../documents/teams-of-reader.ts';
import { mayRead, readersOf, type StoredVisibleTo } from '../documents/visible-to.ts';
import type { MessageOrigin } from '../messages/message-content.ts';
import type { Messages } from '../messages/messages.ts';
import { Refusal } from '../refusal.ts';
import { findDocument } from '../store/document-rows.ts';
import { listMessageReceivers } from '../store/message-rows.ts';
import type { Reading, Store } from '../store/store.ts';
import type { OrganisationDocuments } from './organisation-documents.ts';

interface ReceivedParts {
  readonly store: Pick<Store, 'read' | 'change'>;
  readonly documents: Pick<OrganisationDocuments, 'alert' | 'digest'>;
  readonly messages: Pick<Messages, 'setStopped' | 'deliveries' | 'missingSettings'>;
}

/** An alert or a digest that is sent to an address of somebody. */
interface ReceivedNotification {
  readonly origin: MessageOrigin;
  /** Null where it was removed: nothing is sent. */
  readonly owner: { readonly id: string; readonly name: string } | null;
  readonly addresses: readonly string[];
  readonly isStopped: boolean;
}

/** A document with what says who gets it and what it is about. */
type AddressedToPeople = StoredDocument<{ readonly to: readonly StoredReceiver[]; readonly [field: string]: unknown }>;

interface FoundDocument {
  readonly origin: MessageOrigin;
  readonly stored: AddressedToPeople;
}

/** What each person is sent by mail, also where others have made it, and how they stop it. */
export class ReceivedNotifications {
  readonly #parts: ReceivedParts;

  constructor(parts: ReceivedParts) {
    this.#parts = parts;
  }

  /** Which settings of the server mail still needs. */
  missingSettings(): readonly string[] {
    return this.#parts.messages.missingSettings();
  }

  /** What is sent to the addresses of the caller, without what names something that they may not see. */
  async list({ principal, ticket }: DocumentCaller): Promise<ReceivedNotification[]> {
    const { store, documents } = this.#parts;
    const { organisationId } = principal;
    const found = [
      ...(await documents.alert.all(organisationId)).map((stored) => foundAs('alert', stored)),
      ...(await documents.digest.all(organisationId)).map((stored) => foundAs('digest', stored)),
    ];
    const read = async (session: Reading) => {
      const people = await readPeople(
        session,
        organisationId,
        found.map(({ stored }) => ({ ownerId: null, to: stored.document.to })),
      );
      const isOwn = ({ medium, shown }: StoredReceiver) =>
        medium === 'email' && people.byAddress.get(shown)?.id === principal.personId;
      const teams = await TeamsOfReader.of(session, principal);
      const stopped = new Set(
        (await listMessageReceivers(session, organisationId))
          .filter(({ stopped_at }) => stopped_at !== null)
          .map(({ about_kind, about_slug, receiver }) => stopName(about_kind, about_slug, receiver)),
      );
      const received: ReceivedNotification[] = [];
      for (const { origin, stored } of found) {
        const own = stored.document.to.filter(isOwn);
        if (own.length === 0 || !(await isSeen(session, principal, teams, stored))) continue;
        received.push({
          origin,
          owner: stored.owner,
          addresses: own.map(({ shown }) => shown),
          isStopped: own.every(({ key }) => stopped.has(stopName(origin.kind, origin.slug, key))),
        });
      }
      return received;
    };
    return store.read(read, { ticket, organisationId });
  }

  /** Stops an alert or a digest for all addresses of the caller, or begins again. Others go on getting it. */
  async setStopped(caller: DocumentCaller, origin: MessageOrigin, isStopped: boolean): Promise<void> {
    const { store, messages } = this.#parts;
    const { principal, ticket } = caller;
    const received = (await this.list(caller)).find((one) => isSame(one.origin, origin));
    if (!received) {
      throw new Refusal('not-found', `No ${origin.kind} '${origin.slug.slice(0, 60)}' is sent to an address of yours.`);
    }
    if (received.isStopped === isStopped) return;
    await store.change(
      principal.organisationId,
      async (session) => {
        for (const address of received.addresses) {
          const receiverKey = `email:${address}`;
          await messages.setStopped(session, actorOf(principal), { origin, receiverKey, isStopped });
        }
      },
      { ticket },
    );
  }

  /** The newest messages: Owners see all of the organisation, everyone else those to their own addresses. */
  async deliveries(caller: DocumentCaller) {
    const { organisationId, role } = caller.principal;
    if (role === 'Owner') return this.#parts.messages.deliveries(organisationId);
    const received = await this.list(caller);
    const receivers = [...new Set(received.flatMap(({ addresses }) => addresses.map((address) => `email:${address}`)))];
    const sent = await this.#parts.messages.deliveries(organisationId, { receivers });
    return sent.filter(({ origin }) => received.some((one) => isSame(one.origin, origin)));
  }
}

const foundAs = (kind: MessageOrigin['kind'], stored: StoredDocument<object>): FoundDocument => ({
  origin: { kind, slug: stored.slug },
  stored: stored as AddressedToPeople,
});

const isSame = (one: MessageOrigin, other: MessageOrigin): boolean =>
  one.kind === other.kind && one.slug === other.slug;

const stopName = (kind: string, slug: string, receiver: string): string => JSON.stringify([kind, slug, receiver]);

/** Whether somebody may see the teams, the board and the goal that a document names. Its owner has written them. */
async function isSeen(
  session: Reading,
  principal: Principal,
  teams: TeamsOfReader,
  { owner, document }: AddressedToPeople,
): Promise<boolean> {
  if (owner?.id === principal.personId) return true;
  if (![...teamIdsIn(document)].every((id) => teams.isSeen(id))) return false;
  const { board, rule } = document as {
    readonly board?: string | null;
    readonly rule?: { readonly goal?: string };
  };
  const [kind, slug] = typeof board === 'string' ? (['board', board] as const) : (['goal', rule?.goal] as const);
  if (slug === undefined) return true;
  const row = await findDocument(session, principal.organisationId, kind, slug);
  if (!row) return false;
  const named = JSON.parse(row.body) as { readonly visible_to: StoredVisibleTo };
  const isOwn = row.owner === principal.personId;
  return isOwn || mayRead(principal, teams, readersOf(named.visible_to));
}
