import type { Value } from '../../catalogue/table.ts';
import { listsByKey } from '../../lists-by-key.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { isWholeSha } from './rules/commit-positions.ts';
import { noRepository } from './rules/repository-settings.ts';

export const all = (...conditions: readonly Condition[]): Condition => ({ all: conditions });
export const any = (...conditions: readonly Condition[]): Condition => ({ any: conditions });
export const among = (column: string, values: Iterable<Value>): Condition => ({ column, in: [...values] });
export const is = (column: string, value: Value): Condition => ({ column, in: [value] });
export const isNull = (column: string): Condition => ({ column, isNull: true });
export const notNull = (column: string): Condition => ({ column, isNull: false });

/** Rows of these repositories. */
export function inRepositories(keys: Iterable<string>): Condition {
  const named = new Set(keys);
  const withUnassigned = named.delete(noRepository);
  const condition = among('repository_key', named);
  return withUnassigned ? any(condition, isNull('repository_key')) : condition;
}

/** Rows by the key of their repository. */
export function byRepository<R extends { readonly repository_key: string | null }>(
  rows: Iterable<R>,
): Map<string, R[]> {
  return listsByKey(rows, ({ repository_key }) => repository_key ?? noRepository);
}

/** Commit hashes match without regard to case. Hardly any source writes them in anything but lower case. */
const spellingsOf = (sha: string): readonly string[] => [sha, sha.toLowerCase(), sha.toUpperCase()];

/** Rows whose commit hash is one of these, or begins with one that is abbreviated. */
export function withSha(column: string, shas: Iterable<string>): Condition {
  const full: string[] = [];
  const prefixes: Condition[] = [];
  for (const sha of shas) {
    if (isWholeSha(sha)) full.push(...spellingsOf(sha));
    // Hashes are hexadecimal: every hash with this prefix sorts before the prefix followed by a g.
    else for (const prefix of spellingsOf(sha)) prefixes.push(startingWith(column, prefix));
  }
  return any(...(full.length > 0 ? [among(column, full)] : []), ...prefixes);
}

const startingWith = (column: string, prefix: string): Condition =>
  all({ column, atLeast: prefix }, { column, atMost: `${prefix}g` });
