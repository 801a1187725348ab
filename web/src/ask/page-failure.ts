import type { Query } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { AskError } from './send.ts';
import { isOfNames, queryClient } from './use-answer.ts';

/** With fewer, the one part that failed says so itself. */
const minFailed = 2;

/** The error of a page all of whose questions failed; undefined where any has an answer, is on its way, or is refused. */
export function pageFailure(queries: readonly Query[]): AskError | undefined {
  const questions = queries.filter(({ queryKey: [path], meta }) => isQuestion(path) && !isOfNames(meta));
  const refused = (error: unknown): boolean => error instanceof AskError && error.isNotAllowed;
  const asked = questions.filter(({ state }) => !refused(state.error));
  const errors = asked.flatMap(({ state: { status, error } }) =>
    status === 'error' && error instanceof AskError ? error : [],
  );
  return errors.length >= minFailed && errors.length === asked.length ? errors[0] : undefined;
}

const isQuestion = (path: unknown): boolean => typeof path === 'string' && path.startsWith('/metrics/');

const activeFailure = (): AskError | undefined => pageFailure(queryClient.getQueryCache().findAll({ type: 'active' }));

export const usePageFailure = (): AskError | undefined =>
  useSyncExternalStore(
    (onChange) => queryClient.getQueryCache().subscribe(onChange),
    activeFailure,
    () => undefined,
  );

/** Asks everything again that failed. */
export const retryFailed = (): void =>
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
