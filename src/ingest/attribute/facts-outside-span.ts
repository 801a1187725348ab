import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequestCommits } from '../../catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { addToList } from '../../lists-by-key.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { parseRevertMarks } from '../derive/reverts.ts';
import {
  type AttributionColumn,
  type AttributionReader,
  all,
  among,
  any,
  before,
  bySpan,
  earlierThan,
  inRepositories,
  isNull,
  notNull,
  withSha,
} from './attribution-reader.ts';
import type { SpanPart } from './repository-parts.ts';
import { compareOrder, shaKey } from './rules/deployment-contents.ts';
import { inferredFrom } from './rules/deployment-source.ts';
import {
  type BuiltFrom,
  commitColumns,
  deploymentColumns,
  type EarlierFacts,
  type PlacedPullRequest,
  placedColumns,
  type RepositoryFacts,
  type RevertTarget,
  revertTargetColumns,
  type StoredDeployment,
  type StoredPullRequest,
} from './rules/repository-facts.ts';
import { noRepository } from './rules/repository-settings.ts';
import { isAllTime, type Spans, theBeginning, theEnd } from './spans.ts';
import { isLive } from './standing.ts';
import type { TouchedRows } from './touched-rows.ts';

type DeploymentCondition = Condition<AttributionColumn<typeof deployments>>;
type Earlier = Pick<EarlierFacts, 'first' | 'live' | 'lastFull' | 'lastRelease'>;

/**
 * What was deployed and released before the spans, as far as what was deployed in them is compared with it. Where every
 * merge is deployed nothing is.
 */
export async function readEarlier(
  session: AttributionReader,
  part: SpanPart,
  isMerging: (key: string | null) => boolean,
  deployed: readonly BuiltFrom[],
): Promise<Map<string, Earlier>> {
  // Nothing that is merged is looked at after the end.
  const spans = part.filter(({ from }) => from !== theBeginning && from !== theEnd);
  const deploying = spans.filter(({ key }) => !isMerging(key));
  const { firsts, live } = await readLive(session, deploying, deployed);
  const released = await readReleased(session, spans);
  return new Map(
    spans.map(({ key }) => [key, { first: firsts.get(key), live: live.get(key) ?? [], ...released.get(key) }]),
  );
}

async function readLive(session: AttributionReader, spans: SpanPart, deployed: readonly BuiltFrom[]) {
  const live = new Map<string, StoredDeployment[]>();
  const firsts = new Map<string, StoredDeployment>();
  if (spans.length === 0) return { firsts, live };
  const isEarlier = all(
    isLive,
    bySpan(earlierThan(spans), ({ until }) => before('deployed_at', until)),
  );
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
  const isHere = new Set(spans.map(({ key }) => key));
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

async function readReleased(session: AttributionReader, spans: SpanPart) {
  const released = new Map<string, { lastFull?: number; lastRelease?: number }>();
  if (spans.length === 0) return released;
  const isEarlier = bySpan(earlierThan(spans), ({ until }) => before('release_date', until));
  const lasts = await session.summarise(
    releaseDetails,
    ['repository_key', 'is_prerelease'],
    { max: 'release_date' },
    isEarlier,
  );
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

/**
 * A clock may be behind: a commit that was deployed before a span may be of a merge in it. Then the deployment held what
 * came after it, so it is attributed again, from there to the end. Returns the other repositories.
 */
export async function withoutEarlyDeployments(
  session: AttributionReader,
  facts: readonly RepositoryFacts[],
  { mergeShas }: TouchedRows,
  more: Spans,
): Promise<RepositoryFacts[]> {
  const deploying = facts.filter(
    ({ key, settings, source, span: { from } }) =>
      from !== theBeginning && from !== theEnd && inferredFrom(key, settings, source) !== 'merge',
  );
  if (deploying.length === 0) return [...facts];
  const shas = new Set(mergeShas);
  const early = new Set<string>();
  const note = (key: string, at: number | null) => {
    early.add(key);
    more.touch(key, at, theEnd);
  };
  for (const { key, span, pullRequests } of deploying) {
    for (const { pr_merged_at: at, merge_commit_sha: sha, deployed_at } of pullRequests) {
      if (at === null || at < span.from) continue;
      if (sha !== null) shas.add(sha);
      if (deployed_at !== null && deployed_at < span.from) note(key, deployed_at);
    }
  }
  const spans = earlierThan(deploying.map(({ key, span }) => ({ key, ...span })));
  const isEarly = all(
    isLive,
    withSha('sha', shas),
    bySpan(spans, ({ until }) => before('deployed_at', until)),
  );
  const columns = ['repository_key', 'deployed_at'] as const;
  for (const { repository_key, deployed_at } of await session.select(deployments, columns, isEarly)) {
    note(repository_key ?? noRepository, deployed_at);
  }
  return facts.filter(({ key }) => !early.has(key));
}

type Commits = RepositoryFacts['commits'];

/** The pull requests that deployed commits are of, as far as they were not read, and their commits. */
export async function readPlaces(
  session: AttributionReader,
  part: SpanPart,
  prs: readonly StoredPullRequest[],
  deployed: readonly BuiltFrom[],
): Promise<{ readonly commits: Commits; readonly placed: readonly PlacedPullRequest[] }> {
  const shas = new Map<string, string>();
  for (const { repository_key, sha } of deployed) if (sha !== null) shas.set(placeKey(repository_key, sha), sha);
  const isRead = new Set(prs.map(({ pr_id }) => pr_id));
  const placed: PlacedPullRequest[] = [];
  const read = async (where: Condition<AttributionColumn<typeof pullRequests>>) => {
    const rows = await session.select(pullRequests, placedColumns, where);
    placed.push(...rows.filter(({ pr_id }) => pr_id !== null && !isRead.has(pr_id)));
    for (const { pr_id } of rows) isRead.add(pr_id ?? '');
  };
  const keys = part.map(({ key }) => key);
  const areAllRead = part.every(isAllTime);
  if (!areAllRead && shas.size > 0) {
    await read(all(inRepositories(keys), notNull('pr_merged_at'), withSha('merge_commit_sha', shas.values())));
  }
  // Apart for each repository: the merge of one may be any commit in another.
  for (const { repository_key, pr_merged_at, merge_commit_sha: sha } of [...prs, ...placed]) {
    if (sha !== null && pr_merged_at !== null) shas.delete(placeKey(repository_key, sha));
  }
  const commits = await readCommits(session, shas.values());
  const owners = commits.flatMap(({ pr_id }) => (isRead.has(pr_id) ? [] : [pr_id]));
  if (!areAllRead && owners.length > 0) {
    await read(all(inRepositories(keys), among('pr_id', owners)));
  }
  return { commits, placed };
}

const placeKey = (repository: string | null, sha: string): string => `${repository ?? ''} ${shaKey(sha)}`;

/** Commits by their hashes. There are too many to read all. */
async function readCommits(session: AttributionReader, shas: Iterable<string>): Promise<Commits> {
  const some = [...new Set(shas)];
  if (some.length === 0) return [];
  const rows = await session.select(pullRequestCommits, commitColumns, withSha('sha', some));
  return rows.flatMap(({ sha, pr_id }) => (sha !== null && pr_id !== null ? [{ sha, pr_id }] : []));
}

/** The merged pull requests that some say they take back, by everything that they may call them by. */
export async function readRevertTargets(
  session: AttributionReader,
  prs: readonly StoredPullRequest[],
): Promise<{ readonly targets: readonly RevertTarget[]; readonly commits: Commits }> {
  const reverting = new Set<string>();
  const [numbers, titles, shas] = [new Set<number>(), new Set<string>(), new Set<string>()];
  for (const { repository_key, revert_marks } of prs) {
    const marks = parseRevertMarks(revert_marks);
    if (!marks || repository_key === null || marks.repository !== undefined) continue;
    reverting.add(repository_key);
    for (const number of [marks.number, marks.quotedNumber]) if (number !== undefined) numbers.add(number);
    if (marks.title !== undefined) titles.add(marks.title);
    if (marks.sha !== undefined) shas.add(marks.sha);
  }
  if (reverting.size === 0) return { targets: [], commits: [] };
  const commits = await readCommits(session, shas);
  const isNamed = any(
    among('pr_number', numbers),
    among('pr_title', titles),
    withSha('merge_commit_sha', shas),
    among(
      'pr_id',
      commits.map(({ pr_id }) => pr_id),
    ),
  );
  const where = all(inRepositories(reverting), notNull('pr_merged_at'), isNamed);
  return { targets: await session.select(pullRequests, revertTargetColumns, where), commits };
}
