import type { StoreTable } from '../store/tables.ts';

/** Damage that was found: what is wrong, how often, and where to look. */
export interface Finding {
  /** The check that found it, in one or two words. */
  readonly check: string;
  readonly problem: string;
  readonly count: number;
  /** Identifiers of the first few. Never names, addresses or secrets. */
  readonly examples: readonly string[];
}

export const examplesMost = 5;

/** Which columns tell a row of a table apart without saying anything private. */
export function exampleColumns(table: StoreTable): readonly string[] {
  return table.name === 'identities' || table.name === 'sign_ins' ? ['organisation_id', 'person_id'] : table.key;
}

export const exampleOf = (table: StoreTable, row: Readonly<Record<string, unknown>>): string =>
  exampleColumns(table)
    .map((name) => String(row[name]))
    .join('/');

/** Collects problems of single rows into findings, one for each kind of problem. */
export class Findings {
  readonly #found = new Map<string, { readonly check: string; problem: string; count: number; examples: string[] }>();

  add(check: string, problem: string, example: string): void {
    const found = this.#found.get(`${check}: ${problem}`) ?? { check, problem, count: 0, examples: [] };
    found.count += 1;
    if (found.examples.length < examplesMost) found.examples.push(example);
    this.#found.set(`${check}: ${problem}`, found);
  }

  all(): Finding[] {
    return [...this.#found.values()];
  }
}
