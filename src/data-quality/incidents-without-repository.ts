import { incidents } from '../catalogue/tables/incidents.ts';
import { knownRepositories } from '../ingest/attribute/repository-parts.ts';
import { RepositoryNames } from '../ingest/attribute/rules/repository-settings.ts';
import { compareTexts } from '../text-comparison.ts';
import type { TableReader } from '../warehouse/intake-port.ts';
import { defaultMaxListed } from './unresolved-people.ts';

export interface IncidentsWithoutRepository {
  readonly incidents: number;
  readonly most_named: readonly IncidentsOfService[];
}

interface IncidentsOfService {
  /** Null where they give neither a repository nor a service. */
  readonly service: string | null;
  readonly incidents: number;
}

/**
 * Incidents that name no deployment, and whose service is the name of no known repository, or of several. They count
 * nowhere.
 */
export async function incidentsWithoutRepository(
  reader: TableReader,
  maxListed = defaultMaxListed,
): Promise<IncidentsWithoutRepository> {
  const tallied = await reader.tally(incidents, ['repository_key', 'repository', 'service'], {
    column: 'deployment_id',
    isNull: true,
  });
  if (tallied.length === 0) return { incidents: 0, most_named: [] };
  const names = new RepositoryNames((await knownRepositories(reader)).keys());
  const byKey = new Map<string | null, IncidentsOfService>();
  for (const { repository_key: key, repository, service, rows } of tallied) {
    if (names.find(key) !== undefined) continue;
    const known = byKey.get(key);
    byKey.set(key, {
      service: firstOf(known?.service, repository ?? service),
      incidents: (known?.incidents ?? 0) + rows,
    });
  }
  const most = [...byKey.values()].sort(
    (a, b) => b.incidents - a.incidents || compareTexts(a.service ?? '', b.service ?? ''),
  );
  return {
    incidents: most.reduce((sum, { incidents: some }) => sum + some, 0),
    most_named: most.slice(0, maxListed),
  };
}

/** One spelling of a name, the same whatever the order of the rows. */
const firstOf = (a: string | null | undefined, b: string | null): string | null =>
  a === null || a === undefined || (b !== null && compareTexts(b, a) < 0) ? b : a;
