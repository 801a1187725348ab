import type { Table } from '../../catalogue/table.ts';
import type { CommitWatch } from './organisation-lock.ts';

/** How many rows the tables of an organisation have, about. A table of 0 rows is certainly empty. */
export class TableSizes {
  readonly #sizes = new Map<string, Promise<number>>();

  /** The known size of a table, or the result of counting it. */
  of({ name }: Table, count: () => Promise<number>): Promise<number> {
    const known = this.#sizes.get(name);
    if (known) return known;
    const counted = count();
    this.#sizes.set(name, counted);
    counted.catch(() => this.#sizes.delete(name));
    return counted;
  }

  /** Rows were added that replace no others. */
  add({ name }: Table, rows: number): void {
    const known = this.#sizes.get(name);
    if (known)
      this.#sizes.set(
        name,
        known.then((size) => size + rows),
      );
  }
}

/**
 * Keeps the sizes of tables from one change of an organisation to the next: half of the statements of a small change
 * would count tables, or look for rows in empty ones. Whatever else is committed between two changes ends what is known.
 */
export class KeptTableSizes {
  readonly #kept = new Map<string, { readonly commits: number; readonly sizes: TableSizes }>();

  /**
   * For a change that is about to begin, and for no other until `keep` is called: a change that fails leaves sizes that
   * never were.
   */
  take(organisationId: string, commits: CommitWatch): { readonly sizes: TableSizes; readonly keep: () => void } {
    const before = commits.now()?.commits;
    const kept = this.#kept.get(organisationId);
    this.#kept.delete(organisationId);
    const sizes = kept && kept.commits === before ? kept.sizes : new TableSizes();
    return {
      sizes,
      keep: () => {
        const after = commits.now()?.commits;
        // With any other number another change was committed meanwhile, or this one did nothing.
        if (before !== undefined && after === before + 1) this.#kept.set(organisationId, { commits: after, sizes });
      },
    };
  }
}
