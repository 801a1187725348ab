import { v4 } from 'uuid';
import { Refusal } from '../refusal.ts';
import { apiKeys, type StoreRowOf } from '../store/all-store-tables.ts';
import { type Actor, audit } from '../store/audit.ts';
import { insertRows } from '../store/put-rows.ts';
import type { OrganisationWriting, Store, StoreCaller } from '../store/store.ts';
import { apiKeyKind, hashOf, hintOf, makeSecret } from './secret-token.ts';

type ApiKeyRow = StoreRowOf<typeof apiKeys>;

/** A key as it is listed. The key itself was shown once, when it was made. */
export interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly creator_id: string;
  /** The creator of the key after all merges. Null when they have been removed: the key does not work any more. */
  readonly holder_id: string | null;
  readonly creator_name: string | null;
  readonly creator_role: string | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

interface NewKey {
  readonly creatorId: string;
  readonly name: string;
  readonly expiresAt?: Date;
}

export interface MadeKey {
  readonly id: string;
  /** Shown now and never again. */
  readonly key: string;
}

/** The organisation and the person that a new key belongs to. */
interface KeyChange extends Pick<StoreCaller, 'ticket'> {
  readonly organisationId: string;
  readonly actor: Actor;
}

const maxOwnKeys = 50;

type KeyStatus = 'active' | 'expired' | 'revoked' | 'creator removed';

export function keyStatus(key: ListedKey, now: Date): KeyStatus {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at !== null && key.expires_at <= now) return 'expired';
  return key.holder_id === null ? 'creator removed' : 'active';
}

/** The part of a key that may be shown again: how all keys begin and how this one ends. */
export const shownKey = ({ hint }: Pick<ListedKey, 'hint'>): string => `${apiKeyKind.prefix}…${hint}`;

/** The keys of organisations: made, listed, taken back. */
export class ApiKeys {
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  create(organisationId: string, actor: Actor, made: NewKey): Promise<MadeKey> {
    return this.#store.change(organisationId, (session) => this.createIn(session, actor, made));
  }

  /** Makes a key inside a transaction that has more to do. */
  async createIn(
    session: OrganisationWriting,
    actor: Actor,
    { creatorId, name, expiresAt }: NewKey,
    rotatedFrom: string | null = null,
  ): Promise<MadeKey> {
    const at = this.#now();
    if (name.trim() === '') throw new Refusal('bad-input', 'A key needs a name.');
    if (expiresAt && expiresAt <= at) throw new Refusal('bad-input', 'A key must expire in the future.');
    const key = makeSecret(apiKeyKind);
    const id = v4();
    await insertRows(session, apiKeys, [
      {
        id,
        organisation_id: session.organisationId,
        creator_id: creatorId,
        name: name.trim(),
        hash: hashOf(key),
        hint: hintOf(key),
        created_at: at,
        expires_at: expiresAt ?? null,
        revoked_at: null,
        last_used_at: null,
        rotated_from: rotatedFrom,
      },
    ]);
    await audit(session, actor, at, [
      {
        action: 'key.create',
        subject: id,
        details: { name: name.trim(), creator: creatorId, rotated_from: rotatedFrom },
      },
    ]);
    return { id, key };
  }

  /** Makes a key for the caller. The number of keys is limited: nobody can manage more. */
  createOwn(context: KeyChange, made: NewKey): Promise<MadeKey> {
    const create = async (session: OrganisationWriting) => {
      const [own] = await session.rows<{ keys: number }>(
        `SELECT count(*)::int AS keys FROM api_keys WHERE organisation_id = $1 AND creator_id = $2 AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > $3::timestamptz)`,
        [session.organisationId, made.creatorId, this.#now()],
      );
      if ((own?.keys ?? 0) >= maxOwnKeys) {
        throw new Refusal(
          'conflict',
          `You have ${maxOwnKeys} keys that work. Revoke one that is not used any more first.`,
        );
      }
      return this.createIn(session, context.actor, made);
    };
    return this.#store.change(context.organisationId, create, context);
  }

  list(organisationId: string): Promise<ListedKey[]> {
    return this.#store.read((session) =>
      session.rows(
        `SELECT k.id, k.name, k.hint, k.creator_id, e.id AS holder_id, e.name AS creator_name,
                e.access_role AS creator_role, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
         FROM api_keys k
         LEFT JOIN people p ON p.organisation_id = k.organisation_id AND p.id = k.creator_id
         LEFT JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
         WHERE k.organisation_id = $1 ORDER BY k.created_at, k.id`,
        [organisationId],
      ),
    );
  }

  /** Takes a key back for good. Once is as good as twice. Only a key of theirs where a holder is named. */
  revoke(organisationId: string, actor: Actor, keyId: string, holderId?: string): Promise<void> {
    return this.#store.change(organisationId, async (session) => {
      const key = await keyIn(session, keyId, holderId);
      if (key.revoked_at) return;
      const at = this.#now();
      await session.run('UPDATE api_keys SET revoked_at = $2::timestamptz WHERE id = $1', [keyId, at]);
      await audit(session, actor, at, [{ action: 'key.revoke', subject: keyId, details: { name: key.name } }]);
    });
  }

  /** Makes a successor with the same name, creator and life, and lets the old one work on for the overlap only. */
  rotate(
    organisationId: string,
    actor: Actor,
    keyId: string,
    overlapSeconds: number,
    holderId?: string,
  ): Promise<MadeKey> {
    return this.#store.change(organisationId, async (session) => {
      const at = this.#now();
      const old = await keyIn(session, keyId, holderId);
      if (old.revoked_at || (old.expires_at && old.expires_at <= at)) {
        throw new Refusal('conflict', `Key ${keyId} does not work any more, so it cannot be rotated. Make a new one.`);
      }
      const [successorOf] = await session.rows<{ id: string; hint: string }>(
        'SELECT id, hint FROM api_keys WHERE organisation_id = $1 AND rotated_from = $2 AND revoked_at IS NULL',
        [organisationId, keyId],
      );
      if (successorOf) {
        throw new Refusal(
          'conflict',
          `Key ${keyId} was rotated already. Rotate its successor ${successorOf.id} (${shownKey(successorOf)}).`,
        );
      }
      const lifeMs = old.expires_at ? old.expires_at.getTime() - old.created_at.getTime() : undefined;
      const successor = await this.createIn(
        session,
        actor,
        {
          creatorId: old.creator_id,
          name: old.name,
          ...(lifeMs === undefined ? {} : { expiresAt: new Date(at.getTime() + lifeMs) }),
        },
        keyId,
      );
      const overlapEnds = new Date(at.getTime() + overlapSeconds * 1_000);
      const ends = old.expires_at && old.expires_at < overlapEnds ? old.expires_at : overlapEnds;
      await session.run('UPDATE api_keys SET expires_at = $2::timestamptz WHERE id = $1', [keyId, ends]);
      await audit(session, actor, at, [
        { action: 'key.rotate', subject: keyId, details: { successor: successor.id, ends: ends.toISOString() } },
      ]);
      return successor;
    });
  }
}

/** A key that the caller may not see is answered like a key that does not exist. */
async function keyIn(session: OrganisationWriting, keyId: string, holderId?: string): Promise<ApiKeyRow> {
  const [key] = await session.rows<ApiKeyRow>(
    `SELECT * FROM api_keys k WHERE k.organisation_id = $1 AND k.id = $2 AND ($3::text IS NULL OR EXISTS (
       SELECT 1 FROM people p WHERE p.organisation_id = $1 AND p.id = k.creator_id AND p.effective_id = $3))`,
    [session.organisationId, keyId, holderId ?? null],
  );
  if (key) return key;
  const hint = holderId === undefined ? ' `plumb key list` lists all keys.' : '';
  throw new Refusal('not-found', `This organisation has no key with the identifier '${keyId}'.${hint}`);
}

/** A day means its end: a key that expires on a date works on that date. */
export function keyExpiry(text: string): Date {
  const [, day, time] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text.trim()) ?? [];
  const at = new Date(`${day}${time ?? 'T23:59:59.999Z'}`);
  // The thirty-first of February is a date to JavaScript, the third of March.
  const isCalendarDay =
    !Number.isNaN(at.getTime()) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day ?? '-');
  if (!isCalendarDay) {
    throw new Refusal(
      'bad-input',
      `The expiry must be a date such as 2027-01-31, or a timestamp with its zone such as 2027-01-31T12:00:00Z, not '${text}'.`,
    );
  }
  return at;
}
