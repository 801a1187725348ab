import { repositoriesCopy } from '../../catalogue/dimensions/dimensions.ts';
import { type RepositoryAttributionRow, repositoryAttribution } from '../../catalogue/ledgers/ledgers.ts';
import { keptColumns, type RowOf, type Table } from '../../catalogue/table.ts';
import type { Reading } from '../../warehouse/warehouse.ts';
import { type Branches, branchesOf } from './branches.ts';
import { RepositoryNames } from './repository-names.ts';
import { type RepositorySettings, readSettings } from './repository-settings.ts';

export const allColumns = <T extends Table>(table: T) => [...keptColumns(table).keys()] as (keyof RowOf<T> & string)[];

/** Settings of every repository, and what the attribution of each was last done with. */
export class KnownRepositories {
  readonly #settings: ReadonlyMap<string, RepositorySettings>;
  readonly #attributed: Map<string, RepositoryAttributionRow>;
  readonly #before: RepositoryNames;

  constructor(settings: ReadonlyMap<string, RepositorySettings>, rows: ReadonlyMap<string, RepositoryAttributionRow>) {
    this.#settings = settings;
    this.#attributed = new Map(rows);
    this.#before = new RepositoryNames(rows.keys());
  }

  settingsOf(key: string): RepositorySettings {
    return this.#settings.get(key) ?? readSettings(undefined);
  }

  attributionOf(key: string): RepositoryAttributionRow | undefined {
    return this.#attributed.get(key);
  }

  branchesOf(key: string): Branches {
    return branchesOf(this.#attributed.get(key)?.production_branch ?? 'main', this.settingsOf(key));
  }

  /** Remembers a repository as it is now, or that nothing of it is left. */
  note(key: string, row: RepositoryAttributionRow | undefined): void {
    if (row) this.#attributed.set(key, row);
    else this.#attributed.delete(key);
  }

  /** What repositories were called before the batch, and are called now. */
  names(): { readonly before: RepositoryNames; readonly now: RepositoryNames } {
    return { before: this.#before, now: new RepositoryNames(this.#attributed.keys()) };
  }
}

/** An organisation has a few thousand repositories at most, so all of these short rows are read. */
export async function readKnownRepositories(session: Reading): Promise<KnownRepositories> {
  const copies = await session.select(repositoriesCopy, allColumns(repositoriesCopy));
  const rows = await session.select(repositoryAttribution, allColumns(repositoryAttribution));
  return new KnownRepositories(
    new Map(copies.map((copy) => [copy.repository_key ?? '', readSettings(copy)])),
    new Map(rows.map((row) => [row.repository_key ?? '', row])),
  );
}
