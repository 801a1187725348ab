import { repositoriesCopy } from '../../../catalogue/dimensions/dimensions.ts';
import { type RepositoryStoryRow, repositoryStories } from '../../../catalogue/ledgers/ledgers.ts';
import { keptColumns, type RowOf, type Table } from '../../../catalogue/table.ts';
import type { Reading } from '../../../warehouse/warehouse.ts';
import { type Branches, branchesOf } from '../../derive/deployments/branches.ts';
import { type RepositorySettings, readSettings } from '../../derive/deployments/repository-settings.ts';
import { Book } from './book.ts';
import { RepositoryNames } from './repository-names.ts';

export const allColumns = <T extends Table>(table: T) => [...keptColumns(table).keys()] as (keyof RowOf<T> & string)[];

/** The books of the repositories that a batch touches, and what is known of all others. */
export class Library {
  readonly books = new Map<string, Book>();
  readonly #settings: ReadonlyMap<string, RepositorySettings>;
  readonly #stories: ReadonlyMap<string, RepositoryStoryRow>;

  constructor(settings: ReadonlyMap<string, RepositorySettings>, stories: ReadonlyMap<string, RepositoryStoryRow>) {
    this.#settings = settings;
    this.#stories = stories;
  }

  /** Takes a book out, if it is not out already. */
  book(key: string): Book {
    const open = this.books.get(key);
    if (open) return open;
    const book = new Book(key, this.settingsOf(key), this.#stories.get(key));
    this.books.set(key, book);
    return book;
  }

  settingsOf(key: string): RepositorySettings {
    return this.#settings.get(key) ?? readSettings(undefined);
  }

  branchesOf(key: string): Branches {
    const production = this.#stories.get(key)?.production_branch ?? 'main';
    return this.books.get(key)?.branches ?? branchesOf(production, this.settingsOf(key));
  }

  /** What repositories were called by before this batch, and are now that all of it has been told. */
  names(): { readonly before: RepositoryNames; readonly now: RepositoryNames } {
    const untouched = [...this.#stories.keys()].filter((key) => !this.books.has(key));
    const told = [...this.books.values()].flatMap(({ key, hasStory }) => (hasStory ? [key] : []));
    return {
      before: new RepositoryNames(this.#stories.keys()),
      now: new RepositoryNames([...untouched, ...told]),
    };
  }
}

/** A few thousand short rows at most, so all of them are read. */
export async function openLibrary(session: Reading): Promise<Library> {
  const copies = await session.select(repositoriesCopy, allColumns(repositoriesCopy));
  const stories = await session.select(repositoryStories, allColumns(repositoryStories));
  return new Library(
    new Map(copies.map((copy) => [copy.repository_key ?? '', readSettings(copy)])),
    new Map(stories.map((story) => [story.repository_key ?? '', story])),
  );
}
