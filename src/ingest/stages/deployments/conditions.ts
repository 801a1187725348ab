import type { Value } from '../../../catalogue/table.ts';
import type { Condition } from '../../../warehouse/warehouse.ts';

/** Deployments without a repository share a book of their own. */
export const nowhere = '';

export const all = (...conditions: readonly Condition[]): Condition => ({ all: conditions });
export const any = (...conditions: readonly Condition[]): Condition => ({ any: conditions });
export const among = (column: string, values: Iterable<Value>): Condition => ({ column, in: [...values] });
export const is = (column: string, value: Value): Condition => ({ column, in: [value] });
export const atLeast = (column: string, value: Value): Condition => ({ column, atLeast: value });
export const atMost = (column: string, value: Value): Condition => ({ column, atMost: value });
export const isNull = (column: string): Condition => ({ column, isNull: true });
export const notNull = (column: string): Condition => ({ column, isNull: false });

export function inRepositories(keys: Iterable<string>): Condition {
  const named = new Set(keys);
  const isAnywhere = named.delete(nowhere);
  const condition = among('repository_key', named);
  return isAnywhere ? any(condition, isNull('repository_key')) : condition;
}

/** From a time on. From the beginning means all rows, those without a time too. */
export const since = (column: string, time: number): readonly Condition[] =>
  time === Number.NEGATIVE_INFINITY ? [] : [atLeast(column, time)];

/** Commits are compared without regard to case; hardly any source writes them in anything but lower case. */
export const formsOf = (sha: string): readonly string[] => [sha, sha.toLowerCase(), sha.toUpperCase()];
