import type { AccessRole } from '../catalogue/directory-records.ts';

/** A receiver as a document keeps it. Its whole address is among the secrets of the document. */
export interface StoredReceiver {
  /** Stays the same while the address does. */
  readonly key: string;
  readonly medium: 'slack' | 'teams' | 'email' | 'webhook';
  /** As people are shown it. Of an email address that is all of it. */
  readonly shown: string;
}

/** A person as far as it decides what is sent to them or in their name. */
export interface MessagePerson {
  readonly id: string;
  readonly name: string;
  readonly role: AccessRole;
}

/** A receiver, and as whom a message to them is made. */
export interface Recipient {
  readonly receiver: StoredReceiver;
  readonly as: MessagePerson;
  /** Whether others than that person read it, as in a channel. */
  readonly isChannel: boolean;
}

/** The people of an organisation who are named by a document: by their identifiers, and by their addresses in lower case. */
export interface PeopleNamed {
  readonly byId: ReadonlyMap<string, MessagePerson>;
  readonly byAddress: ReadonlyMap<string, MessagePerson>;
}

interface AddressedDocument {
  readonly ownerId: string | null;
  readonly to: readonly StoredReceiver[];
}

/** Channels and other people's mail are for those who may show something to others. */
export const maySendToOthers = ({ role }: Pick<MessagePerson, 'role'>): boolean =>
  role === 'Owner' || role === 'Manager';

/**
 * Whom a document reaches now: a person's address as that person, a channel as the owner of the document. Somebody who
 * left gets nothing; without an owner nobody does.
 */
export function recipientsOf({ ownerId, to }: AddressedDocument, people: PeopleNamed): Recipient[] {
  const owner = ownerId === null ? undefined : people.byId.get(ownerId);
  if (!owner) return [];
  return to.flatMap((receiver): Recipient[] => {
    if (receiver.medium !== 'email') return maySendToOthers(owner) ? [{ receiver, as: owner, isChannel: true }] : [];
    const person = people.byAddress.get(receiver.shown);
    if (!person) return [];
    return person.id === owner.id || maySendToOthers(owner) ? [{ receiver, as: person, isChannel: false }] : [];
  });
}
