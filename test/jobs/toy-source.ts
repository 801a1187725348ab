import type { Json } from '../../src/catalogue/record.ts';
import type { OpenSource, Page, SourceKind, SourceOpening, Stream, StreamPosition } from '../../src/sources/source.ts';
import { toyAddress } from './toy-provider.ts';
import type { ToyIssue, ToyPullRequest } from './toy-world.ts';

const pageSize = 4;
/** Less than the age of what lies on a first page, so that changes are few. */
const rereadSeconds = 3_600;
const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** The smallest source that has what real ones have: numbered pages with links, cursors of GraphQL, and an ETag. */
export const toyKind: SourceKind = {
  kind: 'toy',
  label: 'Toy',
  meaning: 'a code host for tests',
  accounts: 'own',
  settings: [
    { name: 'base_url', label: 'Address', meaning: 'address', type: 'address', usual: toyAddress },
    { name: 'token', label: 'Token', meaning: 'token', type: 'text', isSecret: true },
  ],
  open: (opening) => new ToySource(opening),
};

class ToySource implements OpenSource {
  readonly #opening: SourceOpening;

  constructor(opening: SourceOpening) {
    this.#opening = opening;
  }

  async check() {
    return { sees: [], missing: [] };
  }

  async *streams(): AsyncGenerator<Stream> {
    const { body } = await this.#opening.requests.get('/repos');
    for (const { name } of body as { name: string }[]) {
      yield this.#stream('pull_requests', name, (from) => this.#pullRequests(name, from));
      yield this.#stream('issues', name, (from) => this.#issues(name, from));
    }
  }

  #stream(name: 'pull_requests' | 'issues', scope: string, read: Stream['read']): Stream {
    return { id: `${name}@${scope}`, name, scope, feeds: [name], rereadSeconds, read };
  }

  async #pullRequests(repository: string, { next, mark }: StreamPosition): Promise<Page> {
    const { requests } = this.#opening;
    const etag = typeof mark === 'string' ? { etag: mark } : {};
    const answer =
      typeof next === 'string'
        ? await requests.get(next)
        : await requests.get(`/repos/${repository}/pulls`, { query: { per_page: pageSize }, ...etag });
    if (answer.isUnchanged) return { records: [], count: 0, at: answer.at, isUnchanged: true };
    const things = answer.body as ToyPullRequest[];
    const idOf = ({ number }: ToyPullRequest) => `toy:${repository}#${number}`;
    return {
      records: [
        { table: 'repositories', records: next === undefined ? [{ repository, default_branch: 'main' }] : [] },
        {
          table: 'pull_requests',
          records: things.map((one) => ({
            pr_id: idOf(one),
            pr_number: one.number,
            pr_title: one.title,
            source: 'github',
            repository,
            person_login: 'ada',
            pr_state: 'open',
            pr_created_at: iso(one.updated),
          })),
        },
        {
          table: 'pull_request_reviews',
          wholeSetsOf: things.map(idOf),
          records: things.flatMap((one) =>
            one.reviewers.map((person_login, i) => ({
              pr_review_id: `${idOf(one)}/${i}`,
              pr_id: idOf(one),
              person_login,
              reviewed_at: iso(one.updated + 60),
            })),
          ),
        },
      ],
      ...walked(things, answer.nextPage),
      at: answer.at,
      ...(answer.etag === undefined ? {} : { mark: answer.etag }),
    };
  }

  async #issues(repository: string, { next }: StreamPosition): Promise<Page> {
    const query = 'query($repository: String!, $first: Int!, $after: String) { toy }';
    const variables = { repository, first: pageSize, after: next ?? null };
    const { data, at } = await this.#opening.requests.graphql(query, variables);
    const found = data as unknown as {
      repository: {
        issues: { totalCount: number; pageInfo: { hasNextPage: boolean; endCursor: string }; nodes: ToyIssue[] };
      };
    };
    const { nodes, pageInfo, totalCount } = found.repository.issues;
    return {
      records: [
        {
          table: 'issues',
          records: nodes.map(({ number, title, updated }) => ({
            issue_id: `toy:${repository}!${number}`,
            issue_key: `T-${number}`,
            issue_title: title,
            source: 'github',
            created_at: iso(updated),
          })),
        },
      ],
      ...walked(nodes, pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
      total: totalCount,
      at,
    };
  }
}

function walked(things: readonly { readonly updated: number }[], next: Json | undefined) {
  const last = things.at(-1);
  return {
    count: things.length,
    ...(next === undefined ? {} : { next }),
    ...(last ? { reachedDownTo: last.updated } : {}),
  };
}
