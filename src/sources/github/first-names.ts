import type { SourceMemory } from '../source.ts';
import type { ListedRepository } from './convert/repository.ts';

/**
 * The names that ids are made of: those under which repositories were first seen. A rename keeps them. A new repository
 * that takes the old name of another gets its number with it, since its pull requests have the same numbers.
 */
export class FirstNames {
  readonly #memory: SourceMemory | undefined;

  constructor(memory: SourceMemory | undefined) {
    this.#memory = memory;
  }

  async isKnown(repository: SeenRepository): Promise<boolean> {
    return (await this.#memory?.get(nameKey(repository))) !== undefined;
  }

  /** `seenAs` is the name in the settings, or the present one. In letters as the host has them, where they are the same. */
  async of(repository: SeenRepository, seenAs: string): Promise<string> {
    const known = await this.#memory?.get(nameKey(repository));
    if (typeof known === 'string') return known;
    const written = seenAs.toLowerCase() === repository.name.toLowerCase() ? repository.name : seenAs;
    const self = identityOf(repository);
    const holder = await this.#memory?.get(holderKey(written));
    const isTaken = holder !== undefined && holder !== self;
    const name = isTaken ? `${written}@${repository.id}` : written;
    // The holder first: whoever is stopped in between finds itself as the holder, and goes on.
    if (!isTaken) await this.#memory?.set(holderKey(written), self);
    await this.#memory?.set(nameKey(repository), name);
    return name;
  }
}

type SeenRepository = Pick<ListedRepository, 'id' | 'name' | 'createdAt'>;

/** Each server gives out numbers of its own, so that two may have the same: when it was made tells them apart. */
const identityOf = ({ id, createdAt }: SeenRepository): string => `${id} of ${createdAt}`;

const nameKey = (repository: SeenRepository): string => `first_name@${identityOf(repository)}`;
const holderKey = (name: string): string => `first_named:${name.toLowerCase()}`;
