import type { SourceProblem, Stream } from '../../source.ts';
import { type Repository, repositoryRecord } from '../convert/repository.ts';

/** The repositories themselves. They were listed to know the streams, so nothing more is asked. */
export const repositoriesStream = (repositories: readonly Repository[], at: number): Stream => ({
  id: 'repositories',
  name: 'repositories',
  scope: '',
  read: async ({ mark }) => {
    const records = repositories.map(repositoryRecord);
    const said = JSON.stringify(records);
    const page = { records: [], count: records.length, total: records.length, at, mark: said };
    return said === mark ? { ...page, isUnchanged: true } : { ...page, records: [{ table: 'repositories', records }] };
  },
});

/** A repository of the settings that cannot be read, so that its problem stands where its streams would. */
export const unreadableStream = (name: string, problem: SourceProblem): Stream => ({
  id: `repository@${name.toLowerCase()}`,
  name: 'repository',
  scope: name,
  read: () => Promise.reject(problem),
});
