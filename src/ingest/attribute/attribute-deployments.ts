import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { parseRevertMarks } from '../derive/reverts.ts';
import type { KnownDirectory } from '../publish/known-directory.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import type { AttributionReader } from './attributed-columns.ts';
import { chooseSources } from './choose-sources.ts';
import { all, inRepositories, notNull } from './conditions.ts';
import { Cuts, theBeginning } from './cuts.ts';
import { FailuresToFind } from './failures-to-find.ts';
import { keepNamed } from './named-pull-requests.ts';
import { readFacts } from './read-facts.ts';
import { inParts, type StandingRepository } from './repository-parts.ts';
import { attributeRepository } from './rules/attribute-repository.ts';
import type { ChosenSource } from './rules/deployment-source.ts';
import { environmentKey } from './rules/production.ts';
import { noRepository } from './rules/repository-settings.ts';
import { meantBy } from './short-references.ts';
import { readStanding, withoutEarlyDeployments } from './standing.ts';
import type { TouchedRows } from './touched-rows.ts';
import { type Attributed, writeAttribution, writeDeployers } from './write-attribution.ts';
import { type AttributionSettings, findAllFailures } from './write-failures.ts';

/**
 * Deployments, what each carried, which failed, and what became of every pull request. Each repository is attributed from
 * the earliest moment on that the touched rows can affect, and only rows that differ are written.
 */
export async function attributeDeployments(
  session: IntakeSession,
  touched: TouchedRows,
  directory: AttributionSettings & Pick<KnownDirectory, 'earlierNames'>,
): Promise<void> {
  const { settingsOf } = directory;
  await touchReverts(session, touched);
  if (touched.isEmpty) return;
  const sources = await chooseAllSources(session, touched, directory);
  const failures = new FailuresToFind(touched);
  let cuts = touched.cuts;
  for (let tries = 1; cuts.size > 0; tries += 1) {
    const earlierCuts = new Cuts();
    for (const { cut, keys } of await inParts(session, cuts)) {
      const sourced = keys.map((key) => ({ key, settings: settingsOf(key), source: sources.get(key) as ChosenSource }));
      const repositories = await readStanding(session, sourced, cut, touched, earlierCuts);
      if (repositories.length === 0) continue;
      const facts = await readFacts(session, { cut, repositories }, settingsOf, touched);
      const standing = await withoutEarlyDeployments(session, facts, touched, earlierCuts);
      const attributed = standing.map((one) => ({ facts: one, result: attributeRepository(one) }));
      const kept = withSameModel(attributed, repositories, earlierCuts);
      await writeAttribution(session, kept, touched);
      for (const one of kept) failures.collect(one);
      await session.flushIfLarge();
    }
    // Where each earlier cut leads to one before it, the beginning is nearer.
    if (tries === maxTries) for (const key of earlierCuts.keys()) earlierCuts.touch(key, theBeginning);
    cuts = earlierCuts;
  }
  await writeDeployers(session, touched);
  // Failures follow from pull requests and incidents of any repository, so they are found once all are attributed.
  await findAllFailures(session, failures, directory);
}

const maxTries = 3;

/** Where the title of a pull request is another, the reverts that quote either may take back another one. */
async function touchReverts(session: AttributionReader, { titles, cuts }: TouchedRows): Promise<void> {
  if (titles.size === 0) return;
  const columns = ['repository_key', 'pr_merged_at', 'revert_marks'] as const;
  const reverting = all(inRepositories(titles.keys()), notNull('revert_marks'));
  for (const { repository_key, pr_merged_at, revert_marks } of await session.select(pullRequests, columns, reverting)) {
    const quoted = parseRevertMarks(revert_marks)?.title;
    const key = repository_key ?? noRepository;
    if (quoted !== undefined && titles.get(key)?.has(quoted)) cuts.touch(key, pr_merged_at);
  }
}

/** Where deployments come from, of the touched repositories and of those that touched deployments name pull requests of. */
async function chooseAllSources(
  session: IntakeSession,
  touched: TouchedRows,
  { settingsOf, earlierNames }: AttributionSettings & Pick<KnownDirectory, 'earlierNames'>,
): Promise<Map<string, ChosenSource>> {
  const { sources, changedMarks } = await chooseSources(session, new Set(touched.cuts.keys()), settingsOf);
  for (const { repository_key, deployed_at, environment } of changedMarks) {
    touched.cuts.touch(repository_key ?? noRepository, deployed_at);
    touched.signalled.add(repository_key ?? noRepository);
    touched.environments.add(environmentKey(environment));
  }
  const marked = changedMarks.map(({ deployment_id }) => deployment_id ?? '');
  const named = await keepNamed(session, touched, marked, earlierNames);
  if (named.size === 0) return sources;
  const linked = await session.select(pullRequests, ['repository_key', 'pr_merged_at'], meantBy(named));
  for (const { repository_key, pr_merged_at } of linked)
    touched.cuts.touch(repository_key ?? noRepository, pr_merged_at);
  const others = new Set([...touched.cuts.keys()].filter((key) => !sources.has(key)));
  for (const [key, source] of (await chooseSources(session, others, settingsOf)).sources) sources.set(key, source);
  return sources;
}

/** Those that are branched as they were. Where another model is found, every pull request of the repository has it. */
function withSameModel(
  attributed: readonly Attributed[],
  repositories: readonly StandingRepository[],
  earlierCuts: Cuts,
): Attributed[] {
  const models = new Map(repositories.map((one) => [one.key, one.models]));
  return attributed.filter(({ facts: { key }, result }) => {
    const isSame = [...(models.get(key) ?? [])].every((model) => model === result.model);
    if (!isSame) earlierCuts.touch(key, theBeginning);
    return isSame;
  });
}
