import { explanationOf } from '../payload.ts';
import { SourceProblem } from '../source.ts';

/** A repository as its host lists it. */
export interface HostedRepository {
  /** The host's own number, which no rename changes. */
  readonly id: string;
  /** The present name, with its owner. */
  readonly name: string;
  readonly createdAt: string;
  readonly defaultBranch: string | null;
  readonly isFork: boolean;
  readonly isArchived: boolean;
  /** When something of it last changed, where the host says so. */
  readonly changedAt?: string;
  /** The organisation or group that owns it; absent where a user does. */
  readonly owner?: string;
}

/** Repositories that are to be read, and those of the settings that cannot be. */
export interface ChosenRepositories<T extends HostedRepository> {
  /** When they were listed, by the provider's clock. */
  readonly at: number;
  readonly repositories: readonly T[];
  /** By the host's number, under which name the settings know them. */
  readonly seenAs: ReadonlyMap<string, string>;
  readonly unreadable: readonly { readonly name: string; readonly problem: SourceProblem }[];
}

export interface ReadRepository<T extends HostedRepository> {
  readonly repository: T;
  readonly at: number;
}

/** Reads the repositories that settings name. One that is gone or forbidden does not stop the others. */
export async function readNamed<T extends HostedRepository>(
  names: readonly string[],
  label: string,
  read: (name: string) => Promise<ReadRepository<T>>,
): Promise<ChosenRepositories<T>> {
  const found = new Map<string, T>();
  const seenAs = new Map<string, string>();
  const unreadable: { name: string; problem: SourceProblem }[] = [];
  let at = 0;
  for (const name of names) {
    try {
      const { repository, ...answer } = await read(name);
      at = answer.at;
      // Two of the names may lead to one repository, when one of them is its old name.
      if (found.has(repository.id)) continue;
      found.set(repository.id, repository);
      seenAs.set(repository.id, name);
    } catch (error) {
      unreadable.push({ name, problem: lastingProblem(label, error) });
    }
  }
  return { at, repositories: [...found.values()], seenAs, unreadable };
}

/** The repository that a name leads to; undefined where it is gone, or none of the host's names at all. */
export async function repositoryAt<T extends HostedRepository>(
  name: string,
  label: string,
  read: (name: string) => Promise<ReadRepository<T>>,
): Promise<T | undefined> {
  try {
    return (await read(name)).repository;
  } catch (error) {
    lastingProblem(label, error);
    return undefined;
  }
}

/** What fails now and may go well later is thrown on. */
function lastingProblem(label: string, error: unknown): SourceProblem {
  const problem = explanationOf(label, error);
  if (problem instanceof SourceProblem && !problem.mayPass) return problem;
  throw error;
}

/** A repository that its host does not show: its rows stay as they are. */
export class RepositoryUnseen extends SourceProblem {
  constructor(message: string, toDo: string) {
    super(message, `${toDo} What was read stays.`, { isRefused: true });
  }
}

export const goneOrForbidden = (name: string, setting: string): RepositoryUnseen =>
  new RepositoryUnseen(
    `${name} is gone, or the token may not see it`,
    `Give the token access to it, or take it out of the setting ${setting}.`,
  );
