import { useQuery } from '@tanstack/react-query';
import { getTagged, putTagged, sendJson } from './send.ts';
import { type Answer, answerOf, queryClient, useJson } from './use-answer.ts';

/** Who sees a document: everyone, its owner, or a team by name or id. */
export type VisibleTo = 'organisation' | 'me' | { readonly team: string };

/** What a list says of each document beside the document itself. */
export interface Listed {
  /** Null once that person is removed: then it belongs to the Owners. */
  readonly owner: { readonly merged_user_id: string; readonly name: string } | null;
  readonly may_change: boolean;
  readonly changed_at: string;
}

/** A document with what says which state of it was read. */
export interface Tagged<D> {
  readonly document: D;
  readonly etag: string;
}

type Kind = 'boards' | 'goals' | 'annotations' | 'alerts' | 'digests';

const pathOf = (kind: Kind, slug: string): string => `/${kind}/${encodeURIComponent(slug)}`;
const keyOf = (kind: Kind, slug: string) => ['document', kind, slug];

export const useDocuments = <D>(kind: Kind, isWanted = true): Answer<readonly (D & Listed)[]> =>
  useJson(isWanted ? `/${kind}` : undefined);

/** Goals without how they stand, which would be worked out for each of them. */
export const usePlainGoals = <D>(isWanted: boolean): Answer<readonly (D & Listed)[]> =>
  useJson(isWanted ? '/goals?state=false' : undefined);

export const useDocument = <D>(kind: Kind, slug: string): Answer<Tagged<D>> =>
  answerOf(
    useQuery({
      queryKey: keyOf(kind, slug),
      queryFn: ({ signal }) => getTagged<D>(pathOf(kind, slug), signal),
    }),
  );

/** Without a tag it makes a new document, and never replaces one. */
export async function putDocument<D>(kind: Kind, slug: string, document: D, etag?: string): Promise<Tagged<D>> {
  const put = await putTagged<D>(pathOf(kind, slug), document, etag);
  queryClient.setQueryData(keyOf(kind, slug), put);
  await refreshLists(kind);
  return put;
}

export const readDocument = <D>(kind: Kind, slug: string): Promise<Tagged<D>> => getTagged<D>(pathOf(kind, slug));

export async function removeDocument(kind: Kind, slug: string): Promise<void> {
  await sendJson('DELETE', pathOf(kind, slug));
  await refreshLists(kind);
}

/** Asks again for the list, and for what follows from a document, such as the history of a goal. */
const refreshLists = (kind: Kind): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => isOfKind(path, kind) });

const isOfKind = (path: unknown, kind: Kind): boolean =>
  typeof path === 'string' && (path === `/${kind}` || path.startsWith(`/${kind}/`) || path.startsWith(`/${kind}?`));

/** Asks again for what others may have changed. */
export const refreshDocument = (kind: Kind, slug: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(kind, slug) });

const maxSlugLength = 60;

/** The name in addresses that a title gives: `Lead time, weekly` → `lead-time-weekly`. */
export function slugOf(title: string, taken: ReadonlySet<string>, otherwise: string): string {
  const plain = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, maxSlugLength - 4);
  const first = plain === '' ? otherwise : plain;
  for (let more = 1; ; more += 1) {
    const slug = more === 1 ? first : `${first}-${more}`;
    if (!taken.has(slug)) return slug;
  }
}

const maxTries = 5;

/** Makes a document under the name that its title gives. The name may be taken by one that the reader cannot see. */
export async function makeDocument<D>(
  kind: Kind,
  title: string,
  document: D,
  known: readonly string[],
): Promise<string> {
  const taken = new Set(known);
  for (let tries = 1; ; tries += 1) {
    const slug = slugOf(title, taken, kind.replace(/s$/, ''));
    try {
      await putDocument(kind, slug, document);
      return slug;
    } catch (problem) {
      if (!isTaken(problem) || tries === maxTries) throw problem;
      taken.add(slug);
    }
  }
}

const isTaken = (problem: unknown): boolean =>
  typeof problem === 'object' && problem !== null && 'status' in problem && [409, 412].includes(Number(problem.status));

/** Whether a document was changed or removed since it was read. */
export const isChangedMeanwhile = (problem: { readonly status: number } | undefined): boolean =>
  problem?.status === 412;
