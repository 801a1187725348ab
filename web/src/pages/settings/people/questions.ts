import { useQuery } from '@tanstack/react-query';
import { accessRoles, type ListedPerson, type PeoplePage, peoplePath } from '../../../ask/people.ts';
import { AskError, getJson } from '../../../ask/send.ts';
import type { Answer } from '../../../ask/use-answer.ts';
import { counted } from '../../../view/format.ts';

const pageSize = 500;

/** Everyone, page by page: roles are not something that the roster can be searched by. */
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

/** People who see or may do more than an Engineer, by role and then by name. */
export function withMoreThanOwnWork(people: readonly ListedPerson[]): readonly ListedPerson[] {
  return accessRoles
    .filter((role) => role !== 'Engineer')
    .flatMap((role) => people.filter(({ access_role }) => access_role === role));
}

/** `2 Owners, 14 Managers, 1 Squad Lead; 203 others are Engineers.` */
export function rolesSentence(people: readonly ListedPerson[]): string {
  const countOf = (role: string) => people.filter(({ access_role }) => access_role === role).length;
  const more = accessRoles
    .filter((role) => role !== 'Engineer' && countOf(role) > 0)
    .map((role) => counted(countOf(role), role, `${role}s`));
  const others = countOf('Engineer');
  return `${more.join(', ')}; ${others === 1 ? '1 other is an Engineer' : `${others} others are Engineers`}.`;
}
