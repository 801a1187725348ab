import { repositoryName } from '../../../catalogue/record-ids.ts';
import { noRepository } from './repository-settings.ts';

const withoutOwner = (key: string): string => repositoryName(key) ?? key;

/** Everything that a repository may be called by. */
export const namesOfKey = (key: string): string[] => (key === noRepository ? [] : [key, withoutOwner(key)]);

/**
 * Which repository a name means: the one that is called so, else the only one that is called so without its
 * owner. A name that several owners use says nothing.
 */
export class RepositoryNames {
  readonly keys: ReadonlySet<string>;
  /** Null where there are several. */
  readonly #short = new Map<string, string | null>();

  constructor(keys: Iterable<string>) {
    this.keys = new Set(keys);
    for (const key of this.keys) {
      if (key === noRepository) continue;
      const name = withoutOwner(key);
      this.#short.set(name, this.#short.has(name) ? null : key);
    }
  }

  find(name: string | null | undefined): string | undefined {
    if (name === null || name === undefined || name === noRepository) return undefined;
    return this.keys.has(name) ? name : (this.#short.get(name) ?? undefined);
  }

  /** Every name that means a repository. */
  namesOf(key: string): string[] {
    return namesOfKey(key).filter((name) => this.find(name) === key);
  }
}
