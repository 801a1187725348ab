import type { Exploration } from '../ask/exploration.ts';
import type { Question } from '../ask/question.ts';
import type { Row } from '../ask/send.ts';
import { type Answer, isAnyOld, useAnswers } from '../ask/use-answer.ts';
import { useSession } from '../page-session.ts';
import { peopleQuestion, rowsToShow } from './survey-rows.ts';

export interface Explored {
  readonly rows: readonly Row[];
  readonly total: number;
  /** Rows of surveys that too few people stand behind, and answers that the API itself left out. */
  readonly suppressed: number;
  readonly unmatched: Readonly<Record<string, readonly unknown[]>>;
  /** The answer to the question about the window before, where there is one. */
  readonly earlier?: readonly Row[];
}

/** The answer, without rows of surveys that too few people stand behind. */
export function useExplored(
  question: Question,
  earlier: Question | undefined,
  asked: Exploration,
): Answer<Explored> & { readonly hidden: number } {
  const least = useSession().organisation.survey_minimum_group;
  const guard = peopleQuestion(question, asked);
  const [answer, people, before] = useAnswers([question, guard, earlier]);
  const isWaiting = guard !== undefined && people?.data === undefined && !people?.error;
  const data = answer?.data;
  const { rows, hidden } = rowsToShow(data?.rows ?? [], people?.data?.rows ?? [], asked, least);
  return {
    data:
      data && !isWaiting
        ? { ...data, rows, total: data.total - hidden, ...(before?.data ? { earlier: before.data.rows } : {}) }
        : undefined,
    error: answer?.error ?? (guard ? people?.error : undefined),
    isFirst: (answer?.isFirst ?? true) || isWaiting,
    isOld: isAnyOld([answer, before]),
    retry: () => {
      answer?.retry();
      people?.retry();
      before?.retry();
    },
    hidden,
  };
}
