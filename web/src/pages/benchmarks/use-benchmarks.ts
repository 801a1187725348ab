import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { parametersOf } from '../../ask/question.ts';
import { AskError, postJson } from '../../ask/send.ts';
import type { View } from '../../ask/view.ts';
import { type BenchmarkAnswer, benchmarkQuestion, benchmarks, benchmarksOf } from './questions.ts';

/** All benchmarks of the page, asked together. */
export function useBenchmarks(view: View) {
  const asked = benchmarks.map(({ metric, dateField }) => ({
    dateField,
    question: benchmarkQuestion(view, metric, dateField),
  }));
  const answers = useQueries({
    queries: asked.map(({ question }) => ({
      queryKey: [question.path, question.body],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        postJson<BenchmarkAnswer>(`${question.path}?${parametersOf(question)}`, question.body, signal),
      placeholderData: keepPreviousData,
    })),
  });
  const errors = answers.flatMap(({ error }) =>
    error ? (error instanceof AskError ? error : new AskError(0, String(error), undefined)) : [],
  );
  return {
    rows: answers.flatMap(({ data }, at) => {
      const one = asked[at];
      return data && one ? benchmarksOf(data, one.dateField, one.question) : [];
    }),
    isFirst: answers.some(({ isPending }) => isPending),
    isOld: answers.some(({ isPlaceholderData }) => isPlaceholderData),
    /** A failed benchmark hides only itself, unless all failed. */
    errors,
    retry: () => {
      for (const { error, refetch } of answers) if (error) void refetch();
    },
  };
}
