import type { Table } from '../../catalogue/table.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Reading, Writing } from '../../warehouse/warehouse.ts';
import { attributeRepository } from './attribute-repository.ts';
import { chooseAttribution, markProduction } from './choose-sources.ts';
import type { ChosenAttribution } from './chosen-attribution.ts';
import { inRepositories, noRepository } from './conditions.ts';
import { readKnownRepositories } from './known-repositories.ts';
import { keepNamed, namedByDeployments } from './named-pull-requests.ts';
import { readFacts } from './read-facts.ts';
import {
  carriersElsewhere,
  repositoriesOfPullRequests,
  repositoriesToBlame,
  touchedRepositories,
} from './touched-repositories.ts';
import type { TouchedRows } from './touched-rows.ts';
import { clearUnassigned } from './unassigned-rows.ts';
import { writeAttribution } from './write-attribution.ts';
import { writeFailures } from './write-failures.ts';

const daySeconds = 86_400;

/**
 * Deployments, what each carried, which failed, and what became of every pull request. Each repository that a batch
 * touches is attributed as a whole, and only rows that differ are written.
 */
export async function attributeDeployments(
  session: Writing,
  touched: TouchedRows,
  { incidentWindowDays }: { readonly incidentWindowDays: number },
): Promise<void> {
  if (touched.isEmpty) return;
  await clearUnassigned(session, touched);
  const repositories = await readKnownRepositories(session);

  const keys = await touchedRepositories(session, touched, repositories);
  const chosen = await chooseAttribution(session, keys, repositories);
  const remarked = await markProduction(session, chosen, repositories);
  // A deployment can name pull requests of any repository. Those repositories are attributed too.
  const named = [...(await namedByDeployments(session, remarked)), ...(await keepNamed(session, touched))];
  const linked = new Set((await repositoriesOfPullRequests(session, named)).filter((key) => !keys.has(key)));
  for (const [key, choice] of await chooseAttribution(session, linked, repositories)) chosen.set(key, choice);

  const carriers = new Set<string>();
  for (const part of await inParts(session, [...chosen.keys()])) {
    const facts = await readFacts(session, pick(chosen, part), repositories);
    const attributed = [...facts].map(([key, one]) => ({ key, facts: one, result: attributeRepository(one) }));
    await writeAttribution(session, attributed, touched, repositories);
    for (const one of attributed) for (const id of carriersElsewhere(one)) carriers.add(id);
  }

  const names = repositories.names();
  const blamed = new Set([...chosen.keys(), ...(await repositoriesToBlame(session, touched, carriers, names))]);
  for (const part of await inParts(session, [...blamed])) {
    await writeFailures(session, part, repositories, names.now, incidentWindowDays * daySeconds);
  }
}

const pick = (chosen: ReadonlyMap<string, ChosenAttribution>, keys: readonly string[]) =>
  new Map(keys.flatMap((key) => (chosen.has(key) ? [[key, chosen.get(key) as ChosenAttribution]] : [])));

/** Rows that are held in memory at once. A repository is never divided. */
const rowsMax = 60_000;

/** Repositories in parts whose rows fit into memory. */
async function inParts(session: Reading, keys: readonly string[]): Promise<string[][]> {
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
