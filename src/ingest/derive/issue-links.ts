import { namedIssues } from '../../catalogue/derivation-state.ts';
import { placeOfFullId, pullRequestId } from '../../catalogue/record-ids.ts';
import type { Row, Table } from '../../catalogue/table.ts';
import { childrenOf, factTables } from '../../catalogue/tables/all-tables.ts';
import { issues } from '../../catalogue/tables/issues.ts';
import { type PullRequestRow, pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { EarlierNames } from '../../directory/earlier-names.ts';
import { listsByKey } from '../../lists-by-key.ts';
import { compareTexts, keyOf } from '../../text-comparison.ts';
import type { Batch } from '../apply/batch.ts';
import { portioned, type StoredReading, storedPortions } from '../read/stored-rows.ts';
import { type IntakeSession, patchDifferent } from '../write/intake-session.ts';
import { TableOverlay } from '../write/table-overlay.ts';

/** The columns that linking writes. */
export const linkColumns = { pull_requests: ['issue_ids'], issues: ['pr_ids'] } as const;

/** Rows of one side that are linked at once. */
const maxLinked = 10_000;

/**
 * Links the pull requests and issues of a batch: `issue_ids` are the stored issues that a pull request names, `pr_ids` the
 * pull requests that name an issue. Both are found by key, so a change costs what it links. Runs once rows are written.
 */
export async function linkBatch({ session, tables, earlierNames }: Batch): Promise<void> {
  const naming = tables.pull_requests
    .changedIn(['pr_id', 'named_issues'])
    .filter(({ before, after }) => (before?.named_issues ?? after?.named_issues ?? null) !== null);
  const keys = await keepNamed(session, naming, earlierNames);
  const changed = tables.issues.changedIn(['issue_id', 'link_key']);
  const changedKeys = new Set(
    changed.flatMap(({ before, after }) => [before?.link_key ?? [], after?.link_key ?? []].flat()),
  );
  const prs = new Set(naming.flatMap(({ after }) => after?.pr_id ?? []));
  if (changedKeys.size > 0) {
    const namers = await session.select(namedIssues, ['pr_id'], { column: 'link_key', in: [...changedKeys] });
    for (const { pr_id } of namers) prs.add(pr_id ?? '');
  }
  for (const { after } of changed) if (after?.link_key) keys.add(after.link_key);
  // An issue whose key is none any more is named by nobody.
  const keyless = changed.flatMap(({ before, after }) =>
    before?.link_key && after?.issue_id && !after.link_key ? [after.issue_id] : [],
  );
  for (const some of portioned([...prs], maxLinked)) await linkPullRequests(session, some);
  for (const some of portioned([...keys], maxLinked)) await linkIssues(session, { column: 'link_key', in: some });
  if (keyless.length > 0) await linkIssues(session, { column: 'issue_id', in: keyless });
}

/** The same for everything that is stored, portion by portion. */
export async function linkEverything(
  session: IntakeSession,
  { maxRows, signal }: StoredReading,
  earlierNames: Pick<EarlierNames, 'firstNameOf'>,
): Promise<void> {
  for await (const where of storedPortions(session, pullRequests, maxRows)) {
    signal?.throwIfAborted();
    const rows = await session.select(pullRequests, ['pr_id', 'named_issues'], where);
    await keepNamed(
      session,
      rows.map((row) => ({ before: row, after: row })),
      earlierNames,
    );
    await session.flushIfLarge();
  }
  for await (const where of storedPortions(session, pullRequests, maxRows)) {
    signal?.throwIfAborted();
    const rows = await session.select(pullRequests, ['pr_id'], where);
    await linkPullRequests(
      session,
      rows.map(({ pr_id }) => pr_id ?? ''),
    );
    await session.flushIfLarge();
  }
  for await (const where of storedPortions(session, issues, maxRows)) {
    signal?.throwIfAborted();
    await linkIssues(session, where);
    await session.flushIfLarge();
  }
}

type WithNames = Pick<PullRequestRow, 'pr_id' | 'named_issues'>;

/**
 * Keeps, one row for each key, what pull requests name, so that they are found from either side. Returns the keys that
 * these pull requests name now or named before.
 */
async function keepNamed(
  session: IntakeSession,
  rows: readonly { readonly before: WithNames | undefined; readonly after: WithNames | undefined }[],
  { firstNameOf }: Pick<EarlierNames, 'firstNameOf'>,
): Promise<Set<string>> {
  const kept = new TableOverlay(namedIssues);
  const stored = rows.flatMap(({ before }) => before?.pr_id ?? []);
  if (stored.length > 0) await kept.load(session, { column: 'pr_id', in: stored });
  for (const entry of kept.entries.values()) kept.remove(entry);
  for (const { after } of rows) {
    for (const named of JSON.parse(after?.named_issues ?? '[]') as string[]) {
      const place = placeOfFullId(named);
      // Ids have the name under which a repository was first seen.
      const link_key = place
        ? keyOf(pullRequestId(place.host, firstNameOf(place.host, place.repository), place.number))
        : named;
      kept.make({ pr_id: after?.pr_id ?? '', link_key });
    }
  }
  await kept.write(session);
  return new Set([...kept.entries.values()].map(({ before, after }) => (before ?? after)?.link_key ?? ''));
}

async function linkPullRequests(session: IntakeSession, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const named = await session.select(namedIssues, ['pr_id', 'link_key'], { column: 'pr_id', in: ids });
  const keys = [...new Set(named.map(({ link_key }) => link_key))];
  const found =
    keys.length === 0 ? [] : await session.select(issues, ['issue_id', 'link_key'], { column: 'link_key', in: keys });
  const byKey = listsByKey(found, ({ link_key }) => link_key);
  const byPullRequest = listsByKey(named, ({ pr_id }) => pr_id);
  const stored = await session.select(pullRequests, ['pr_id', 'issue_ids'], { column: 'pr_id', in: ids });
  await writeLinks(
    session,
    pullRequests,
    'issue_ids',
    stored.map((row) => {
      const linked = (byPullRequest.get(row.pr_id) ?? []).flatMap(({ link_key }) => byKey.get(link_key) ?? []);
      return [row, listOf(linked.map(({ issue_id }) => issue_id))];
    }),
  );
}

async function linkIssues(session: IntakeSession, where: Parameters<IntakeSession['select']>[2]): Promise<void> {
  const stored = await session.select(issues, ['issue_id', 'link_key', 'pr_ids'], where);
  const keys = [...new Set(stored.flatMap(({ link_key }) => link_key ?? []))];
  const named =
    keys.length === 0 ? [] : await session.select(namedIssues, ['pr_id', 'link_key'], { column: 'link_key', in: keys });
  const byKey = listsByKey(named, ({ link_key }) => link_key);
  await writeLinks(
    session,
    issues,
    'pr_ids',
    stored.map((row) => [row, listOf((byKey.get(row.link_key) ?? []).map(({ pr_id }) => pr_id))]),
  );
}

/** Ids as they are stored: sorted; null where there are none. Each is given once, since a row has one key. */
function listOf(ids: readonly (string | null)[]): string | null {
  const all = ids.flatMap((id) => id ?? []).sort(compareTexts);
  return all.length === 0 ? null : JSON.stringify(all);
}

/** Writes the lists that are different now, and hands them to the parts of their rows. */
async function writeLinks(
  session: IntakeSession,
  table: typeof pullRequests | typeof issues,
  column: 'issue_ids' | 'pr_ids',
  linked: readonly (readonly [stored: Row, list: string | null])[],
): Promise<void> {
  const different = linked.filter(([stored, list]) => stored[column] !== list);
  if (different.length === 0) return;
  const [id = ''] = table.key;
  const lists = new Map(different.map(([stored, list]) => [stored[id], list]));
  await patchDifferent(
    session,
    table as Table,
    [column] as never,
    different.map(([stored, list]) => [stored, { [column]: list } as never]),
  );
  for (const name of childrenOf(table.name as 'issues')) {
    const part: Table = factTables[name];
    const wanted = [...new Set([...part.key, id, column])];
    const rows = (await session.select(part, wanted as never, {
      column: id,
      in: [...lists.keys()] as never,
    })) as unknown as Row[];
    await patchDifferent(
      session,
      part,
      [column] as never,
      rows.map((row) => [row, { [column]: lists.get(row[id] ?? null) ?? null } as never]),
    );
  }
}
