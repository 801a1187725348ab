import { useQuery } from '@tanstack/react-query';
import { type ListedPerson, type PeoplePage, peoplePath } from '../../../ask/people-answers.ts';
import { AskError, getJson } from '../../../ask/send.ts';
import type { Answer } from '../../../ask/use-answer.ts';

const pageSize = 500;

/** Everyone, page by page: the roster cannot be searched by role. */
export function useEveryone(isAllowed: boolean): Answer<readonly ListedPerson[]> {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['/app/people', 'everyone'],
    queryFn: ({ signal }) => everyone(signal),
    enabled: isAllowed,
  });
  return {
    data,
    error: error instanceof AskError ? error : error ? new AskError(0, String(error), undefined) : undefined,
    isFirst: isPending,
    isOld: false,
    retry: () => void refetch(),
  };
}

async function everyone(signal: AbortSignal): Promise<readonly ListedPerson[]> {
  const found: ListedPerson[] = [];
  for (;;) {
    const { total, people } = await getJson<PeoplePage>(peoplePath({ limit: pageSize, offset: found.length }), signal);
    found.push(...people);
    if (people.length === 0 || found.length >= total) return found;
  }
}
