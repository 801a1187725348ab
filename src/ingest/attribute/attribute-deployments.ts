import type { Table } from '../../catalogue/table.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import { chooseSources } from './choose-sources.ts';
import { among, inRepositories } from './conditions.ts';
import { nameRepositories } from './incident-names.ts';
import { keepNamed, namedByDeployments } from './named-pull-requests.ts';
import { readFacts } from './read-facts.ts';
import { attributeRepository } from './rules/attribute-repository.ts';
import { isProductionDeploy } from './rules/production.ts';
import { noRepository } from './rules/repository-settings.ts';
import { readAllSettings, type SettingsOf } from './stored-settings.ts';
import type { TouchedRows } from './touched-rows.ts';
import { type Attributed, clearUnassigned, writeAttribution } from './write-attribution.ts';
import { writeFailures } from './write-failures.ts';

const daySeconds = 86_400;

/**
 * Deployments, what each carried, which failed, and what became of every pull request. Each repository that a batch
 * touches is attributed as a whole, and only rows that differ are written.
 */
export async function attributeDeployments(
  session: IntakeSession,
  touched: TouchedRows,
  { incidentWindowDays }: { readonly incidentWindowDays: number },
): Promise<void> {
  if (touched.isEmpty) return;
  if (touched.hasUnassigned) await clearUnassigned(session);
  const settingsOf = await readAllSettings(session);
  const keys = touchedRepositories(touched, settingsOf);
  const named = await keepNamed(session, touched);
  const { sources, changedMarks } = await chooseSources(session, keys, settingsOf);
  for (const id of await namedByDeployments(session, changedMarks)) named.add(id);
  // A deployment can name pull requests of any repository. Those repositories are attributed too.
  const linked = await repositoriesOf(session, pullRequests, named, keys);
  if (linked.size > 0) {
    for (const [key, source] of (await chooseSources(session, linked, settingsOf)).sources) sources.set(key, source);
  }

  const judged = new Set(touched.judgedDeployments);
  for (const part of await inParts(session, [...sources.keys()])) {
    const facts = await readFacts(session, part, sources, settingsOf);
    const attributed = facts.map((one) => ({ facts: one, result: attributeRepository(one) }));
    await writeAttribution(session, attributed, touched);
    for (const one of attributed) for (const id of deploymentsElsewhere(one)) judged.add(id);
    await session.flushIfLarge();
  }

  // Failures follow from pull requests and incidents of any repository, so they are found once all are attributed.
  const { names, meant } = await nameRepositories(session, touched.incidentNames, sources.keys());
  const carrying = await repositoriesOf(session, deployments, judged, sources);
  for (const part of await inParts(session, [...new Set([...sources.keys(), ...carrying, ...meant])])) {
    await writeFailures(session, part, { settingsOf, names, incidentWindowSeconds: incidentWindowDays * daySeconds });
  }
}

/** The repositories of touched rows. Most runs deploy nothing and touch no repository. */
function touchedRepositories({ repositories, workflows }: TouchedRows, settingsOf: SettingsOf): Set<string> {
  const deploying = [...workflows.values()].filter((one) => isProductionDeploy(one, settingsOf(one.repository_key)));
  return new Set([...repositories, ...deploying.map(({ repository_key }) => repository_key)]);
}

/** The repositories that these rows are in, beyond those known already. */
async function repositoriesOf(
  session: TableReader,
  table: typeof pullRequests | typeof deployments,
  ids: ReadonlySet<string>,
  known: { has(key: string): boolean },
): Promise<Set<string>> {
  if (ids.size === 0) return new Set();
  const rows = await session.tally(table as Table, ['repository_key' as never], among(table.key[0] ?? '', ids));
  const keys = (rows as unknown as { readonly repository_key: string | null }[]).flatMap(({ repository_key: key }) =>
    key === null && table === pullRequests ? [] : [key ?? noRepository],
  );
  return new Set(keys.filter((key) => !known.has(key)));
}

/** Deployments of other repositories that carried a pull request before, or carry it now. */
function deploymentsElsewhere({ facts, result }: Attributed): Set<string> {
  const own = new Set(facts.deployments.map(({ deployment_id }) => deployment_id));
  const elsewhere = new Set<string>();
  for (const [i, before] of facts.pullRequests.entries()) {
    const now = result.pullRequests[i]?.deployment_id ?? null;
    for (const id of now === before.deployment_id ? [now] : [before.deployment_id, now]) {
      if (id !== null && !own.has(id) && !result.inferred.has(id)) elsewhere.add(id);
    }
  }
  return elsewhere;
}

/** Rows that are held in memory at once. A repository is never divided. */
const rowsMax = 60_000;

/** Repositories in parts whose rows fit into memory. */
async function inParts(session: TableReader, keys: readonly string[]): Promise<string[][]> {
  if (keys.length < 2) return keys.length === 0 ? [] : [[...keys]];
  const sizes = new Map<string, number>();
  for (const table of [pullRequests, deployments] as readonly Table[]) {
    const rows = await session.tally(table, ['repository_key' as never], inRepositories(keys));
    for (const row of rows as unknown as readonly { repository_key: string | null; rows: number }[]) {
      const key = row.repository_key ?? noRepository;
      sizes.set(key, (sizes.get(key) ?? 0) + row.rows);
    }
  }
  const parts: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const key of keys) {
    const more = sizes.get(key) ?? 0;
    if (size + more > rowsMax) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(key);
    size += more;
  }
  return parts;
}
