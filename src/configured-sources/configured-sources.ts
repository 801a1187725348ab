import { randomBytes } from 'node:crypto';
import { v4 } from 'uuid';
import { didYouMean } from '../nearest.ts';
import { isNamedHost } from '../outgoing/checked-hosts.ts';
import { Refusal } from '../refusal.ts';
import { type Secrets, UnreadableSecret } from '../secrets/secrets.ts';
import { isReference } from '../sources/setting-references.ts';
import { type SettingValues, type SourceKind, type SourceMemory, SourceProblem } from '../sources/source.ts';
import {
  beforePicking,
  makesWebhookSecret,
  refuseBadSettings,
  requiredSettings,
  type SettingsOrigin,
  type SettingTexts,
  settingValues,
  webhookSecretField,
} from '../sources/source-settings.ts';
import { type Actor, audit } from '../store/audit.ts';
import {
  addSource,
  findSourceByName,
  listSources,
  listSyncs,
  putSource,
  removeSource,
  type SourceRow,
  type SourceSyncRow,
} from '../store/source-rows.ts';
import type { Reading, Store } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import { type AddressPolicy, privateHosts, refuseBaseAddress, setBy } from './base-address.ts';
import { decideIdHost } from './id-hosts.ts';
import {
  plainSettings,
  readingSettings,
  shownSettings,
  sourceMemory,
  storedFields,
  storedSettings,
  unlessUnreadable,
  webhookSettings,
  withoutMadeToken,
} from './stored-settings.ts';

export interface SourceParts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly kinds: readonly SourceKind[];
  readonly now: () => Date;
  /** PLUMB_SOURCE_HOSTS. */
  readonly sourceHosts: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The addresses that a name has; injected by tests. */
  readonly addressesOf?: AddressPolicy['addressesOf'];
}

/** The actor who changes sources, and the door that they use: its rules are in `SettingsOrigin`. */
export interface SourceChange {
  readonly organisationId: string;
  readonly actor: Actor;
  readonly origin: SettingsOrigin;
}

export interface AddedSource {
  readonly id: string;
  readonly kind: string;
  /** Shown now and never again; absent where it was given, or the kind has no webhooks. */
  readonly webhookSecret?: string;
}

/** A source as it is listed. Of secrets it says only that they are set, or that they cannot be read. */
export interface ListedSource {
  readonly row: SourceRow;
  readonly settings: SettingTexts;
  readonly sync: SourceSyncRow | undefined;
}

/** A source that is about to be read. */
export interface UsableSource {
  readonly kind: SourceKind;
  /** Secrets in clear, references followed. */
  readonly settings: SettingValues;
  /** Whether a host may have an address inside the company's network. */
  readonly mayBePrivate: (host: string) => boolean;
  readonly memory: SourceMemory;
}

/** The sources of organisations: added, changed, listed, removed, and made usable. */
export class ConfiguredSources {
  readonly #parts: SourceParts;

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  /** Where the trial throws, nothing is stored. */
  async add(
    change: SourceChange,
    kindName: string,
    name: string,
    given: SettingTexts,
    trial: (usable: () => UsableSource) => Promise<void> = async () => {},
  ): Promise<AddedSource> {
    const { store, secrets, now } = this.#parts;
    const kind = this.#kindFor(kindName, change.origin);
    const shown = name.trim();
    if (shown === '') throw new Refusal('bad-input', 'A source needs a name.');
    const texts = withoutEmpty(given);
    await this.#refuse(kind, texts, { origin: change.origin });
    await store.read((session) => refuseTakenName(session, change.organisationId, shown));
    const { organisationId: organisation_id, origin: added_by } = change;
    await trial(() => this.#usable(kind, texts, { organisation_id, added_by }));
    const made =
      makesWebhookSecret(kind) && texts[webhookSecretField.name] === undefined
        ? randomBytes(32).toString('base64url')
        : undefined;
    const all = made === undefined ? texts : { ...texts, [webhookSecretField.name]: made };
    const id = v4();
    await store.change(change.organisationId, async (session) => {
      await refuseTakenName(session, session.organisationId, shown);
      await decideIdHost(session, this.#parts, { kind, texts, addedBy: added_by });
      await addSource(session, {
        id,
        organisation_id: session.organisationId,
        kind: kind.kind,
        name: shown,
        name_key: keyOf(shown),
        added_by: change.origin,
        ...(await storedSettings(secrets, { id, kind: kind.kind }, storedFields(kind), all)),
        created_at: now(),
      });
      await audit(session, change.actor, now(), [
        { action: 'source.add', subject: id, details: { kind: kind.kind, name: shown, settings: Object.keys(texts) } },
      ]);
    });
    return { id, kind: kind.kind, ...(made === undefined ? {} : { webhookSecret: made }) };
  }

  /**
   * A source of settings that are not kept, to be tried. What is picked from what it sees may be missing still, and it
   * remembers nothing.
   */
  async unsaved(change: SourceChange, kindName: string, given: SettingTexts): Promise<UsableSource> {
    const whole = this.#kindFor(kindName, change.origin);
    const kind = { ...whole, settings: beforePicking(whole.settings) };
    const texts = withoutEmpty(given);
    await this.#refuse(kind, texts, { origin: change.origin });
    const usable = this.#usable(kind, texts, { organisation_id: change.organisationId, added_by: change.origin });
    return { ...usable, memory: { get: (key) => usable.memory.get(key), set: async () => {} } };
  }

  /** Changes settings; an empty text clears one. What is not given stays as it is. */
  async set(change: SourceChange, name: string, given: SettingTexts): Promise<SourceRow> {
    const { store, secrets, now } = this.#parts;
    const source = await this.named(change.organisationId, name);
    const kind = this.#kindFor(source.kind, change.origin);
    const kept = await this.#stillKnown(source, kind, given);
    const texts = withoutEmpty({ ...kept, ...given });
    await this.#refuse(kind, withoutMadeToken(kind, texts, given), { origin: change.origin, given });
    const addedBy = setBy(change.origin, source, kind, { texts, given });
    // Encrypted with a secret that may come back, it is better kept than lost.
    const isLocked = source.webhook_secret !== null && !(webhookSecretField.name in { ...texts, ...given });
    return store.change(change.organisationId, async (session) => {
      const row: SourceRow = {
        ...source,
        added_by: addedBy,
        ...(await storedSettings(secrets, source, storedFields(kind), texts)),
        ...(isLocked ? { webhook_secret: source.webhook_secret } : {}),
      };
      await putSource(session, row);
      await audit(session, change.actor, now(), [
        { action: 'source.set', subject: source.id, details: { name: source.name, settings: Object.keys(given) } },
      ]);
      return row;
    });
  }

  /** Removes a source. The rows that it brought stay. */
  async remove({ organisationId, actor }: SourceChange, name: string): Promise<SourceRow> {
    const { store, now } = this.#parts;
    const source = await this.named(organisationId, name);
    await store.change(organisationId, async (session) => {
      await removeSource(session, source.id);
      await audit(session, actor, now(), [
        { action: 'source.remove', subject: source.id, details: { kind: source.kind, name: source.name } },
      ]);
    });
    return source;
  }

  async list(organisationId: string): Promise<ListedSource[]> {
    const { store, secrets } = this.#parts;
    const { rows, syncs } = await store.read(async (session) => ({
      rows: await listSources(session, organisationId),
      syncs: await listSyncs(session, organisationId),
    }));
    return Promise.all(
      rows.map(async (row) => ({
        row,
        settings: await shownSettings(secrets, this.#parts.kinds, row),
        sync: syncs.find(({ source_id }) => source_id === row.id),
      })),
    );
  }

  /** By name or identifier. */
  async named(organisationId: string, name: string): Promise<SourceRow> {
    return this.#parts.store.read(async (session) => {
      const all = await listSources(session, organisationId);
      const found = all.find(({ name_key }) => name_key === keyOf(name)) ?? all.find(({ id }) => id === name);
      if (found) return found;
      const names = all.map((source) => source.name);
      const known =
        names.length === 0 ? 'It has none yet.' : `It has ${names.map((known) => `'${known}'`).join(', ')}.`;
      throw new Refusal('not-found', `This organisation has no source '${name}'.${didYouMean(name, names)} ${known}`);
    });
  }

  /** A source ready for use. Throws a `SourceProblem` where a secret or a reference cannot be read. */
  async prepare(row: SourceRow): Promise<UsableSource> {
    const texts = await readingSettings(this.#parts.secrets, row).catch(unreadable);
    return this.#usable(this.kind(row.kind), texts, row);
  }

  #usable(kind: SourceKind, texts: SettingTexts, row: Pick<SourceRow, 'organisation_id' | 'added_by'>): UsableSource {
    const { store, environment, sourceHosts, now } = this.#parts;
    if (kind.isLocal && row.added_by !== 'command') {
      throw new SourceProblem(
        `A ${kind.kind} source reads files of the server, and this one did not come from the command line`,
        'Remove it, and add it with `plumb source add`.',
      );
    }
    const settings = settingValues(kind.settings, texts, row.added_by === 'command' ? environment : undefined);
    const own = row.added_by === 'command' ? privateHosts(settings) : [];
    return {
      kind,
      settings,
      mayBePrivate: (host) => isNamedHost(host, [...own, ...sourceHosts]),
      memory: sourceMemory(store, row.organisation_id, kind.kind, now),
    };
  }

  /**
   * The secret that signs webhooks of the source; undefined where it has none. Throws a `SourceProblem` as `prepare`
   * does.
   */
  async webhookSecretOf(row: SourceRow): Promise<string | undefined> {
    const { secrets, environment } = this.#parts;
    const texts = await webhookSettings(secrets, row).catch(unreadable);
    const { [webhookSecretField.name]: secret } = settingValues(
      [webhookSecretField],
      texts,
      row.added_by === 'command' ? environment : undefined,
    );
    return typeof secret === 'string' && secret !== '' ? secret : undefined;
  }

  get kinds(): readonly SourceKind[] {
    return this.#parts.kinds;
  }

  kind(name: string): SourceKind {
    const { kinds } = this.#parts;
    const known = kinds.map(({ kind }) => kind);
    const found = kinds.find(({ kind }) => kind === name);
    if (found) return found;
    throw new Refusal(
      'bad-input',
      `There is no kind of source called '${name}'.${didYouMean(name, known)} Kinds: ${known.join(', ')}.`,
    );
  }

  #kindFor(name: string, origin: SettingsOrigin): SourceKind {
    const kind = this.kind(name);
    if (!kind.isLocal || origin === 'command') return kind;
    throw new Refusal(
      'bad-input',
      `A ${kind.kind} source reads files of the machine that the server runs on: use \`plumb source\` there.`,
    );
  }

  /** An address too is judged by who gave it: one that the command line named stays good. */
  async #refuse(
    kind: SourceKind,
    texts: SettingTexts,
    { origin, given = texts }: { readonly origin: SettingsOrigin; readonly given?: SettingTexts },
  ): Promise<void> {
    const { sourceHosts, addressesOf } = this.#parts;
    refuseBadSettings(kind, texts, { origin, given });
    for (const { name, type } of kind.settings) {
      const text = name in given ? texts[name] : undefined;
      if (type !== 'address' || text === undefined || isReference(text)) continue;
      await refuseBaseAddress(text, { origin, sourceHosts, ...(addressesOf ? { addressesOf } : {}) });
    }
  }

  /** The settings so far, as far as they can be decrypted. Those that a source needs have to be given again otherwise. */
  async #stillKnown(source: SourceRow, kind: SourceKind, given: SettingTexts): Promise<SettingTexts> {
    const { secrets } = this.#parts;
    const webhook = (await unlessUnreadable(webhookSettings(secrets, source))) ?? {};
    const plain = plainSettings(source);
    const missing = requiredSettings(kind.settings, { ...plain, ...given }).filter(
      ({ name, isSecret }) => isSecret && !(name in plain) && !(name in given),
    );
    const reading = readingSettings(secrets, source);
    // Where one is missing, the refusal says what to do.
    const known = missing.length > 0 ? await reading : ((await unlessUnreadable(reading)) ?? plain);
    return { ...known, ...webhook };
  }
}

const withoutEmpty = (texts: SettingTexts): SettingTexts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''));

async function refuseTakenName(session: Reading, organisationId: string, name: string): Promise<void> {
  const taken = await findSourceByName(session, organisationId, keyOf(name));
  if (taken) throw new Refusal('conflict', `This organisation has a source '${taken.name}' already.`);
}

/** The owner has to put right a token that was encrypted with another secret. */
function unreadable(error: unknown): never {
  throw error instanceof UnreadableSecret ? new SourceProblem(error.problem, error.toDo) : error;
}
