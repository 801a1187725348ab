import { useMemo } from 'react';
import { drawnWindow } from '../../ask/drawn-window.ts';
import { type Figure, figureQuestion } from '../../ask/figure.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { shown, shownWindow } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { mergedPullRequests } from './questions.ts';
import { histogram, sizeAgainstTime, timeBins, withSize, withTime } from './spread.ts';
import { spreadChartsWords } from './words.ts';

interface SpreadProps {
  readonly view: View;
  readonly median: Figure;
  readonly p90: Figure;
}

/** How the times are distributed, and whether larger changes take longer. */
export function Spread({ view, median, p90 }: SpreadProps) {
  const drawn = drawnWindow(median, view.window);
  const isCut = drawn.start !== view.window.start;
  const question = mergedPullRequests(view, drawn);
  // The figure of this window decides which pull requests are drawn, so nothing is drawn before it is there.
  const answer = useAnswer(median.isFirst || median.isOld ? undefined : question);
  const all = answer.data?.rows;
  const rows = useMemo(() => withTime(all ?? []), [all]);
  const sized = useMemo(() => withSize(rows), [rows]);
  const times = useMemo(() => all && histogram(rows, spreadChartsWords.howLongPullRequests), [all, rows]);
  const sizes = useMemo(() => all && sizeAgainstTime(sized, spreadChartsWords.sizeAndCycleTime), [all, sized]);
  const of = spreadChartsWords.pullRequestPullRequests(rows.length, isCut, shownWindow(drawn), median.now.n);
  const cycleTime = figureQuestion(view, median.spec, view.window);
  const empty =
    rows.length === 0 ? (
      <NothingInWindow what={spreadChartsWords.mergedPullRequests} window={view.window} question={cycleTime} />
    ) : undefined;
  const inDrawn = isCut ? { window: drawn } : {};
  return (
    <div className="columns even">
      <ChartCard
        chart={times}
        title={spreadChartsWords.howLongPullRequests}
        subtitle={spreadChartsWords.medianSlowestTenth(
          of,
          shown(median.now.value, 'duration'),
          shown(p90.now.value, 'duration'),
        )}
        question={question}
        answer={answer}
        empty={empty}
        panelOf={({ category }) => {
          const bin = timeBins[category];
          if (!bin) return undefined;
          const until = bin.until === null ? {} : { value_until: String(bin.until) };
          return { metric: 'cycle-time', ...inDrawn, where: { value_from: String(bin.from), ...until } };
        }}
      />
      <ChartCard
        chart={sizes}
        title={spreadChartsWords.sizeAndCycleTime}
        subtitle={spreadChartsWords.oneDotEachBoth(of, sized.length, rows.length, rows.length - sized.length)}
        question={question}
        answer={answer}
        empty={empty}
        panelOf={({ category }) => {
          const id = sized[category]?.pr_id;
          return typeof id === 'string' ? { metric: 'cycle-time', ...inDrawn, where: { pr_id: id } } : undefined;
        }}
      />
    </div>
  );
}
