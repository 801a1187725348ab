import type { AccessRole } from '../catalogue/directory-records.ts';
import type { WritingContext } from '../documents/document-kind.ts';
import type { Receiver } from '../messages/message-content.ts';
import type { Messages } from '../messages/messages.ts';
import { Refusal } from '../refusal.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { documentSecretsContext } from '../store/encrypted-texts.ts';
import { peopleByAddress, peopleById } from '../store/recipient-rows.ts';
import type { Reading } from '../store/store.ts';
import { type MessagePerson, maySendToOthers, type PeopleNamed, type StoredReceiver } from './recipients.ts';

export interface ReceiverParts {
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
  readonly messages: Pick<Messages, 'receiversOf'>;
}

/** What the receivers of a document come to. */
interface ReadReceiverList {
  readonly to: readonly StoredReceiver[];
  /** Their addresses, encrypted. */
  readonly secrets: string;
  /** What signs the bodies of webhooks that are new. Nobody sees it again. */
  readonly madeSecrets: readonly object[];
  /** Whether anybody but the owner reads what is sent. */
  readonly hasOthers: boolean;
}

interface SecretDocument {
  readonly slug: string;
  readonly secrets: string | null;
}

/** The receivers of a stored document with their addresses. */
export async function decryptReceivers(
  { secrets }: Pick<ReceiverParts, 'secrets'>,
  organisationId: string,
  kind: 'alert' | 'digest',
  { slug, secrets: encrypted }: SecretDocument,
): Promise<readonly Receiver[]> {
  if (encrypted === null) return [];
  const what = `The addresses of the ${kind} '${slug}'`;
  return JSON.parse(
    await secrets.decrypt(encrypted, documentSecretsContext(organisationId, kind, slug), what),
  ) as Receiver[];
}

/** Reads `to`. Refuses receivers that the owner of the document may not send to. */
export async function readReceiverList<D extends { readonly to: readonly StoredReceiver[] }>(
  parts: ReceiverParts,
  kind: 'alert' | 'digest',
  written: unknown,
  { principal, session, slug, before }: WritingContext<D>,
): Promise<ReadReceiverList> {
  const { organisationId } = principal;
  const kept = before ? await decryptReceivers(parts, organisationId, kind, before) : [];
  const { receivers, madeSecrets } = await parts.messages.receiversOf(written, kept);
  const ownerId = before?.owner?.id ?? principal.personId;
  const to = receivers.map(storedReceiver);
  const people = await readPeople(session, organisationId, [{ ownerId, to }]);
  const owner = people.byId.get(ownerId);
  if (!owner) throw new Error('the owner of a document is a person');
  const others = to.filter((receiver) => !isOwn(receiver, owner, people));
  if (others.length > 0 && !maySendToOthers(owner)) {
    throw new Refusal(
      'forbidden',
      `Only Managers and Owners send to channels and to others. ${owner.name} has the role ${owner.role} and may use an email address of their own.`,
    );
  }
  const isSame = kept.length === receivers.length && receivers.every((receiver, at) => receiver === kept[at]);
  const encrypted =
    isSame && before?.secrets
      ? before.secrets
      : await parts.secrets.encrypt(JSON.stringify(receivers), documentSecretsContext(organisationId, kind, slug));
  return { to, secrets: encrypted, madeSecrets, hasOthers: others.length > 0 };
}

function isOwn({ medium, shown }: StoredReceiver, owner: MessagePerson, { byAddress }: PeopleNamed): boolean {
  if (medium !== 'email') return false;
  const person = byAddress.get(shown);
  if (!person) throw new Refusal('bad-input', `to: ${shown} is no address of a person in this organisation.`);
  return person.id === owner.id;
}

/** The whole address of a channel is a secret. That of a person is not. */
function storedReceiver({ key, medium, address }: Receiver): StoredReceiver {
  const shown = medium === 'email' ? address : `${new URL(address).host}/…${address.slice(-4)}`;
  return { key, medium, shown };
}

/** The owners and receivers of some documents, as they are now. */
export async function readPeople(
  session: Reading,
  organisationId: string,
  documents: readonly { readonly ownerId: string | null; readonly to: readonly StoredReceiver[] }[],
): Promise<PeopleNamed> {
  const ids = [...new Set(documents.flatMap(({ ownerId }) => ownerId ?? []))];
  const mails = documents.flatMap(({ to }) => to.flatMap(({ medium, shown }) => (medium === 'email' ? shown : [])));
  const known = ({ asked, id, name, access_role: role }: Awaited<ReturnType<typeof peopleById>>[number]) =>
    [asked, { id, name, role: role as AccessRole }] as const;
  return {
    byId: new Map(ids.length === 0 ? [] : (await peopleById(session, organisationId, ids)).map(known)),
    byAddress: new Map(
      mails.length === 0 ? [] : (await peopleByAddress(session, organisationId, [...new Set(mails)])).map(known),
    ),
  };
}

/** Receivers as people read and write them. */
export const shownReceivers = (to: readonly StoredReceiver[]): object[] =>
  to.map(({ medium, shown }) => ({ [medium]: shown }));
