import { keyStatus, type ListedKey } from '../access/api-keys.ts';
import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { keyOf } from '../text-comparison.ts';

/** Finds a key by its identifier, or by its name where only one working key has it. */
export type NamedKey = { readonly id: string } | { readonly name: string };

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

export const keyView = (key: ListedKey, now: Date) => ({
  id: key.id,
  name: key.name,
  /** How the key ends, to tell keys apart. */
  hint: key.hint,
  creator: key.creator_name,
  status: keyStatus(key, now),
  created_at: key.created_at.toISOString(),
  expires_at: key.expires_at?.toISOString() ?? null,
  revoked_at: key.revoked_at?.toISOString() ?? null,
  last_used_at: key.last_used_at?.toISOString() ?? null,
});
