import type { Answer, Asking, GraphqlAsking, GraphqlMissing, Requests } from '../host-port.ts';
import { Payload } from '../payload.ts';
import { SourceProblem } from '../source.ts';

/** Things of the host's lists that are asked for at once. It gives no more. */
export const listPageSize = 100;

const headers = { accept: 'application/vnd.github+json' };

/** A query to GraphQL, where the host has it. */
const graphqlUses = ['pull requests', 'members and teams'] as const;
type GraphqlUse = (typeof graphqlUses)[number];

/** GitHub's REST interface: lists to their end, and what is asked of it in the same way everywhere. */
export class GithubApi {
  readonly requests: Requests;
  readonly #withoutGraphql = new Set<GraphqlUse>();

  constructor(requests: Requests) {
    this.requests = requests;
  }

  /** Whether GraphQL may answer this: the host has it, and has not been found to be too old for these fields. */
  hasGraphqlFor(use: GraphqlUse): boolean {
    return !this.#withoutGraphql.has(use);
  }

  /** Found out by asking once. A field that members lack says nothing of pull requests. */
  noteMissing(use: GraphqlUse, { isWhole }: GraphqlMissing): void {
    for (const each of isWhole ? graphqlUses : [use]) this.#withoutGraphql.add(each);
  }

  get(path: string, asking: Asking = {}): Promise<Answer> {
    return this.requests.get(path, { ...asking, headers: { ...headers, ...asking.headers } });
  }

  /** Every item of a list, in the order of its pages. Undefined where the answer is one of `alsoGood`. */
  async list(
    path: string,
    { field, ...asking }: Asking & { readonly field?: string } = {},
  ): Promise<ItemList | undefined> {
    const items: unknown[] = [];
    const asked = new Set<string>();
    let page: string | undefined = path;
    let query: Required<Asking>['query'] = { per_page: listPageSize, ...asking.query };
    let at = 0;
    while (page !== undefined) {
      refuseCircle(asked, page);
      const answer: Answer = await this.get(page, { ...asking, query });
      if (answer.status >= 300) return undefined;
      for (const item of itemsOf(answer.body, field)) items.push(item);
      at = answer.at;
      page = answer.nextPage;
      // The address of a next page has its query already.
      query = {};
    }
    return { items, at };
  }
}

export interface ItemList {
  readonly items: readonly unknown[];
  /** The provider's clock, in seconds since 1970. */
  readonly at: number;
}

/** The items of a page: an answer that is a list, or an object that has one. */
export function itemsOf(body: unknown, field?: string): readonly unknown[] {
  const list = field === undefined ? body : Payload.of(body, `list of ${field}`).raw(field);
  if (!Array.isArray(list)) throw unreadableList(field);
  return list;
}

const unreadableList = (field = 'items'): SourceProblem =>
  new SourceProblem(
    `GitHub’s answer has no list of ${field}`,
    'Check that base_url is the address of GitHub’s interface, such as https://api.github.com or https://HOST/api/v3.',
  );

/** A proxy or a fault can make a page lead to itself. Reading it for ever would hold up everything else. */
export function refuseCircle(asked: Set<string>, page: string): void {
  if (asked.has(page)) {
    throw new SourceProblem('GitHub’s pages lead in a circle', 'Nothing: the sync tries again later.', {
      mayPass: true,
    });
  }
  asked.add(page);
}

/** Seconds since 1970 of a time of the provider's. */
export const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);

/** A page of a list of GraphQL. Some are null, such as the files of a change whose commits GitHub no longer has. */
export function connectionOf(connection: Payload | null): { nodes: Payload[]; endCursor?: string } {
  if (connection === null) return { nodes: [] };
  const page = connection.object('pageInfo');
  return {
    // A field that the token may not see is null in its place.
    nodes: connection.list('nodes'),
    ...(page.isTrue('hasNextPage') && { endCursor: page.text('endCursor') }),
  };
}

/** A list that came with its parent, and the rest of it, which `query` asks for by the parent's `id`. */
export async function completeList(
  api: GithubApi,
  parent: Payload,
  name: string,
  query: string,
  asking?: GraphqlAsking,
): Promise<Payload[]> {
  const { nodes, endCursor } = connectionOf(parent.objectOrNull(name));
  const asked = new Set<string>();
  let after = endCursor;
  while (after !== undefined) {
    refuseCircle(asked, after);
    const { data } = await api.requests.graphql(query, { id: parent.text('id'), after }, asking);
    const more = connectionOf(Payload.of(data, 'answer').objectOrNull('node')?.objectOrNull(name) ?? null);
    nodes.push(...more.nodes);
    after = more.endCursor;
  }
  return nodes;
}
