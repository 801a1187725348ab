import type { SourceMemory } from '../../source.ts';
import type { Repository } from '../convert/repository.ts';

/** Pull requests that are asked for at once, with all that belongs to them. */
const usual = 25;
/** Pages that go well before a larger one is tried again: what took too long may have been an outage. */
const growsAfter = 10;

/** How many pull requests of a repository GraphQL can answer at once, found out by asking and remembered. */
export class PageSize {
  readonly #memory: SourceMemory | undefined;
  readonly #known = new Map<string, number>();
  readonly #wentWell = new Map<string, number>();

  constructor(memory: SourceMemory | undefined) {
    this.#memory = memory;
  }

  async get(repository: Repository): Promise<number> {
    const known = this.#known.get(repository.id) ?? (await this.#memory?.get(keyOf(repository)));
    return typeof known === 'number' ? known : usual;
  }

  async halve(repository: Repository): Promise<void> {
    await this.#remember(repository, Math.max(1, Math.floor((await this.get(repository)) / 2)));
  }

  async noteSuccess(repository: Repository): Promise<void> {
    const size = await this.get(repository);
    if (size >= usual) return;
    const wentWell = (this.#wentWell.get(repository.id) ?? 0) + 1;
    this.#wentWell.set(repository.id, wentWell);
    if (wentWell >= growsAfter) await this.#remember(repository, Math.min(usual, size * 2));
  }

  /** What was found out says nothing about the repository. */
  async forget(repository: Repository): Promise<void> {
    await this.#remember(repository, usual);
  }

  async #remember(repository: Repository, size: number): Promise<void> {
    this.#wentWell.delete(repository.id);
    this.#known.set(repository.id, size);
    await this.#memory?.set(keyOf(repository), size);
  }
}

const keyOf = ({ id }: Repository): string => `pull_request_page_size@${id}`;
