import type { Answer } from '../../requests.ts';
import { type GithubApi, itemsOf } from '../api.ts';

/** A page of a list that was read before the present one. */
export interface PreviousPage {
  readonly path: string;
  readonly etag?: string;
}

export interface ListPage {
  readonly items: readonly unknown[];
  readonly answer: Answer;
  /** For the page after this one. */
  readonly previous: PreviousPage;
}

/** An address with its query, which the same request can be made of again. */
export const addressOf = (path: string, query: Readonly<Record<string, string | number>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]))}`;

/**
 * A page of a list that is numbered by place. When something before it is deleted, everything moves up and the next page
 * passes over what stood first on it. So the page before is asked for once more, which costs nothing while it is
 * unchanged, and otherwise has on it what was passed over.
 */
export async function readListPage(
  api: GithubApi,
  path: string,
  { field, previous }: { readonly field?: string; readonly previous?: PreviousPage } = {},
): Promise<ListPage> {
  const answer = await api.get(path);
  const items = itemsOf(answer.body, field);
  return {
    items: previous ? [...(await shifted(api, previous, field)), ...items] : items,
    answer,
    previous: { path, ...(answer.etag && { etag: answer.etag }) },
  };
}

async function shifted(api: GithubApi, { path, etag }: PreviousPage, field?: string): Promise<readonly unknown[]> {
  const answer = await api.get(path, etag === undefined ? {} : { etag });
  return answer.isUnchanged ? [] : itemsOf(answer.body, field);
}
