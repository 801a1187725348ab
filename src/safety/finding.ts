import type { StoreTable } from '../store/tables.ts';

/** Damage that was found: what is wrong, how often, and where to look. */
export interface HealthFinding {
  /** The check that found it, in one or two words. */
  readonly check: string;
  readonly problem: string;
  readonly count: number;
  /** Identifiers of the first few. Never names, addresses or secrets. */
  readonly examples: readonly string[];
}

export const examplesMost = 5;

/** Something that was found once, and says itself where. */
export const found = (check: string, problem: string): HealthFinding => ({ check, problem, count: 1, examples: [] });

/** The engine's own first line says most about a broken file, and nothing about what is in it. */
export function unreadable(what: string, error: unknown): HealthFinding {
  const why = error instanceof Error ? `: ${error.message.split('\n')[0]?.slice(0, 300)}` : '';
  return found('readable', `${what}${why}`);
}

/** Which columns tell a row of a table apart without saying anything private. */
export function exampleColumns(table: StoreTable): readonly string[] {
  if (table.name === 'source_people') return ['source_id', 'owner_key'];
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
    const known = this.#found.get(`${check}: ${problem}`) ?? { check, problem, count: 0, examples: [] };
    known.count += 1;
    if (known.examples.length < examplesMost) known.examples.push(example);
    this.#found.set(`${check}: ${problem}`, known);
  }

  all(): HealthFinding[] {
    return [...this.#found.values()];
  }
}
