import { peopleCopy } from '../../catalogue/directory-copies/directory-copies.ts';
import type { Row } from '../../catalogue/table.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { compareTexts } from '../../text-order.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import { groupedBy } from './groups.ts';

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
  'repository_key',
  'pr_merged_at',
  'production_merged_at',
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
export class CarriedPullRequests {
  readonly #names: ReadonlyMap<string, string | null>;

  constructor(names: ReadonlyMap<string, string | null>) {
    this.#names = names;
  }

  async ofDeployments(session: TableReader, deployments: readonly Row[]): Promise<Row[]> {
    const ids = deployments.map(({ deployment_id }) => deployment_id ?? null);
    const rows = await load(session, { column: 'deployment_id', in: ids });
    const carried = groupedBy(rows, ({ deployment_id }) => deployment_id);
    return deployments.map((row) => ({
      ...row,
      pull_requests: shown(carried.get(String(row.deployment_id)) ?? [], this.#names),
    }));
  }

  /** Each release has a span of time in its repository; those of one batch are asked for together. */
  async ofReleases(session: TableReader, releases: readonly Row[]): Promise<Row[]> {
    const known = releases.filter(
      ({ contents_after, contents_until }) => contents_after != null && contents_until != null,
    );
    const spans = [...groupedBy(known, ({ repository_key }) => repository_key ?? null)].map(
      ([key, some]): Condition => ({
        all: [
          { column: 'repository_key', in: [key] },
          {
            column: 'production_merged_at',
            atLeast: Math.min(...some.map(({ contents_after }) => Number(contents_after))),
          },
          {
            column: 'production_merged_at',
            atMost: Math.max(...some.map(({ contents_until }) => Number(contents_until))),
          },
        ],
      }),
    );
    const rows = spans.length === 0 ? [] : await load(session, { any: spans });
    const arrived = groupedBy(rows, ({ repository_key }) => repository_key);
    return releases.map((row) => {
      const { contents_after: after, contents_until: until } = row;
      const brought = (arrived.get(row.repository_key as string | null) ?? []).filter(
        ({ production_merged_at: at }) => {
          return at !== null && after != null && until != null && at > Number(after) && at <= Number(until);
        },
      );
      return { ...row, pull_requests: shown(brought, this.#names) };
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
