import { type KeyStatus, keyStatus, type ListedKey } from '../access/api-keys.ts';
import { keyOf } from '../name-key.ts';
import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';

/** By its identifier, or by its name where only one that works has it. */
export type NamedKey = { readonly id: string } | { readonly name: string };

interface KeyView {
  readonly id: string;
  readonly name: string;
  /** How the key ends, to tell keys apart. */
  readonly hint: string;
  readonly creator: string | null;
  readonly status: KeyStatus;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

/** The one key of that name that works. */
export function keyNamed(all: readonly ListedKey[], name: string, now: Date): string {
  const working = all.filter((one) => keyStatus(one, now) === 'active');
  const meant = working.filter((one) => keyOf(one.name) === keyOf(name));
  const [only] = meant;
  if (only && meant.length === 1) return only.id;
  if (meant.length > 1) {
    const ids = meant.map(({ id, hint }) => `${id} (…${hint})`).join(', ');
    throw new Refusal('bad-input', `${meant.length} keys that work are named '${name}'. Use an identifier: ${ids}.`);
  }
  const hint = didYouMean(
    name,
    working.map((one) => one.name),
  );
  throw new Refusal(
    'not-found',
    `This organisation has no key named '${name}' that works.${hint || ' `plumb key list` lists all of them.'}`,
  );
}

export function keyView(key: ListedKey, now: Date): KeyView {
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    creator: key.creator_name,
    status: keyStatus(key, now),
    created_at: key.created_at.toISOString(),
    expires_at: iso(key.expires_at),
    revoked_at: iso(key.revoked_at),
    last_used_at: iso(key.last_used_at),
  };
}
