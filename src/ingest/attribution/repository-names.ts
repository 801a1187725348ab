import { repositoryName } from '../derive/repository-name.ts';
import { noRepository } from './conditions.ts';

const withoutOwner = (key: string): string => repositoryName(key) ?? key;

/**
 * Which repository somebody means by a name: the one that is called so, else the only one that is called so without its
 * owner. A name that several owners use says nothing.
 */
export class RepositoryNames {
  readonly #keys: ReadonlySet<string>;
  /** Null where there are several. */
  readonly #short = new Map<string, string | null>();

  constructor(keys: Iterable<string>) {
    this.#keys = new Set(keys);
    for (const key of this.#keys) {
      if (key === noRepository) continue;
      const name = withoutOwner(key);
      this.#short.set(name, this.#short.has(name) ? null : key);
    }
  }

  find(name: string | null | undefined): string | undefined {
    if (name === null || name === undefined || name === noRepository) return undefined;
    return this.#keys.has(name) ? name : (this.#short.get(name) ?? undefined);
  }

  /** Everything that a repository can be called by. */
  namesOf(key: string): string[] {
    return [key, withoutOwner(key)].filter((name) => this.find(name) === key);
  }

  /** Names that mean another repository there than here, or none. */
  movedIn(other: RepositoryNames): string[] {
    const keys = [...this.#keys, ...other.#keys].filter((key) => this.#keys.has(key) !== other.#keys.has(key));
    const names = new Set(keys.flatMap((key) => [key, withoutOwner(key)]));
    return [...names].filter((name) => this.find(name) !== other.find(name));
  }
}
