import { pullRequests } from '../catalogue/tables/pull-requests.ts';
import { keyOf } from '../name-key.ts';
import type { KnownRepositories } from '../sources/source.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { KnownDirectory } from './publish/known-directory.ts';

/** The repositories of an organisation: by the names that the directory knows, and by those that stand in records. */
export const knownRepositories = (
  organisationId: string,
  directory: () => Promise<Pick<KnownDirectory, 'earlierNames'>>,
  warehouse: Pick<IntakePort, 'holds' | 'read'>,
): KnownRepositories => ({
  names: async () => (await directory()).earlierNames,
  async inRecordsOf(host) {
    if (!warehouse.holds(organisationId)) return [];
    const named = await warehouse.read(organisationId, (reader) =>
      reader.tally(pullRequests, ['source', 'repository'], { column: 'repository', isNull: false }),
    );
    return named.flatMap(({ source, repository }) =>
      source !== null && keyOf(source) === keyOf(host) && repository !== null ? [repository] : [],
    );
  },
});
