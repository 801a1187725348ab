import { queryClient } from './use-answer.ts';

/** Asks again for every answer that pages hold from these paths, with or without a query string. */
export async function refresh(...paths: readonly string[]): Promise<void> {
  const isMeant = (asked: unknown): boolean =>
    typeof asked === 'string' &&
    paths.some((path) => asked === path || asked.startsWith(`${path}?`) || asked.startsWith(`${path}/`));
  await queryClient.invalidateQueries({ predicate: ({ queryKey: [asked] }) => isMeant(asked) });
}
