import type { FactTable } from '../../../catalogue/tables/all-tables.ts';
import { SourceProblem, type Stream } from '../../source.ts';
import { type Repository, repositoryRecord } from '../convert/repository.ts';

/** The repositories themselves. They were listed to know the streams, so nothing more is asked. */
export const repositoriesStream = (repositories: readonly Repository[], at: number): Stream => ({
  id: 'repositories',
  name: 'repositories',
  feeds: [],
  scope: '',
  read: async ({ mark }) => {
    if (repositories.length === 0) throw nothingSeen();
    const records = repositories.map(repositoryRecord);
    const said = JSON.stringify(records);
    const page = { records: [], count: records.length, total: records.length, at, mark: said };
    return said === mark ? { ...page, isUnchanged: true } : { ...page, records: [{ table: 'repositories', records }] };
  },
});

/** Said by a sync and by a check: nothing to read is no success without a reason. */
export const nothingSeen = (): SourceProblem =>
  new SourceProblem(
    'The token sees no repository that is neither a fork nor archived',
    'Give the token access to them, or name them in repositories.',
  );

/** The tables that the streams of a repository feed. */
const repositoryTables: readonly FactTable[] = [
  'pull_requests',
  'pull_request_reviews',
  'pull_request_comments',
  'pull_request_commits',
  'pull_request_events',
  'issues',
  'issue_comments',
  'release_details',
  'deployments',
  'workflow_runs',
];

/** A repository of the settings that cannot be read, so that its problem stands where its streams would. */
export const unreadableStream = (name: string, problem: SourceProblem): Stream => ({
  id: `repository@${name.toLowerCase()}`,
  name: 'repository',
  feeds: repositoryTables,
  scope: name,
  read: () => Promise.reject(problem),
});
