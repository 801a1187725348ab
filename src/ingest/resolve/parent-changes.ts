import type { FactTable } from '../../catalogue/tables/tables.ts';
import type { ParentDerivation } from '../derive/derivation.ts';
import type { LookupDerivation } from '../derive/lookup-derivation.ts';
import type { Family } from './family-columns.ts';

type FamilyDerivation = ParentDerivation | LookupDerivation;
/** What changes a parent: itself, parts of a table, or what a derivation looks up. */
type ParentChange = 'self' | FactTable | LookupDerivation;

/** What has changed of a parent, and what follows. Parents of which the same has changed share one: there are many. */
export class ParentChanges {
  readonly changed: ReadonlySet<ParentChange>;
  /** Derivations that have to run. */
  readonly runs: ReadonlySet<FamilyDerivation>;
  readonly #family: Family;
  readonly #withOneMore = new Map<ParentChange, ParentChanges>();

  constructor(family: Family, changed: ReadonlySet<ParentChange> = new Set()) {
    this.#family = family;
    this.changed = changed;
    this.runs = runsOf(family, changed);
  }

  and(change: ParentChange): ParentChanges {
    if (this.changed.has(change)) return this;
    const known = this.#withOneMore.get(change) ?? new ParentChanges(this.#family, new Set([...this.changed, change]));
    this.#withOneMore.set(change, known);
    return known;
  }
}

/** The derivations that read anything that has changed, or that a derivation before them writes again. */
function runsOf({ derivations }: Family, changed: ReadonlySet<ParentChange>): Set<FamilyDerivation> {
  if (changed.has('self')) return new Set(derivations);
  const runs = new Set<FamilyDerivation>();
  const rewritten = new Set<string>();
  for (const one of derivations) {
    const isLookedUp = one.kind === 'lookup' && changed.has(one);
    const isTouched = isLookedUp || Object.keys(one.parts).some((part) => changed.has(part as FactTable));
    if (!isTouched && !one.reads.some((column) => rewritten.has(column))) continue;
    runs.add(one);
    for (const column of one.writes) rewritten.add(column);
  }
  return runs;
}
