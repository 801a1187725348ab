import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import type { KnownDirectory } from '../publish/known-directory.ts';
import { portioned } from '../read/stored-rows.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import type { AttributionColumn, AttributionReader } from './attributed-columns.ts';
import { chooseSources } from './choose-sources.ts';
import { among, inRepositories } from './conditions.ts';
import { keepNamed } from './named-pull-requests.ts';
import { readFacts } from './read-facts.ts';
import { countByRepository } from './repository-keys.ts';
import { attributeRepository } from './rules/attribute-repository.ts';
import { meantBy } from './short-references.ts';
import type { TouchedRows } from './touched-rows.ts';
import { type Attributed, writeAttribution } from './write-attribution.ts';
import { type AttributionSettings, nameRepositories, writeFailures } from './write-failures.ts';

/**
 * Deployments, what each carried, which failed, and what became of every pull request. Each repository that a batch
 * touches is attributed as a whole, and only rows that differ are written.
 */
export async function attributeDeployments(
  session: IntakeSession,
  touched: TouchedRows,
  { settingsOf, incidentWindowDays, earlierNames }: AttributionSettings & Pick<KnownDirectory, 'earlierNames'>,
): Promise<void> {
  if (touched.isEmpty) return;
  const { sources, changedMarks } = await chooseSources(session, touched.repositories, settingsOf);
  const named = await keepNamed(session, touched, changedMarks, earlierNames);
  // A deployment can name pull requests of any repository. Those repositories are attributed too.
  const linked = await repositoriesOf(session, pullRequests, named.size > 0 && meantBy(named));
  for (const key of sources.keys()) linked.delete(key);
  for (const [key, source] of (await chooseSources(session, linked, settingsOf)).sources) sources.set(key, source);

  const judged = new Set(touched.deploymentsToJudge);
  for (const part of await inParts(session, sources.keys())) {
    const facts = await readFacts(session, part, sources, settingsOf);
    const attributed = facts.map((one) => ({ facts: one, result: attributeRepository(one) }));
    await writeAttribution(session, attributed, touched);
    for (const one of attributed) for (const id of deploymentsToCount(one)) judged.add(id);
    await session.flushIfLarge();
  }

  // Failures follow from pull requests and incidents of any repository, so they are found once all are attributed.
  const { names, meant } = await nameRepositories(session, touched.incidentNames, sources.keys());
  const carrying = await repositoriesOf(session, deployments, judged.size > 0 && among('deployment_id', judged));
  for (const part of await inParts(session, new Set([...sources.keys(), ...carrying, ...meant]))) {
    await writeFailures(session, part, { settingsOf, incidentWindowDays, names, judged });
  }
}

/** The repositories that some rows are in, if there are any to look for. */
async function repositoriesOf<T extends typeof pullRequests | typeof deployments>(
  session: AttributionReader,
  table: T,
  where: Condition<AttributionColumn<T>> | false,
): Promise<Set<string>> {
  return where ? new Set((await countByRepository(session, [table], where)).keys()) : new Set();
}

/** Deployments that name what they carried: those of a repository, and those of others with a pull request of it. */
function deploymentsToCount({ facts, result }: Attributed): Set<string> {
  const own = new Set(facts.deployments.map(({ deployment_id }) => deployment_id));
  const naming = new Set(facts.naming);
  for (const [i, before] of facts.pullRequests.entries()) {
    for (const id of [before.deployment_id, result.pullRequests[i]?.deployment_id ?? null]) {
      if (id !== null && !own.has(id) && !result.inferred.has(id)) naming.add(id);
    }
  }
  return naming;
}

/** Rows that are held in memory at once. A repository is never divided. */
const maxRows = 60_000;

/** Repositories in parts whose rows fit into memory. */
async function inParts(session: AttributionReader, keys: Iterable<string>): Promise<string[][]> {
  const all = [...keys];
  if (all.length < 2) return all.length === 0 ? [] : [all];
  const sizes = await countByRepository(session, [pullRequests, deployments], inRepositories(all));
  return portioned(all, maxRows, (key) => sizes.get(key) ?? 0);
}
