import { keepPreviousData, QueryClient, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Question } from './question.ts';
import { AskError, getJson, postJson, type Rows, sendQuestion } from './send.ts';

/** Answers are kept as long as the server keeps them. A request that the reader has to correct is not sent again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The server may be on this very machine: what a browser says of the network decides nothing.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 60_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => {
        if (!(error instanceof AskError)) return false;
        return count < 2 && (error.status === 429 || error.status === 503);
      },
    },
  },
});

/** The state of an answer that a part of a page waits for. */
export interface Answer<T> {
  readonly data: T | undefined;
  readonly error: AskError | undefined;
  /** There is nothing to show yet. */
  readonly isFirst: boolean;
  /** The shown answer belongs to the question before this one. */
  readonly isOld: boolean;
  readonly retry: () => void;
}

/** Whether a figure made from these answers still shows the answer to an earlier question. */
export const isAnyOld = (answers: readonly (Pick<Answer<unknown>, 'isOld'> | undefined)[]): boolean =>
  answers.some((answer) => answer?.isOld ?? false);

export function answerOf<T>({ data, error, isPending, isPlaceholderData, refetch }: UseQueryResult<T>): Answer<T> {
  return {
    data,
    error: error === null ? undefined : error instanceof AskError ? error : new AskError(0, String(error), undefined),
    isFirst: isPending,
    isOld: isPlaceholderData,
    retry: () => void refetch(),
  };
}

const queryOf = (question: Question | undefined) => ({
  queryKey: [question?.path, question?.body],
  queryFn: ({ signal }: { signal: AbortSignal }) => sendQuestion(question as Question, signal),
  enabled: question !== undefined,
  placeholderData: keepPreviousData,
});

/** Asks a metric. The request is cancelled when the question changes; meanwhile the old answer stays. */
export const useAnswer = (question: Question | undefined): Answer<Rows> => answerOf(useQuery(queryOf(question)));

const ofNames = { isOfNames: true };

/** Asks for names to choose from: without them, the page itself has failed in nothing. */
export const useNames = (question: Question | undefined): Answer<Rows> =>
  answerOf(useQuery({ ...queryOf(question), meta: ofNames }));

export const isOfNames = (meta: Readonly<Record<string, unknown>> | undefined): boolean => meta?.isOfNames === true;

/** The question without its days and filters. */
const shapeOf = (question: Question | undefined): string =>
  JSON.stringify([question?.path, { ...question?.body, ...notOfShape }]);
const notOfShape = { filters: undefined, previous_start_date: undefined, previous_end_date: undefined };

/**
 * Several questions that go out together. `useQueries` forgets the answer to a question that changed, so it is kept
 * here, for a question at the same place that asks for the same.
 */
export function useAnswers(questions: readonly (Question | undefined)[]): readonly Answer<Rows>[] {
  const kept = useRef<readonly { readonly shape: string; readonly data: Rows | undefined }[]>([]);
  const shapes = questions.map(shapeOf);
  const results = useQueries({
    queries: questions.map((question, at) => ({
      ...queryOf(question),
      placeholderData: () => (kept.current[at]?.shape === shapes[at] ? kept.current[at]?.data : undefined),
    })),
  });
  useEffect(() => {
    kept.current = results.map(({ data }, at) => ({ shape: shapes[at] ?? '', data }));
  });
  return results.map(answerOf);
}

/** What `GET path` answers with: routes of `/app/…`, `/teams`, `/catalogue`. */
export const useJson = <T>(path: string | undefined): Answer<T> =>
  answerOf(
    useQuery({
      queryKey: [path],
      queryFn: ({ signal }) => getJson<T>(path as string, signal),
      enabled: path !== undefined,
      placeholderData: keepPreviousData,
    }),
  );

/** An answer of `/explain`: how a number came about. */
interface Explanation {
  readonly metric: string;
  readonly title: string;
  readonly definition: string;
  readonly plan: readonly string[];
  readonly sql: string;
  readonly rows_read: number;
  readonly freshness: { readonly last_change_at: string | null };
  readonly date_field?: string | null;
  readonly values?: { readonly used: number; readonly left_out: readonly { reason: string; count: number }[] };
  readonly nearest?: { readonly before: string | null; readonly after: string | null };
}

export const useExplanation = (question: Question | undefined): Answer<Explanation> =>
  answerOf(
    useQuery({
      queryKey: ['explain', question?.path, question?.body],
      queryFn: ({ signal }) => postJson<Explanation>(`${question?.path}/explain`, question?.body, signal),
      enabled: question !== undefined,
      placeholderData: keepPreviousData,
    }),
  );
