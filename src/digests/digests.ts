import { principalOfPerson } from '../access/principal.ts';
import { mailTo } from '../alerts/alert-evaluation.ts';
import { silencedContent } from '../alerts/alert-words.ts';
import { readPeople } from '../alerts/kept-receivers.ts';
import { type Recipient, recipientsOf } from '../alerts/recipients.ts';
import { writeUnchanged } from '../alerts/unchanged-organisation.ts';
import { TimeZone } from '../calendar.ts';
import type { StoredDocument } from '../documents/document-kind.ts';
import type { Documents } from '../documents/documents.ts';
import { storedDocument } from '../documents/planned-change.ts';
import type { OutgoingMessage } from '../messages/message-content.ts';
import type { Messages } from '../messages/messages.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type DigestRunRow, findDigestRun, putDigestRun } from '../store/alert-rows.ts';
import { findDocument } from '../store/document-rows.ts';
import { findOrganisation, type OrganisationRow, versionIn } from '../store/organisation-rows.ts';
import { addressesOfOwners } from '../store/recipient-rows.ts';
import type { Reading, Store } from '../store/store.ts';
import { lastDayOfBoard } from './board-panels.ts';
import { type Digest, receiversOfDigest } from './digest-kind.ts';
import { lastDue, readSchedule, windowOfDigest } from './digest-schedule.ts';
import { type DigestMakerParts, incompleteSince, makeDigest, metricsOfOverview } from './make-digest.ts';

interface DigestsParts extends DigestMakerParts {
  readonly store: Store;
  readonly documents: Documents<Digest>;
  readonly messages: Pick<Messages, 'queue' | 'wake'>;
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
  /** Called with the error of one digest. The others go on. */
  readonly onError: (error: unknown) => void;
}

/** Data are waited for so long. */
const maxWaitSeconds = 6 * 3_600;
/** A digest that nobody could send for longer is left out: the next one comes. */
const maxLateSeconds = 24 * 3_600;

/** A digest and all that decides what is sent, in one state of the store. */
interface ReadDigest {
  readonly version: number;
  readonly organisation: OrganisationRow;
  readonly stored: StoredDocument<Digest>;
  readonly run: DigestRunRow | undefined;
  readonly recipients: readonly Recipient[];
  readonly owners: readonly string[];
}

/** Digests: sent when they are due, in the rights of those who get them, each once. */
export class Digests {
  readonly #parts: DigestsParts;

  constructor(parts: DigestsParts) {
    this.#parts = parts;
  }

  /** Sends the digests of an organisation that are due. */
  async sendDue(organisationId: string, signal?: AbortSignal): Promise<void> {
    for (const { slug } of await this.#parts.documents.all(organisationId)) {
      if (signal?.aborted) return;
      await this.#sendOne(organisationId, slug, signal).catch((error: unknown) => {
        if (!signal?.aborted) this.#parts.onError(error);
      });
    }
    this.#parts.messages.wake();
  }

  async #sendOne(organisationId: string, slug: string, signal: AbortSignal | undefined): Promise<void> {
    const { store, messages, onError } = this.#parts;
    const isDone = await writeUnchanged(store, organisationId, async () => {
      const read = await store.read((session) => readDigest(session, organisationId, slug), { organisationId });
      const found =
        read && (read.stored.owner ? await this.#find(read, read.stored.owner.id, signal) : this.#silence(read));
      if (!found) return undefined;
      const { dueAt, isSilent, outgoing } = found;
      return {
        version: read.version,
        write: async (session) => {
          await putDigestRun(session, { slug, due_at: dueAt, is_silent: isSilent });
          await messages.queue(session, outgoing);
        },
      };
    });
    if (!isDone) onError(new Error(`The digest ${slug} is sent later: the organisation changes all the time.`));
  }

  async #find(read: ReadDigest, ownerId: string, signal: AbortSignal | undefined): Promise<FoundDigest | undefined> {
    const due = this.#dueOf(read);
    if (due === undefined || (await this.#waitsForData(read, ownerId, due))) return undefined;
    const outgoing = await this.#make(read, ownerId, due, signal);
    return { dueAt: new Date(due * 1_000), isSilent: false, outgoing };
  }

  /** The moment at which it was due and has not been sent since, in seconds; undefined where there is none. */
  #dueOf({ organisation, stored, run }: ReadDigest): number | undefined {
    const now = this.#parts.now().getTime() / 1_000;
    const due = lastDue(readSchedule(stored.document.every), now, TimeZone.named(organisation.time_zone));
    const sentAt = (run?.due_at ?? stored.createdAt).getTime() / 1_000;
    return due > sentAt && now - due < maxLateSeconds ? due : undefined;
  }

  async #waitsForData({ organisation, stored }: ReadDigest, ownerId: string, due: number): Promise<boolean> {
    const { boards, now } = this.#parts;
    if (now().getTime() / 1_000 - due >= maxWaitSeconds) return false;
    const { document } = stored;
    const dueDay = TimeZone.named(organisation.time_zone).dayAt(due);
    const principal = await principalOfPerson(this.#parts.store, organisation.id, ownerId);
    if (!principal) return false;
    const board =
      document.board === null ? undefined : await boards.read({ principal }, document.board).catch(() => undefined);
    const names = board ? board.document.panels.map(({ metric }) => metric) : metricsOfOverview;
    const end = board
      ? lastDayOfBoard(board.document, dueDay)
      : windowOfDigest(readSchedule(document.every), dueDay).end;
    return (await incompleteSince(this.#parts, principal, names, end)) !== undefined;
  }

  async #make(
    read: ReadDigest,
    ownerId: string,
    dueAt: number,
    signal: AbortSignal | undefined,
  ): Promise<OutgoingMessage[]> {
    const { organisation, stored, recipients } = read;
    const { slug, document: digest } = stored;
    const receivers = await receiversOfDigest(this.#parts, organisation.id, stored);
    const outgoing: OutgoingMessage[] = [];
    for (const { receiver: known, as, isChannel } of recipients) {
      const principal = await principalOfPerson(this.#parts.store, organisation.id, as.id);
      const receiver = receivers.find(({ key }) => key === known.key);
      if (!principal || !receiver) continue;
      const content = await makeDigest(
        this.#parts,
        principal,
        {
          digest,
          slug,
          organisation: organisation.name,
          schedule: readSchedule(digest.every),
          dueDay: TimeZone.named(organisation.time_zone).dayAt(dueAt),
          viewOf: isChannel ? as.name : undefined,
          isForOthers: isChannel || as.id !== ownerId,
        },
        signal,
      );
      if (content) outgoing.push({ origin: { kind: 'digest', slug }, receiver, content });
    }
    return outgoing;
  }

  /** Owners are told once that nobody sends a digest any more. */
  #silence({ organisation, stored, run, owners }: ReadDigest): FoundDigest | undefined {
    if (run?.is_silent) return undefined;
    const { slug } = stored;
    const now = Math.floor(this.#parts.now().getTime() / 1_000);
    const setting = { slug, organisation: organisation.name, timeZone: organisation.time_zone, now };
    const outgoing = mailTo(owners, { kind: 'digest', slug }, silencedContent('digest', setting));
    return { dueAt: run?.due_at ?? stored.createdAt, isSilent: true, outgoing };
  }
}

interface FoundDigest {
  readonly dueAt: Date;
  readonly isSilent: boolean;
  readonly outgoing: readonly OutgoingMessage[];
}

async function readDigest(session: Reading, organisationId: string, slug: string): Promise<ReadDigest | undefined> {
  const organisation = await findOrganisation(session, organisationId);
  const row = await findDocument(session, organisationId, 'digest', slug);
  if (!organisation || !row) return undefined;
  const stored = storedDocument<Digest>(row);
  const sent = { ownerId: stored.owner?.id ?? null, to: stored.document.to };
  return {
    version: await versionIn(session, organisationId),
    organisation,
    stored,
    run: await findDigestRun(session, organisationId, slug),
    recipients: recipientsOf(sent, await readPeople(session, organisationId, [sent])),
    owners: sent.ownerId === null ? await addressesOfOwners(session, organisationId) : [],
  };
}
