import type { SourceMemory } from '../../source.ts';
import type { Repository } from '../convert/repository.ts';

/** Pull requests that are asked for at once, with all that belongs to them. */
const usual = 25;

/** How many pull requests of a repository GraphQL can answer at once, found out by asking and remembered. */
export class PageSize {
  readonly #memory: SourceMemory | undefined;
  readonly #known = new Map<string, number>();

  constructor(memory: SourceMemory | undefined) {
    this.#memory = memory;
  }

  async get(repository: Repository): Promise<number> {
    const known = this.#known.get(repository.id) ?? (await this.#memory?.get(keyOf(repository)));
    return typeof known === 'number' ? known : usual;
  }

  async halve(repository: Repository): Promise<void> {
    const half = Math.max(1, Math.floor((await this.get(repository)) / 2));
    this.#known.set(repository.id, half);
    await this.#memory?.set(keyOf(repository), half);
  }
}

const keyOf = ({ id }: Repository): string => `pull_request_page_size@${id}`;
