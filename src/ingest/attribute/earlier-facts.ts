import { deployments } from '../../catalogue/tables/deployments.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { addToList } from '../../lists-by-key.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import type { AttributionColumn, AttributionReader } from './attributed-columns.ts';
import { all, among, any, before, inRepositories, is, isNull, withSha } from './conditions.ts';
import { theBeginning, theEnd } from './cuts.ts';
import type { CutPart } from './repository-parts.ts';
import { compareOrder } from './rules/deployment-order.ts';
import { inferredFrom } from './rules/deployment-source.ts';
import {
  type BuiltFrom,
  deploymentColumns,
  type EarlierFacts,
  type StoredDeployment,
} from './rules/repository-facts.ts';
import { noRepository } from './rules/repository-settings.ts';

type DeploymentCondition = Condition<AttributionColumn<typeof deployments>>;
type Earlier = Pick<EarlierFacts, 'first' | 'live' | 'lastFull' | 'lastRelease'>;

/** Successes in production. */
export const isLive: DeploymentCondition = all(is('is_production', true), is('status', 'success'));

/** What was deployed and released before the cut, as far as what was deployed since it is compared with it. */
export async function readEarlier(
  session: AttributionReader,
  { cut, repositories }: CutPart,
  deployed: readonly BuiltFrom[],
): Promise<Map<string, Earlier>> {
  // Nothing that is merged is looked at after the end.
  if (cut === theBeginning || cut === theEnd) return new Map();
  const keys = repositories.map(({ key }) => key);
  const deploying = repositories
    .filter((one) => inferredFrom(one.key, one.settings, one.source) !== 'merge')
    .map(({ key }) => key);
  const { firsts, live } = await readLive(session, deploying, cut, deployed);
  const released = await readReleased(session, keys, cut);
  return new Map(keys.map((key) => [key, { first: firsts.get(key), live: live.get(key) ?? [], ...released.get(key) }]));
}

async function readLive(
  session: AttributionReader,
  keys: readonly string[],
  cut: number,
  deployed: readonly BuiltFrom[],
) {
  const live = new Map<string, StoredDeployment[]>();
  const firsts = new Map<string, StoredDeployment>();
  if (keys.length === 0) return { firsts, live };
  const isEarlier = all(inRepositories(keys), isLive, before('deployed_at', cut));
  const began = await session.summarise(deployments, ['repository_key'], { min: 'deployed_at' }, isEarlier);
  const ended = await session.summarise(
    deployments,
    ['repository_key', 'environment'],
    { max: 'deployed_at' },
    isEarlier,
  );
  const moments = new Set([...began, ...ended].map(({ value }) => value));
  const known = new Set<string | null>();
  const recall = async (where: DeploymentCondition): Promise<StoredDeployment[]> => {
    const rows = await session.select(deployments, deploymentColumns, all(isEarlier, where));
    const others = rows.filter(({ deployment_id }) => !known.has(deployment_id));
    for (const row of others) {
      known.add(row.deployment_id);
      addToList(live, row.repository_key ?? noRepository, row);
    }
    return others;
  };
  const atMoments = await recall(among('deployed_at', moments));
  const firstAt = new Map(began.map(({ repository_key, value }) => [repository_key, value]));
  for (const row of atMoments) {
    const key = row.repository_key ?? noRepository;
    if (row.deployed_at !== firstAt.get(row.repository_key)) continue;
    const first = firsts.get(key);
    if (!first || compareOrder(placeOf(row), placeOf(first)) < 0) firsts.set(key, row);
  }
  // A rollback held what was deployed again, which is to be found in turn.
  const isHere = new Set(keys);
  const since = deployed.filter(({ repository_key }) => isHere.has(repository_key ?? noRepository));
  let compared: readonly BuiltFrom[] = [...since, ...atMoments];
  while (compared.length > 0)
    compared = (await recall(alike(compared))).filter(({ is_rollback }) => is_rollback === true);
  return { firsts, live };
}

const placeOf = ({ deployment_id, deployed_at }: StoredDeployment) => ({
  id: deployment_id ?? '',
  at: deployed_at ?? 0,
});

/** What was built from the same: a commit identifies it, and a version where one of the two names no commit. */
function alike(deployed: readonly BuiltFrom[]): DeploymentCondition {
  const [shas, bare, built] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { sha, version } of deployed) {
    if (sha !== null) shas.add(sha);
    if (version !== null) (sha === null ? bare : built).add(version);
  }
  return any(withSha('sha', shas), among('version', bare), all(isNull('sha'), among('version', built)));
}

async function readReleased(session: AttributionReader, keys: readonly string[], cut: number) {
  const isEarlier = all(inRepositories(keys), before('release_date', cut));
  const lasts = await session.summarise(
    releaseDetails,
    ['repository_key', 'is_prerelease'],
    { max: 'release_date' },
    isEarlier,
  );
  const released = new Map<string, { lastFull?: number; lastRelease?: number }>();
  if (lasts.length === 0) return released;
  const firsts = await session.summarise(releaseDetails, ['repository_key'], { min: 'release_date' }, isEarlier);
  for (const { repository_key, value } of firsts) {
    if (value !== null) released.set(repository_key ?? noRepository, { lastFull: value });
  }
  for (const { repository_key, is_prerelease, value } of lasts) {
    const key = repository_key ?? noRepository;
    const { lastFull, lastRelease = value ?? 0 } = released.get(key) ?? {};
    if (value === null) continue;
    const full = is_prerelease === true ? lastFull : Math.max(lastFull ?? value, value);
    released.set(key, { lastRelease: Math.max(lastRelease, value), ...(full === undefined ? {} : { lastFull: full }) });
  }
  return released;
}
