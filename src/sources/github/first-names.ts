import { type KnownRepositories, type SourceMemory, SourceProblem } from '../source.ts';
import type { GithubApi } from './api.ts';
import type { ListedRepository, Repository } from './convert/repository.ts';
import { type ChosenRepositories, readRepository } from './repositories.ts';

/**
 * The names that ids are made of: those under which repositories were first seen, here or in records of somebody else. A
 * rename keeps them. A new repository that takes the old name of another gets its number with it, since its pull requests
 * have the same numbers.
 */
export class FirstNames {
  readonly #api: GithubApi;
  readonly #memory: SourceMemory | undefined;
  readonly #known: KnownRepositories | undefined;
  #inRecords: Promise<readonly string[]> | undefined;
  /** By name in records, which repository GitHub leads to from there. */
  readonly #ledTo = new Map<string, string | undefined>();

  constructor(api: GithubApi, memory: SourceMemory | undefined, known: KnownRepositories | undefined) {
    this.#api = api;
    this.#memory = memory;
    this.#known = known;
  }

  async isKnown(repository: SeenRepository): Promise<boolean> {
    return (await this.#memory?.get(nameKey(repository))) !== undefined;
  }

  /** Repositories with the names that ids are made of. */
  async giveTo(
    { repositories, seenAs }: Pick<ChosenRepositories, 'repositories' | 'seenAs'>,
    since: number | undefined,
  ): Promise<Repository[]> {
    const listed = repositories.map(({ name }) => name);
    const named: Repository[] = [];
    for (const repository of repositories) {
      const firstName = await this.#of(repository, seenAs.get(repository.id) ?? repository.name, listed);
      named.push({ ...repository, firstName, ...(since !== undefined && { readFrom: since }) });
    }
    return named;
  }

  /**
   * `seenAs` is the name in the settings, or the present one. In letters as the host has them, where they are the same.
   * `listed` are the present names of all that are read.
   */
  async #of(repository: SeenRepository, seenAs: string, listed: readonly string[]): Promise<string> {
    const known = await this.#memory?.get(nameKey(repository));
    if (typeof known === 'string') return known;
    const written =
      (await this.#seenBefore(repository, listed)) ?? (isSame(seenAs, repository.name) ? repository.name : seenAs);
    const self = identityOf(repository);
    const holder = await this.#memory?.get(holderKey(written));
    const isTaken = holder !== undefined && holder !== self;
    const name = isTaken ? `${written}@${repository.id}` : written;
    // The holder is written first: a sync that is stopped in between finds itself as the holder, and goes on.
    if (!isTaken) await this.#memory?.set(holderKey(written), self);
    await this.#memory?.set(nameKey(repository), name);
    return name;
  }

  /** The name that ids of other sources have: of an import, or of a clone. */
  async #seenBefore(repository: SeenRepository, listed: readonly string[]): Promise<string | undefined> {
    if (!this.#known) return undefined;
    const first = (await this.#known.names()).firstNameOf(host, repository.name);
    if (first !== repository.name) return first;
    this.#inRecords ??= this.#known.inRecordsOf(host);
    const names = await this.#inRecords;
    const own = names.find((name) => isSame(name, repository.name));
    if (own !== undefined) return own;
    for (const name of names) {
      if (listed.some((each) => isSame(each, name))) continue;
      if ((await this.#memory?.get(holderKey(name))) !== undefined) continue;
      if ((await this.#repositoryAt(name)) === identityOf(repository)) return name;
    }
    return undefined;
  }

  /** GitHub leads from an old name to the repository, until another one takes it. */
  async #repositoryAt(name: string): Promise<string | undefined> {
    if (!this.#ledTo.has(name)) {
      const found = await readRepository(this.#api, name).catch((error: unknown) => {
        // Gone, or none of GitHub's names at all.
        if (error instanceof SourceProblem && !error.mayPass) return undefined;
        throw error;
      });
      this.#ledTo.set(name, found && identityOf(found.repository));
    }
    return this.#ledTo.get(name);
  }
}

/** As in ids. */
const host = 'github';

type SeenRepository = Pick<ListedRepository, 'id' | 'name' | 'createdAt'>;

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Each server gives out numbers of its own, so that two may have the same: when it was made tells them apart. */
const identityOf = ({ id, createdAt }: SeenRepository): string => `${id} of ${createdAt}`;

const nameKey = (repository: SeenRepository): string => `first_name@${identityOf(repository)}`;
const holderKey = (name: string): string => `first_named:${name.toLowerCase()}`;
