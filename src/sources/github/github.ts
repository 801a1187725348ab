import { FirstNames } from '../first-names.ts';
import type { ChangedObject, Check, OpenSource, Page, SourceKind, SourceOpening, Stream } from '../source.ts';
import { ListedBefore } from '../streams/listed-before.ts';
import { GithubApi } from './api.ts';
import { checkGithub } from './check.ts';
import type { Repository } from './convert/repository.ts';
import { PageSize, pullRequestStream } from './pull-requests/pull-request-stream.ts';
import { ObjectReader } from './read-named-object.ts';
import {
  type ChosenRepositories,
  chooseRepositories,
  RepositoryUnseen,
  readRepository,
  repositoryAt,
} from './repositories.ts';
import { type GithubSettings, githubSettings, readGithubSettings } from './settings.ts';
import { directoryStream, readDirectory } from './streams/directory-stream.ts';
import { KnownReleases } from './streams/known-releases.ts';
import { type Listing, listedStream } from './streams/listed-stream.ts';
import { repositoriesStream, unreadableStream } from './streams/repositories-stream.ts';
import { deploymentsOf, issueCommentsOf, issuesOf, releasesOf } from './streams/repository-listings.ts';
import { workflowRunStream } from './streams/workflow-run-stream.ts';
import { githubWebhook } from './webhook.ts';

/** An account of GitHub, cloud or Enterprise Server. */
class OpenGithub implements OpenSource {
  readonly #api: GithubApi;
  readonly #settings: GithubSettings;
  readonly #firstNames: FirstNames;
  readonly #pageSize: PageSize;
  readonly #knownReleases: KnownReleases;
  readonly #listedBefore: ListedBefore<Repository>;
  /** By name, for webhooks: thousands about one repository ask for it once. */
  readonly #reread = new Map<string, Promise<Repository | undefined>>();

  constructor(opening: SourceOpening) {
    const { requests, settings, memory } = opening;
    this.#api = new GithubApi(requests);
    this.#settings = readGithubSettings(settings);
    this.#firstNames = new FirstNames('github', opening, (name) => repositoryAt(this.#api, name));
    this.#pageSize = new PageSize(memory);
    this.#knownReleases = new KnownReleases(this.#api, memory);
    this.#listedBefore = new ListedBefore(memory, (repository, object) =>
      new ObjectReader(this.#api, repository).read(object),
    );
  }

  check(): Promise<Check> {
    return checkGithub(this.#api, this.#settings, (chosen) => this.#organizationsOf(chosen));
  }

  /** Pull requests of all repositories come before the runs of any: everybody asks for them first. */
  async *streams(): AsyncIterable<Stream> {
    const chosen = await chooseRepositories(this.#api, this.#settings);
    const [unreadable] = chosen.unreadable;
    // A token that is not valid, most likely: that is a problem of the source and not of each repository.
    if (unreadable && chosen.repositories.length === 0) throw unreadable.problem;
    const repositories = await this.#named(chosen);
    yield repositoriesStream(repositories, chosen.at);
    for (const { name, problem } of chosen.unreadable) yield unreadableStream(name, problem);
    const isNamed = this.#settings.organization !== undefined;
    for (const organization of this.#organizationsOf(chosen))
      yield directoryStream(this.#api, organization, { isNamed });
    for (const repository of repositories) yield pullRequestStream(this.#api, repository, this.#pageSize);
    const listings: readonly ((repository: Repository) => Listing)[] = [
      (repository) => deploymentsOf(repository, this.#api),
      (repository) => releasesOf(repository, this.#knownReleases),
      issuesOf,
      issueCommentsOf,
    ];
    for (const listing of listings) {
      for (const repository of repositories)
        yield listedStream(this.#api, repository, listing(repository), this.#listedBefore);
    }
    for (const repository of repositories) yield workflowRunStream(this.#api, repository, this.#listedBefore);
  }

  reread(object: ChangedObject): Promise<Page> {
    return object.kind === 'directory' ? this.#rereadDirectory(object.scope) : this.#rereadObject(object);
  }

  async #rereadObject(object: ChangedObject): Promise<Page> {
    // The branch or the name of the repository may have changed.
    if (object.kind === 'repository') this.#reread.delete(object.scope);
    const repository = await this.#repositoryOf(object.scope).catch((error: unknown) => {
      // Deleted or made private since: what was read of it stays.
      if (error instanceof RepositoryUnseen) return undefined;
      throw error;
    });
    return repository ? new ObjectReader(this.#api, repository).read(object) : nothing;
  }

  async #rereadDirectory(organization: string): Promise<Page> {
    const { organization: wanted, repositories = [] } = this.#settings;
    const owners = wanted ? [wanted] : repositories.map((name) => name.split('/')[0]);
    const isWanted = owners.length === 0 || owners.some((owner) => isSameName(owner, organization));
    return isWanted ? readDirectory(this.#api, organization) : nothing;
  }

  #repositoryOf(name: string): Promise<Repository | undefined> {
    const known = this.#reread.get(name) ?? this.#readRepository(name);
    this.#reread.set(name, known);
    // A failure may pass: the next delivery asks again.
    known.catch(() => this.#reread.delete(name));
    return known;
  }

  /** A webhook of an organisation tells of all of its repositories, also of those that are not to be read. */
  async #readRepository(name: string): Promise<Repository | undefined> {
    const { repository } = await readRepository(this.#api, name);
    const { repositories, organization } = this.#settings;
    const isWanted = repositories
      ? repositories.some((each) => isSameName(each, name)) || (await this.#firstNames.isKnown(repository))
      : !repository.isFork &&
        !repository.isArchived &&
        (organization === undefined || isSameName(repository.name.split('/')[0], organization));
    if (!isWanted) return undefined;
    const chosen = { repositories: [repository], seenAs: new Map([[repository.id, name]]) };
    const [named] = await this.#named(chosen);
    return named;
  }

  async #named({ repositories, seenAs }: Pick<ChosenRepositories, 'repositories' | 'seenAs'>): Promise<Repository[]> {
    const { since, incidentLabels } = this.#settings;
    const wanted = { ...(since !== undefined && { readFrom: since }), ...(incidentLabels && { incidentLabels }) };
    const named = await this.#firstNames.giveTo(repositories, seenAs);
    return named.map((repository) => ({ ...repository, ...wanted }));
  }

  /** Users have no members and teams. */
  #organizationsOf({ repositories }: ChosenRepositories): readonly string[] {
    if (this.#settings.organization) return [this.#settings.organization];
    return [...new Set(repositories.flatMap(({ organization }) => organization ?? []))];
  }
}

const nothing: Page = { records: [], count: 0, at: 0 };

const isSameName = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

export const github: SourceKind = {
  kind: 'github',
  label: 'GitHub',
  meaning:
    'Pull requests, issues, releases, workflow runs, deployments, members and teams of GitHub, cloud or Enterprise Server.',
  accounts: 'github',
  isCodeHost: true,
  settings: githubSettings,
  webhook: githubWebhook,
  open: (opening) => new OpenGithub(opening),
};
