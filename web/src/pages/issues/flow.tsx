import { useMemo } from 'react';
import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useOwnChoice, type View } from '../../ask/use-view.ts';
import { timeBuckets } from '../../ask/windows.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { bucketCategory } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { flowOf, flowQuestion } from './questions.ts';
import { flowWords } from './words.ts';

/** Started against completed: where the lines part, unfinished work grows. */
export function FlowChart({ view }: { readonly view: View }) {
  const [sum, setSum] = useOwnChoice('flow', 'added-up', ['added-up', 'each']);
  const question = flowQuestion(view);
  const answer = useAnswer(question);
  const rows = answer.data?.rows;
  const { level } = view;
  const [added, each] = [flowWords.addedUp, flowWords.per(level)];
  const buckets = useMemo(() => timeBuckets(view.window, level, view.reach), [view, level]);
  const title = sum === 'each' ? flowWords.startedAndCompletedPer(level) : flowWords.startedAndCompletedCumulative;
  const chart = useMemo<CategoryChart>(() => {
    const { started, completed } = flowOf(rows ?? [], buckets, level, sum !== 'each');
    return {
      kind: 'line',
      title,
      measure: 'count',
      isAddedUp: sum !== 'each',
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: [
        { name: flowWords.started, colour: 2, points: started.map((value) => ({ value })) },
        { name: flowWords.completed, colour: 1, points: completed.map((value) => ({ value })) },
      ],
    };
  }, [rows, buckets, level, sum, title]);
  return (
    <ChartCard
      chart={answer.isFirst ? undefined : chart}
      title={title}
      subtitle={sum === 'each' ? flowWords.byDayEach : flowWords.fromStartRangeAdded(level)}
      question={question}
      answer={answer}
      height={320}
      empty={
        rows?.length === 0 ? (
          <NothingInWindow what={flowWords.startedOrCompletedIssues} window={view.window} question={question} />
        ) : undefined
      }
      views={{
        names: [added, each],
        shown: sum === 'each' ? each : added,
        onShow: (name) => setSum(name === each ? 'each' : 'added-up'),
      }}
      panelOf={({ series, category }) => {
        const bucket = buckets[category];
        if (!bucket) return undefined;
        const window = { start: sum === 'each' ? bucket.start : view.window.start, end: bucket.end };
        return series === 0
          ? { metric: 'issues-count', window, where: { date_field: 'started_at' } }
          : { metric: 'completed-issues-count', window, where: { ticket_status: 'completed' } };
      }}
    />
  );
}
