import { peopleCopy } from '../../catalogue/directory-copies/directory-copies.ts';
import type { Row } from '../../catalogue/table.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { listsByKey } from '../../lists-by-key.ts';
import { compareTexts } from '../../text-order.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';

const columns = [
  'pr_id',
  'pr_title',
  'pr_url',
  'pr_number',
  'pr_summary',
  'additions',
  'deletions',
  'merged_user_id',
  'person_name',
  'person_login',
  'deployment_id',
  'release_id',
  'prerelease_id',
  'pr_merged_at',
] as const;

type Carried = Awaited<ReturnType<typeof load>>[number];

async function load(session: TableReader, where: Condition) {
  const rows = await session.select(pullRequests, columns, where);
  return rows.sort(
    (a, b) => (a.pr_merged_at ?? 0) - (b.pr_merged_at ?? 0) || compareTexts(a.pr_id ?? '', b.pr_id ?? ''),
  );
}

/** Names of people, for the authors of what was carried. */
export async function namesOfPeople(session: TableReader): Promise<ReadonlyMap<string, string | null>> {
  const people = await session.select(peopleCopy, ['merged_user_id', 'name']);
  return new Map(people.map(({ merged_user_id, name }) => [merged_user_id ?? '', name]));
}

/** The pull requests that deployments carried and releases brought, as they are shown with them. */
export class CarriedPullRequestNames {
  readonly #names: ReadonlyMap<string, string | null>;

  constructor(names: ReadonlyMap<string, string | null>) {
    this.#names = names;
  }

  async ofDeployments(session: TableReader, deployments: readonly Row[]): Promise<Row[]> {
    const ids = deployments.map(({ deployment_id }) => deployment_id ?? null);
    const rows = await load(session, { column: 'deployment_id', in: ids });
    const carried = listsByKey(rows, ({ deployment_id }) => deployment_id);
    return deployments.map((row) => ({
      ...row,
      pull_requests: shown(carried.get(String(row.deployment_id)) ?? [], this.#names),
    }));
  }

  /** A pull request can be in a release and in a prerelease before it. */
  async ofReleases(session: TableReader, releases: readonly Row[]): Promise<Row[]> {
    const ids = releases.map(({ release_id }) => release_id ?? null);
    const rows = await load(session, {
      any: [
        { column: 'release_id', in: ids },
        { column: 'prerelease_id', in: ids },
      ],
    });
    const full = listsByKey(rows, ({ release_id }) => release_id);
    const early = listsByKey(rows, ({ prerelease_id }) => prerelease_id);
    return releases.map((row) => {
      const id = String(row.release_id);
      return { ...row, pull_requests: shown(full.get(id) ?? early.get(id) ?? [], this.#names) };
    });
  }
}

function shown(carried: readonly Carried[], names: ReadonlyMap<string, string | null>): string | null {
  if (carried.length === 0) return null;
  return JSON.stringify(
    carried.map((pr) => ({
      id: pr.pr_id,
      title: pr.pr_title,
      author: names.get(pr.merged_user_id ?? '') ?? pr.person_name ?? pr.person_login,
      url: pr.pr_url,
      number: pr.pr_number,
      summary: pr.pr_summary,
      additions: pr.additions,
      deletions: pr.deletions,
    })),
  );
}
