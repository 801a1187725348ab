import type { Answer, Asking, GraphqlAsking, GraphqlMissing, Requests } from '../host-port.ts';
import { type ItemList, readLinked, refuseCircle } from '../paging.ts';
import { Payload } from '../payload.ts';

/** Things of the host's lists that are asked for at once. It gives no more. */
export const listPageSize = 100;

export const githubHeaders = { accept: 'application/vnd.github+json' };

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
    return this.requests.get(path, { ...asking, headers: { ...githubHeaders, ...asking.headers } });
  }

  /** Every item of a list, in the order of its pages. Undefined where the answer is one of `alsoGood`. */
  list(path: string, asking: Asking & { readonly field?: string } = {}): Promise<ItemList | undefined> {
    return readLinked(this, path, { ...asking, query: { per_page: listPageSize, ...asking.query } });
  }
}

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
