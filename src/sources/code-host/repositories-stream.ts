import type { CodeHostName } from '../../catalogue/record-ids.ts';
import type { FactTable } from '../../catalogue/tables/all-tables.ts';
import { SourceProblem, type Stream } from '../source.ts';

/** A repository of a code host, as its record needs it. */
interface RecordedRepository {
  readonly name: string;
  /** The name that ids are made of: the one under which it was first seen. */
  readonly firstName: string;
  readonly defaultBranch: string | null;
}

export const repositoryRecord = (host: CodeHostName, { name, firstName, defaultBranch }: RecordedRepository) => ({
  repository: name,
  ...(defaultBranch === null ? {} : { default_branch: defaultBranch }),
  ...(firstName === name ? {} : { earlier_names: [`${host}:${firstName}`] }),
});

/** The repositories themselves. They were listed to know the streams, so nothing more is asked. */
export const repositoriesStream = (
  host: CodeHostName,
  repositories: readonly RecordedRepository[],
  { at, setting }: { readonly at: number; readonly setting: string },
): Stream => ({
  id: 'repositories',
  name: 'repositories',
  feeds: [],
  scope: '',
  read: async ({ mark }) => {
    if (repositories.length === 0) throw nothingSeen(setting);
    const records = repositories.map((repository) => repositoryRecord(host, repository));
    const said = JSON.stringify(records);
    const page = { records: [], count: records.length, total: records.length, at, mark: said };
    return said === mark ? { ...page, isUnchanged: true } : { ...page, records: [{ table: 'repositories', records }] };
  },
});

/** Said by a sync and by a check: nothing to read is no success without a reason. */
export const nothingSeen = (setting: string): SourceProblem =>
  new SourceProblem(
    'The token sees no repository that is neither a fork nor archived',
    `Give the token access to them, or name them in ${setting}.`,
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
