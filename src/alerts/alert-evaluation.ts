import { type Principal, principalOfPerson } from '../access/principal.ts';
import { TimeZone } from '../calendar.ts';
import type { StoredDocument } from '../documents/document-kind.ts';
import type { DocumentCaller, Documents } from '../documents/documents.ts';
import { mayChange, storedDocument } from '../documents/planned-change.ts';
import type { OutgoingMessage, Receiver } from '../messages/message-content.ts';
import type { Messages } from '../messages/messages.ts';
import { Refusal } from '../refusal.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type AlertStateRow, listAlertStates, replaceAlertStates } from '../store/alert-rows.ts';
import { findDocument } from '../store/document-rows.ts';
import { findOrganisation, type OrganisationRow, versionIn } from '../store/organisation-rows.ts';
import { addressesOfOwners } from '../store/recipient-rows.ts';
import type { OrganisationWriting, Reading, Store } from '../store/store.ts';
import { compareTexts } from '../text-comparison.ts';
import type { Alert } from './alert-document.ts';
import type { KnownFacts } from './alert-facts.ts';
import { type AlertSetting, exampleContent, happeningContent, silencedContent } from './alert-words.ts';
import type { CauseState, Happening } from './causes.ts';
import { findTellings, type StatesByPerson, type Telling } from './find-tellings.ts';
import { decryptReceivers, readPeople } from './kept-receivers.ts';
import { isQuiet } from './quiet-hours.ts';
import { type PeopleNamed, type Recipient, recipientsOf } from './recipients.ts';
import { whyNotForOthers, whyNotShown } from './rule-fields.ts';
import { writeUnchanged } from './unchanged-organisation.ts';

interface AlertsParts {
  readonly store: Store;
  readonly documents: Documents<Alert>;
  readonly messages: Pick<Messages, 'queue' | 'wake' | 'deliveries'>;
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
  /** What a rule is about, in the rights of somebody; undefined where they may not see it. */
  readonly factsOf: (
    principal: Principal,
    rule: Alert['rule'],
    signal?: AbortSignal,
  ) => Promise<KnownFacts | undefined>;
  readonly now: () => Date;
  /** Called with the error of one alert. The others go on. */
  readonly onError: (error: unknown) => void;
}

/** An alert and all that decides what it tells, in one state of the store. */
interface ReadAlert {
  readonly version: number;
  readonly organisation: OrganisationRow;
  readonly stored: StoredDocument<Alert>;
  readonly people: PeopleNamed;
  readonly states: readonly AlertStateRow[];
  readonly owners: readonly string[];
}

/** Alerts: evaluated in the rights of those who get them, each cause told once. */
export class Alerts {
  readonly #parts: AlertsParts;

  constructor(parts: AlertsParts) {
    this.#parts = parts;
  }

  /** Evaluates all alerts of an organisation, one after another. */
  async evaluate(organisationId: string, signal?: AbortSignal): Promise<void> {
    for (const { slug } of await this.#parts.documents.all(organisationId)) {
      if (signal?.aborted) return;
      await this.#evaluateOne(organisationId, slug, signal).catch((error: unknown) => {
        if (!signal?.aborted) this.#parts.onError(error);
      });
    }
    this.#parts.messages.wake();
  }

  /** Whether the quiet hours of any alert have ended since it was last evaluated. */
  async hasQuietEnded(organisationId: string, since: Date, timeZone: string): Promise<boolean> {
    const zone = TimeZone.named(timeZone);
    const [before, now] = [since, this.#parts.now()].map((date) => date.getTime() / 1_000);
    return (await this.#parts.documents.all(organisationId)).some(
      ({ document: { quiet } }) => isQuiet(quiet, before ?? 0, zone) && !isQuiet(quiet, now ?? 0, zone),
    );
  }

  /** Sends an example to everybody whom the alert would tell now. Answers with how many get it. */
  async sendExample(caller: DocumentCaller, slug: string): Promise<number> {
    const { organisationId } = caller.principal;
    await this.#changeable(caller, slug);
    const { store, messages, secrets } = this.#parts;
    const read = await store.read((session) => readAlert(session, organisationId, slug), { organisationId });
    if (!read) return 0;
    const recipients = recipientsOf(
      { ownerId: read.stored.owner?.id ?? null, to: read.stored.document.to },
      read.people,
    );
    const receivers = await decryptReceivers({ secrets }, organisationId, 'alert', read.stored);
    const outgoing = recipients.flatMap((recipient) =>
      outgoingTo(
        recipient,
        receivers,
        slug,
        exampleContent(read.stored.document.rule, this.#settingFor(read, recipient)),
      ),
    );
    const count = await store.change(organisationId, (session) => messages.queue(session, outgoing));
    messages.wake();
    return count;
  }

  /** What was sent for an alert, the newest first. */
  async deliveries(caller: DocumentCaller, slug: string) {
    await this.#changeable(caller, slug);
    const origin = { kind: 'alert', slug } as const;
    const found = await this.#parts.messages.deliveries(caller.principal.organisationId, { origin });
    return found.map(({ id, receiver, title, state, tries, status, queuedAt, triedAt, doneAt }) => ({
      id,
      receiver: { ...receiver } as Readonly<Record<string, string>>,
      title,
      state,
      tries,
      status,
      queued_at: queuedAt.toISOString(),
      tried_at: triedAt?.toISOString() ?? null,
      done_at: doneAt?.toISOString() ?? null,
    }));
  }

  async #changeable(caller: DocumentCaller, slug: string): Promise<void> {
    const found = await this.#parts.documents.read(caller, slug);
    if (!mayChange(caller.principal, found)) {
      throw new Refusal(
        'forbidden',
        `Only the owner of the alert '${slug}' and Owners of the organisation may do this.`,
      );
    }
  }

  async #evaluateOne(organisationId: string, slug: string, signal: AbortSignal | undefined): Promise<void> {
    const { store, onError } = this.#parts;
    const isDone = await writeUnchanged(store, organisationId, async () => {
      const read = await store.read((session) => readAlert(session, organisationId, slug), { organisationId });
      if (!read) return undefined;
      const found = read.stored.owner ? await this.#find(read, read.stored.owner.id, signal) : this.#silence(read);
      const isSame = JSON.stringify(found.states) === JSON.stringify(read.states);
      if (isSame && found.outgoing.length === 0) return undefined;
      return { version: read.version, write: (session) => this.#write(session, slug, found) };
    });
    if (!isDone) onError(new Error(`The alert ${slug} is evaluated later: the organisation changes all the time.`));
  }

  async #write(session: OrganisationWriting, slug: string, { states, outgoing }: FoundMessages): Promise<void> {
    await replaceAlertStates(session, slug, states);
    await this.#parts.messages.queue(session, outgoing);
  }

  async #find(read: ReadAlert, ownerId: string, signal: AbortSignal | undefined): Promise<FoundMessages> {
    const { store, secrets, now, factsOf } = this.#parts;
    const { organisation, stored, people } = read;
    const { document, slug } = stored;
    const rule = JSON.stringify(document.rule);
    const clock = { now: Math.floor(now().getTime() / 1_000), zone: TimeZone.named(organisation.time_zone) };
    const recipients = recipientsOf({ ownerId, to: document.to }, people);
    const factsFor = async ({ id }: { readonly id: string }) => {
      const principal = await principalOfPerson(store, organisation.id, id);
      return principal && factsOf(principal, document.rule, signal);
    };
    const before = statesByPerson(read.states.filter((state) => state.rule === rule));
    const { tellings, states } = await findTellings(document, recipients, factsFor, before, clock);
    const receivers =
      tellings.length === 0 ? [] : await decryptReceivers({ secrets }, organisation.id, 'alert', stored);
    const outgoing = tellings.flatMap((telling) =>
      telling.recipients
        .filter((recipient) => isForThem(recipient, ownerId, document.rule, telling.facts))
        .flatMap((recipient) =>
          telling.happenings.flatMap((happening) =>
            outgoingTo(recipient, receivers, slug, this.#contentFor(read, recipient, telling, happening)),
          ),
        ),
    );
    return { outgoing, states: stateRows(organisation.id, slug, rule, states) };
  }

  #contentFor(read: ReadAlert, recipient: Recipient, { facts }: Telling<KnownFacts>, happening: Happening) {
    return happeningContent(happening, read.stored.document.rule, facts, this.#settingFor(read, recipient));
  }

  #settingFor({ organisation, stored }: ReadAlert, { isChannel, as }: Recipient): AlertSetting {
    return {
      slug: stored.slug,
      organisation: organisation.name,
      timeZone: organisation.time_zone,
      viewOf: isChannel ? as.name : undefined,
      now: Math.floor(this.#parts.now().getTime() / 1_000),
    };
  }

  /** Owners are told once that nobody sends an alert any more. */
  #silence({ organisation, stored, states, owners }: ReadAlert): FoundMessages {
    const { slug } = stored;
    if (states.some(({ cause }) => cause === silenced)) return { outgoing: [], states };
    const now = Math.floor(this.#parts.now().getTime() / 1_000);
    const setting = { slug, organisation: organisation.name, timeZone: organisation.time_zone, now };
    const content = silencedContent('alert', setting);
    const row = {
      organisation_id: organisation.id,
      slug,
      person_id: '',
      cause: silenced,
      rule: '',
      told: '',
      held: '[]',
    };
    return { outgoing: mailTo(owners, { kind: 'alert', slug }, content), states: [row] };
  }
}

const silenced = 'silenced';

interface FoundMessages {
  readonly outgoing: readonly OutgoingMessage[];
  readonly states: readonly AlertStateRow[];
}

async function readAlert(session: Reading, organisationId: string, slug: string): Promise<ReadAlert | undefined> {
  const organisation = await findOrganisation(session, organisationId);
  const row = await findDocument(session, organisationId, 'alert', slug);
  if (!organisation || !row) return undefined;
  const stored = storedDocument<Alert>(row);
  const ownerId = stored.owner?.id ?? null;
  return {
    version: await versionIn(session, organisationId),
    organisation,
    stored,
    people: await readPeople(session, organisationId, [{ ownerId, to: stored.document.to }]),
    states: (await listAlertStates(session, organisationId)).filter((state) => state.slug === slug),
    owners: ownerId === null ? await addressesOfOwners(session, organisationId) : [],
  };
}

/** What goes to others names nobody, also where the goal has changed since the alert was saved. */
function isForThem(recipient: Recipient, ownerId: string, rule: Alert['rule'], facts: KnownFacts): boolean {
  if (!recipient.isChannel && recipient.as.id === ownerId) return true;
  const goal = facts.kind === 'goal_missed' ? facts.goal : undefined;
  return whyNotForOthers(rule) === undefined && (goal === undefined || whyNotShown(goal) === undefined);
}

function outgoingTo(
  { receiver: { key } }: Recipient,
  receivers: readonly Receiver[],
  slug: string,
  content: OutgoingMessage['content'],
): OutgoingMessage[] {
  const receiver = receivers.find((known) => known.key === key);
  return receiver ? [{ origin: { kind: 'alert', slug }, receiver, content }] : [];
}

/** A message to people by their addresses alone. */
export const mailTo = (
  addresses: readonly string[],
  origin: OutgoingMessage['origin'],
  content: OutgoingMessage['content'],
): OutgoingMessage[] =>
  addresses.map((address) => ({ origin, content, receiver: { key: `email:${address}`, medium: 'email', address } }));

function statesByPerson(rows: readonly AlertStateRow[]): StatesByPerson {
  const states = new Map<string, CauseState[]>();
  for (const { person_id: person, cause, told, held } of rows)
    states.set(person, [...(states.get(person) ?? []), { cause, told, held: JSON.parse(held) as Happening[] }]);
  return states;
}

/** In the order in which they are read again. */
const stateRows = (organisationId: string, slug: string, rule: string, states: StatesByPerson): AlertStateRow[] =>
  [...states]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .flatMap(([person, causes]) =>
      causes
        .toSorted((a, b) => compareTexts(a.cause, b.cause))
        .map(({ cause, told, held }) => ({
          organisation_id: organisationId,
          slug,
          person_id: person,
          cause,
          rule,
          told,
          held: JSON.stringify(held),
        })),
    );
