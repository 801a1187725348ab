import type { SourceMemory } from '../source.ts';

/**
 * The names that ids are made of: those under which repositories were first seen. A rename keeps them. A new repository
 * that takes the old name of another gets its number with it, since its pull requests have the same numbers.
 */
export class FirstNames {
  readonly #memory: SourceMemory | undefined;

  constructor(memory: SourceMemory | undefined) {
    this.#memory = memory;
  }

  async isKnown(id: string): Promise<boolean> {
    return (await this.#memory?.get(nameKey(id))) !== undefined;
  }

  /** `seenAs` is the name in the settings, or the present one. */
  async of(id: string, seenAs: string): Promise<string> {
    const known = await this.#memory?.get(nameKey(id));
    if (typeof known === 'string') return known;
    const holder = await this.#memory?.get(holderKey(seenAs));
    const isTaken = holder !== undefined && holder !== id;
    const name = isTaken ? `${seenAs}@${id}` : seenAs;
    // The holder first: whoever is stopped in between finds itself as the holder, and goes on.
    if (!isTaken) await this.#memory?.set(holderKey(seenAs), id);
    await this.#memory?.set(nameKey(id), name);
    return name;
  }
}

const nameKey = (id: string): string => `first_name@${id}`;
const holderKey = (name: string): string => `first_named:${name.toLowerCase()}`;
