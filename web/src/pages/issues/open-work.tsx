import { useMemo } from 'react';
import { secondsPerDay } from '../../../../src/calendar.ts';
import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { shown } from '../../view/format.ts';
import { State } from '../../view/states.tsx';
import { useWhoseWords } from '../../view/whose-words.ts';
import { ageClasses, createdIn, openStates, openWorkOf, openWorkQuestion } from './questions.ts';
import { openWorkWords } from './words.ts';

const colours = { triage: 6, backlog: 4, unstarted: 3, started: 2 } as const;
const title = openWorkWords.ageOpenWork;

/** Issues that are open now, by their age. The range of the page does not matter here. */
export function OpenWorkChart({ view }: { readonly view: View }) {
  const question = openWorkQuestion(view);
  const answer = useAnswer(question);
  const { ofWhom } = useWhoseWords();
  const rows = answer.data?.rows;
  const work = useMemo(() => openWorkOf(rows ?? [], view.today), [rows, view.today]);
  const states = openStates.filter((state) => work.counts[state].some((count) => count > 0));
  const chart = useMemo<CategoryChart>(
    () => ({
      kind: 'stacked-bar',
      title,
      measure: 'count',
      isAddedUp: true,
      categories: ageClasses.map(({ label, name }) => ({ label, name })),
      series: openStates
        .filter((state) => work.counts[state].some((count) => count > 0))
        .map((state) => ({
          name: valueLabel('ticket_status', state),
          colour: colours[state],
          points: work.counts[state].map((value) => ({ value })),
        })),
    }),
    [work],
  );
  return (
    <ChartCard
      chart={answer.isFirst ? undefined : chart}
      title={title}
      subtitle={
        work.total === 0
          ? openWorkWords.nowWhateverRange
          : openWorkWords.nowWhateverRangeHalf(work.total, shown((work.medianAge ?? 0) * secondsPerDay, 'duration'))
      }
      question={question}
      answer={answer}
      height={320}
      empty={
        work.total === 0 ? (
          <State kind="empty" title={openWorkWords.nothingOpen(ofWhom)}>
            {openWorkWords.noIssueCreatedWithin(ofWhom, openStates.join(', '))}
          </State>
        ) : undefined
      }
      panelOf={({ series, category }) => {
        const [state, age] = [states[series], ageClasses[category]];
        if (!state || !age) return undefined;
        return { metric: 'issues-count', window: createdIn(age, view.today), where: { ticket_status: state } };
      }}
    />
  );
}
