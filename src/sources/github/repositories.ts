import type { ItemList } from '../paging.ts';
import { explanationOf } from '../payload.ts';
import { SourceProblem } from '../source.ts';
import type { GithubApi } from './api.ts';
import { convertRepository, type ListedRepository } from './convert/repository.ts';
import type { GithubSettings } from './settings.ts';

/** Repositories that are to be read, and those of the settings that cannot be. */
export interface ChosenRepositories {
  /** When they were listed, by the provider's clock. */
  readonly at: number;
  readonly repositories: readonly ListedRepository[];
  /** By their present name, under which name the settings know them. */
  readonly seenAs: ReadonlyMap<string, string>;
  readonly unreadable: readonly { readonly name: string; readonly problem: SourceProblem }[];
}

export async function chooseRepositories(api: GithubApi, settings: GithubSettings): Promise<ChosenRepositories> {
  if (settings.repositories) return readNamed(api, settings.repositories);
  const { items, at } = await listAll(api, settings);
  const all = items.map(convertRepository);
  const repositories = all.filter(({ isFork, isArchived }) => !isFork && !isArchived);
  return { at, repositories, seenAs: new Map(), unreadable: [] };
}

/** One that is gone or forbidden does not stop the others. */
async function readNamed(api: GithubApi, names: readonly string[]): Promise<ChosenRepositories> {
  const found = new Map<string, ListedRepository>();
  const seenAs = new Map<string, string>();
  const unreadable: { name: string; problem: SourceProblem }[] = [];
  let at = 0;
  for (const name of names) {
    try {
      const { repository, ...answer } = await readRepository(api, name);
      at = answer.at;
      // Two of the names may lead to one repository, when one of them is its old name.
      if (found.has(repository.id)) continue;
      found.set(repository.id, repository);
      seenAs.set(repository.id, name);
    } catch (error) {
      const problem = explanationOf('GitHub', error);
      if (!(problem instanceof SourceProblem) || problem.mayPass) throw error;
      unreadable.push({ name, problem });
    }
  }
  return { at, repositories: [...found.values()], seenAs, unreadable };
}

/** GitHub leads from an old name to the new one. */
export async function readRepository(
  api: GithubApi,
  name: string,
): Promise<{ readonly repository: ListedRepository; readonly at: number }> {
  const { status, body, at } = await api.get(`/repos/${name}`, { alsoGood: [404, 451] });
  if (status === 404) throw goneOrForbidden(name);
  if (status === 451) throw blocked(name);
  return { repository: convertRepository(body), at };
}

/** The repository that a name leads to; undefined where it is gone, or none of GitHub's names at all. */
export async function repositoryAt(api: GithubApi, name: string): Promise<ListedRepository | undefined> {
  try {
    return (await readRepository(api, name)).repository;
  } catch (error) {
    const problem = explanationOf('GitHub', error);
    if (problem instanceof SourceProblem && !problem.mayPass) return undefined;
    throw error;
  }
}

/** A repository that GitHub does not show: its rows stay as they are. */
export class RepositoryUnseen extends SourceProblem {}

const goneOrForbidden = (name: string): RepositoryUnseen =>
  new RepositoryUnseen(
    `${name} is gone, or the token may not see it`,
    'Give the token access to it, or take it out of the setting repositories. What was read stays.',
    { isRefused: true },
  );

const blocked = (name: string): RepositoryUnseen =>
  new RepositoryUnseen(
    `${name} is blocked for legal reasons`,
    'Take it out of the setting repositories. What was read stays.',
    { isRefused: true },
  );

/** Of the organisation, where one is named; else all that the token's account or installation sees. */
async function listAll(api: GithubApi, { organization }: GithubSettings): Promise<ItemList> {
  if (organization) {
    const ofOrganization = await api.list(`/orgs/${organization}/repos`, { query: { type: 'all' }, alsoGood: [404] });
    if (ofOrganization) return ofOrganization;
  }
  const ofAccount = await listOfAccount(api);
  const isOwned = (item: unknown) =>
    convertRepository(item).name.toLowerCase().startsWith(`${organization?.toLowerCase()}/`);
  return organization ? { ...ofAccount, items: ofAccount.items.filter(isOwned) } : ofAccount;
}

/** The token of an app has an installation instead of an account. */
async function listOfAccount(api: GithubApi): Promise<ItemList> {
  try {
    return (await api.list('/user/repos')) ?? noItems;
  } catch (error) {
    if (!(error instanceof SourceProblem) || error.mayPass) throw error;
    const ofInstallation = await api
      .list('/installation/repositories', { field: 'repositories' })
      .catch(() => Promise.reject(error));
    return ofInstallation ?? noItems;
  }
}

const noItems: ItemList = { items: [], at: 0 };
