import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { portioned } from '../read/stored-rows.ts';
import type { AttributionReader } from './attributed-columns.ts';
import { all, any, inRepositories, isNull, since } from './conditions.ts';
import { type Cuts, theBeginning } from './cuts.ts';
import { countByRepository } from './repository-keys.ts';
import type { ChosenSource } from './rules/deployment-source.ts';
import type { RepositorySettings } from './rules/repository-settings.ts';

export interface SourcedRepository {
  readonly key: string;
  readonly settings: RepositorySettings;
  readonly source: ChosenSource;
}

/** A repository of which everything before a cut stands, with what holds for all of it. */
export interface StandingRepository extends SourcedRepository {
  readonly productionBranch: string;
  /** Whether anything was promoted before the cut. */
  readonly isPromoted: boolean;
  /** The branching models by which its pull requests were attributed before. */
  readonly models: ReadonlySet<string | null>;
}

/** Repositories that are attributed together, from one cut on. */
export interface CutPart {
  readonly cut: number;
  readonly repositories: readonly StandingRepository[];
}

/** Rows that are held in memory at once. A repository is never divided. */
const maxRows = 60_000;
/** Repositories with cuts that are further apart are not attributed together: all are read from the earliest on. */
const maxApart = 30 * 86_400;

/** Repositories in parts whose rows fit into memory, each with the earliest of its cuts. */
export async function inParts(
  session: AttributionReader,
  cuts: Cuts,
): Promise<{ readonly cut: number; readonly keys: readonly string[] }[]> {
  const groups: { readonly cut: number; readonly keys: string[] }[] = [];
  for (const { key, cut } of cuts.inOrder()) {
    const last = groups.at(-1);
    if (last && (cut === last.cut || cut - last.cut <= maxApart)) last.keys.push(key);
    else groups.push({ cut, keys: [key] });
  }
  const parts: { readonly cut: number; readonly keys: readonly string[] }[] = [];
  for (const { cut, keys } of groups) {
    const sizes = keys.length < 2 ? new Map<string, number>() : await countSince(session, keys, cut);
    for (const some of portioned(keys, maxRows, (key) => sizes.get(key) ?? 0)) parts.push({ cut, keys: some });
  }
  return parts;
}

async function countSince(
  session: AttributionReader,
  keys: readonly string[],
  cut: number,
): Promise<Map<string, number>> {
  const some = inRepositories(keys);
  const sizes = await countByRepository(
    session,
    [pullRequests],
    cut === theBeginning ? some : all(some, since('pr_merged_at', cut)),
  );
  const undated = any(since('deployed_at', cut), isNull('deployed_at'));
  for (const [key, rows] of await countByRepository(session, [deployments], all(some, undated))) {
    sizes.set(key, (sizes.get(key) ?? 0) + rows);
  }
  return sizes;
}
