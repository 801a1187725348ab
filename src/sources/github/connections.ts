import { Payload } from '../payload.ts';
import type { GraphqlAsking } from '../requests.ts';
import { type GithubApi, refuseCircle } from './api.ts';

/** A page of a list of GraphQL. Some are null, such as the files of a change whose commits GitHub no longer has. */
export function connectionOf(connection: Payload | null): { nodes: Payload[]; endCursor?: string } {
  if (connection === null) return { nodes: [] };
  const page = connection.object('pageInfo');
  return {
    // What the token may not see is null in its place.
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
