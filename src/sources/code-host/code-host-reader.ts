import type { CodeHostName } from '../../catalogue/record-ids.ts';
import { FirstNames } from '../first-names.ts';
import type { ChangedObject, Check, OpenSource, Page, PickableItem, SourceOpening, Stream } from '../source.ts';
import { ListedBefore } from '../streams/listed-before.ts';
import {
  type ChosenRepositories,
  type HostedRepository,
  type ReadRepository,
  RepositoryUnseen,
  readNamed,
  repositoryAt,
} from './chosen-repositories.ts';
import type { CodeHostSettings } from './code-host-settings.ts';
import { directoryStream } from './directory-stream.ts';
import { nothingSeen, repositoriesStream, repositoryRecord, unreadableStream } from './repositories-stream.ts';

/** A repository with the name that ids are made of, and what the settings say of it. */
export type WantedRepository<L extends HostedRepository> = L & {
  /** The name under which it was first seen: a rename keeps the ids. */
  readonly firstName: string;
  /** Nothing that changed before is wanted, in seconds since 1970. */
  readonly readFrom?: number;
  /** An issue with one of these labels is an incident too. */
  readonly incidentLabels?: readonly string[];
};

/** What differs from one code host to the next. */
interface CodeHostParts<L extends HostedRepository> {
  /** As its users call it: "GitHub". */
  readonly label: string;
  readonly accounts: CodeHostName;
  readonly settings: CodeHostSettings;
  /** The setting that names repositories, which is what they are called there, and one of them. */
  readonly words: { readonly setting: string; readonly one: string };
  /** What to do where the token may not see members and teams. */
  readonly showMembers: string;
  /** All that the token sees, of the owner where the settings name one. */
  listAll(): Promise<{ readonly repositories: readonly L[]; readonly at: number }>;
  /** By its name, or by whatever webhooks know it by. An old name leads to it. */
  readRepository(name: string): Promise<ReadRepository<L>>;
  /** Members and teams of an owner, and which of its repositories are read. */
  readDirectory(owner: string, repositories: () => Promise<readonly L[]>): Promise<Page>;
  /** The owner that a webhook has named. */
  ownerAt(scope: string): Promise<string | undefined>;
  /** Everything of the repositories, the most important first. */
  streamsOf(repositories: readonly WantedRepository<L>[], before: ListedBefore<WantedRepository<L>>): Iterable<Stream>;
  /** An object of a repository as it is now. What is gone is removed. */
  readObject(repository: WantedRepository<L>, object: Pick<ChangedObject, 'kind' | 'reference'>): Promise<Page>;
}

/** Reads the repositories of a code host, with its members and teams. */
export class CodeHostReader<L extends HostedRepository>
  implements Pick<Required<OpenSource>, 'choices' | 'streams' | 'reread'>
{
  readonly #host: CodeHostParts<L>;
  readonly #firstNames: FirstNames;
  readonly #listedBefore: ListedBefore<WantedRepository<L>>;
  /** By the name in webhooks: thousands about one repository ask for it once. */
  readonly #known = new Map<string, Promise<WantedRepository<L> | undefined>>();

  constructor(host: CodeHostParts<L>, opening: Pick<SourceOpening, 'host' | 'memory' | 'repositories'>) {
    const { accounts, label } = host;
    this.#host = host;
    this.#firstNames = new FirstNames(accounts, opening, (name) =>
      repositoryAt(name, label, (one) => host.readRepository(one)),
    );
    this.#listedBefore = new ListedBefore(opening.memory, (repository, object) => host.readObject(repository, object));
  }

  /** Those that the settings name, else all without forks and archived ones. */
  async choose(): Promise<ChosenRepositories<L>> {
    const { settings, label } = this.#host;
    if (settings.names) return readNamed(settings.names, label, (name) => this.#host.readRepository(name));
    const { repositories, at } = await this.#host.listAll();
    return { at, repositories: repositories.filter(isOwnWork), seenAs: new Map(), unreadable: [] };
  }

  /** Everything that the token sees, also what is left out unless the settings name it. */
  async choices(): Promise<readonly PickableItem[]> {
    const { repositories } = await this.#host.listAll();
    return repositories.map(({ name, isArchived, isFork, changedAt }) => ({
      value: name,
      ...(isArchived ? { leftOut: 'archived' as const } : isFork ? { leftOut: 'fork' as const } : {}),
      ...(changedAt !== undefined && { changedAt }),
    }));
  }

  /** Users have no members and teams. */
  ownersOf({ repositories }: ChosenRepositories<L>): readonly string[] {
    const { owner } = this.#host.settings;
    return owner === undefined ? [...new Set(repositories.flatMap((one) => one.owner ?? []))] : [owner];
  }

  /** What a check says of the repositories themselves. */
  seenOf({ repositories, unreadable }: ChosenRepositories<L>): Pick<Check, 'sees' | 'missing'> {
    const { words, settings } = this.#host;
    const wanted = repositories.length + unreadable.length;
    const all = `${wanted} ${wanted === 1 ? words.one : words.setting}`;
    const problems = unreadable.map(({ problem }) => problem);
    if (wanted === 0) problems.push(nothingSeen(words.setting));
    return {
      sees: [settings.names ? `${repositories.length} of ${wanted} ${words.setting}` : all],
      missing: problems.map(({ message, toDo }) => `${message}. ${toDo}`),
    };
  }

  async *streams(): AsyncIterable<Stream> {
    const chosen = await this.choose();
    const { accounts, settings, words } = this.#host;
    const [unreadable] = chosen.unreadable;
    // A token that is not valid, most likely: that is a problem of the source and not of each repository.
    if (unreadable && chosen.repositories.length === 0) throw unreadable.problem;
    const repositories = await this.#named(chosen);
    yield repositoriesStream(accounts, repositories, { at: chosen.at, setting: words.setting });
    for (const { name, problem } of chosen.unreadable) yield unreadableStream(name, problem);
    const isNamed = settings.owner !== undefined;
    for (const owner of this.ownersOf(chosen)) {
      const read = () => this.#host.readDirectory(owner, async () => chosen.repositories);
      yield directoryStream(owner, { isNamed, toDo: this.#host.showMembers, read });
    }
    yield* this.#host.streamsOf(repositories, this.#listedBefore);
  }

  async reread(object: ChangedObject): Promise<Page> {
    if (object.kind === 'directory') return this.#rereadDirectory(object.scope);
    // The branch or the name of the repository may have changed.
    if (object.kind === 'repository') this.#known.delete(object.scope);
    const repository = await this.#repositoryOf(object.scope).catch((error: unknown) => {
      // Deleted or made private since: what was read of it stays.
      if (error instanceof RepositoryUnseen) return undefined;
      throw error;
    });
    if (!repository) return nothing;
    return object.kind === 'repository' ? this.#itself(repository) : this.#host.readObject(repository, object);
  }

  /** The rows of a renamed repository take the new name with the next sync, which reads all of them again. */
  #itself(repository: WantedRepository<L>): Page {
    const records = [repositoryRecord(this.#host.accounts, repository)];
    return { records: [{ table: 'repositories', records }], count: 1, at: 0 };
  }

  async #rereadDirectory(scope: string): Promise<Page> {
    const owner = await this.#host.ownerAt(scope);
    const { owner: named, names = [] } = this.#host.settings;
    const owners = named ? [named] : names.map((name) => name.split('/')[0] ?? '');
    const isWanted = owner !== undefined && (owners.length === 0 || owners.some((one) => isSame(one, owner)));
    return isWanted ? this.#host.readDirectory(owner, async () => (await this.choose()).repositories) : nothing;
  }

  #repositoryOf(name: string): Promise<WantedRepository<L> | undefined> {
    const known = this.#known.get(name) ?? this.#readRepository(name);
    this.#known.set(name, known);
    // A failure may pass: the next delivery asks again.
    known.catch(() => this.#known.delete(name));
    return known;
  }

  /** A webhook of an owner tells of all of its repositories, also of those that are not to be read. */
  async #readRepository(name: string): Promise<WantedRepository<L> | undefined> {
    const { repository } = await this.#host.readRepository(name);
    const { names, owner } = this.#host.settings;
    const given = names?.find((one) => isSame(one, name) || isSame(one, repository.name));
    const isBelow = owner === undefined || isSame(repository.name.slice(0, owner.length + 1), `${owner}/`);
    const isListed = names === undefined && isBelow && isOwnWork(repository);
    if (given === undefined && !isListed && !(await this.#firstNames.isKnown(repository))) return undefined;
    const [named] = await this.#named({
      repositories: [repository],
      seenAs: new Map([[repository.id, given ?? name]]),
    });
    return named;
  }

  async #named({
    repositories,
    seenAs,
  }: Pick<ChosenRepositories<L>, 'repositories' | 'seenAs'>): Promise<WantedRepository<L>[]> {
    const { since, incidentLabels } = this.#host.settings;
    const wanted = { ...(since !== undefined && { readFrom: since }), ...(incidentLabels && { incidentLabels }) };
    // A number is no name that ids could be made of.
    const names = new Map([...seenAs].filter(([, name]) => name.includes('/')));
    const named = await this.#firstNames.giveTo(repositories, names);
    return named.map((repository) => ({ ...repository, ...wanted }));
  }
}

const nothing: Page = { records: [], count: 0, at: 0 };

const isOwnWork = ({ isFork, isArchived }: HostedRepository): boolean => !isFork && !isArchived;

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
