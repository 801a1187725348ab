import type { CodeHostName } from '../catalogue/record-ids.ts';
import type { KnownRepositories, SourceMemory, SourceOpening } from './source.ts';

/** A repository as its host knows it: its number, which no rename changes, and its present name. */
interface SeenRepository {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

/** How a code host is asked for a repository by a name that it has or had. Undefined where it leads to none. */
type RepositoryAt = (name: string) => Promise<SeenRepository | undefined>;

/** In the memory of a kind: the host whose repositories have the host in their ids, since another one was connected before. */
export const idHostKey = (host: string): string => `ids_with_host:${host.toLowerCase()}`;

/**
 * The names that ids are made of: those under which repositories were first seen, here or in records of somebody else. A
 * rename keeps them. A new repository that takes the old name of another gets its number with it, since its pull requests
 * have the same numbers. Of several hosts of one kind, all but the first connected have their host in front of the name.
 */
export class FirstNames {
  readonly #host: string;
  readonly #accounts: CodeHostName;
  readonly #memory: SourceMemory | undefined;
  readonly #known: KnownRepositories | undefined;
  readonly #repositoryAt: RepositoryAt;
  #inRecords: Promise<readonly string[]> | undefined;
  /** By name in records, which repository the host leads to from there. */
  readonly #ledTo = new Map<string, string | undefined>();

  constructor(
    accounts: CodeHostName,
    { host, memory, repositories }: Pick<SourceOpening, 'host' | 'memory' | 'repositories'>,
    repositoryAt: RepositoryAt,
  ) {
    this.#accounts = accounts;
    this.#host = host;
    this.#memory = memory;
    this.#known = repositories;
    this.#repositoryAt = repositoryAt;
  }

  async isKnown(repository: SeenRepository): Promise<boolean> {
    return (await this.#memory?.get(nameKey(repository))) !== undefined;
  }

  /** Repositories with the names that ids are made of. `seenAs` has the names in the settings, by number. */
  async giveTo<T extends SeenRepository>(
    repositories: readonly T[],
    seenAs: ReadonlyMap<string, string>,
  ): Promise<(T & { readonly firstName: string })[]> {
    const listed = repositories.map(({ name }) => name);
    const named: (T & { readonly firstName: string })[] = [];
    for (const repository of repositories) {
      const firstName = await this.#of(repository, seenAs.get(repository.id) ?? repository.name, listed);
      named.push({ ...repository, firstName });
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
    const shown = isSame(seenAs, repository.name) ? repository.name : seenAs;
    const hasHost = (await this.#memory?.get(idHostKey(this.#host))) === true;
    // Records of somebody else are of the host that was connected first.
    const written = hasHost ? `${this.#host}/${shown}` : ((await this.#seenBefore(repository, listed)) ?? shown);
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
    const first = (await this.#known.names()).firstNameOf(this.#accounts, repository.name);
    if (first !== repository.name) return first;
    this.#inRecords ??= this.#known.inRecordsOf(this.#accounts);
    const names = await this.#inRecords;
    const own = names.find((name) => isSame(name, repository.name));
    if (own !== undefined) return own;
    for (const name of names) {
      if (listed.some((each) => isSame(each, name))) continue;
      if ((await this.#memory?.get(holderKey(name))) !== undefined) continue;
      if ((await this.#leadsTo(name)) === identityOf(repository)) return name;
    }
    return undefined;
  }

  /** A host leads from an old name to the repository, until another one takes it. */
  async #leadsTo(name: string): Promise<string | undefined> {
    if (!this.#ledTo.has(name)) {
      const found = await this.#repositoryAt(name);
      this.#ledTo.set(name, found && identityOf(found));
    }
    return this.#ledTo.get(name);
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Each server gives out numbers of its own, so that two may have the same: when it was made tells them apart. */
const identityOf = ({ id, createdAt }: SeenRepository): string => `${id} of ${createdAt}`;

const nameKey = (repository: SeenRepository): string => `first_name@${identityOf(repository)}`;
const holderKey = (name: string): string => `first_named:${name.toLowerCase()}`;
