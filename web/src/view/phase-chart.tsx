import { useMemo } from 'react';
import type { CategoryChart } from '../../../src/charts/chart-description.ts';
import { type Figure, figureQuestion } from '../ask/figure.ts';
import { useAnswer } from '../ask/use-answer.ts';
import type { View } from '../ask/use-view.ts';
import { timeBuckets } from '../ask/windows.ts';
import { ChartCard } from './chart-card.tsx';
import { bucketCategory, shown } from './format.ts';
import { phaseChartWords } from './phase-words.ts';
import { type PhasesUntil, phasePanel, phaseQuestion, phaseSeries, phaseShares, phaseSums, wholeOf } from './phases.ts';
import { NothingInWindow } from './states.tsx';

interface PhaseChartProps {
  readonly view: View;
  readonly title: string;
  readonly until: PhasesUntil;
  /** The median of the whole, whose parts the phases are, and its name. */
  readonly whole: Figure;
  readonly called: string;
  readonly height?: number;
}

const secondsPerHour = 3_600;

/** Where the time goes: the share of each phase in the hours of all, by bucket. */
export function PhaseChart({ view, title, until, whole, called, height = 340 }: PhaseChartProps) {
  const { level } = view;
  const window = useMemo(() => view.windowFor(wholeOf[until]), [view, until]);
  const question = phaseQuestion(view, until, level);
  const answer = useAnswer(question);
  const rows = answer.data?.rows;
  const buckets = useMemo(
    () => timeBuckets(window, level, view.reachFor(wholeOf[until])),
    [window, level, view, until],
  );
  const series = useMemo(() => phaseSeries(rows ?? [], buckets, level, until), [rows, buckets, level, until]);
  const chart = useMemo<CategoryChart | undefined>(
    () =>
      rows && {
        kind: 'stacked-bar',
        title,
        measure: 'percent',
        isAddedUp: true,
        categories: buckets.map((bucket) => bucketCategory(bucket, level)),
        series,
      },
    [rows, buckets, level, title, series],
  );
  const sums = useMemo(() => phaseSums(rows ?? [], until), [rows, until]);
  const most = phaseShares(sums, until).toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0))[0];
  const covered = phaseChartWords.hours(Math.round(sums.total / secondsPerHour), sums.pullRequests, until);
  return (
    <ChartCard
      chart={chart}
      title={title}
      subtitle={
        sums.total === 0
          ? phaseChartWords.shareAllHours(level)
          : phaseChartWords.shareByMergeTakes(covered, level, most?.name, shown(most?.share, 'percent'))
      }
      question={question}
      also={{ [`${called}, median`]: figureQuestion(view, whole.spec, window) }}
      answer={answer}
      height={height}
      empty={
        rows && sums.total === 0 ? (
          <NothingInWindow
            what={phaseChartWords.mergedPullRequests}
            window={window}
            question={figureQuestion(view, whole.spec, window)}
          />
        ) : undefined
      }
      panelOf={({ series: at, category }) => {
        const [bucket, phase] = [buckets[category], series[at]];
        return bucket && phase && { ...phasePanel(phase.key, until), window: { start: bucket.start, end: bucket.end } };
      }}
    />
  );
}
