import { type Figure, numberIn } from '../../ask/figure.ts';
import { valueColumn } from '../../ask/metric.ts';
import type { Row } from '../../ask/send.ts';
import { textOf } from '../../ask/series.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { seesOnlyOwn, useSession } from '../../session.ts';
import { phasePoint, phaseQuestion, phases } from '../../view/phases.ts';
import { beforeInWords } from '../../view/range-menu.tsx';
import { Said } from '../../view/said.tsx';
import { byRepository } from './questions.ts';
import { cycleSentence, type NowAndBefore } from './sentence.ts';

/** What the page says, from the median, the averages of the phases and the medians of the repositories. */
export function CycleSentence({ view, median }: { readonly view: View; readonly median: Figure }) {
  const session = useSession();
  const { window, before } = view;
  const [phasesNow, phasesBefore, repositoriesNow, repositoriesBefore] = useAnswers([
    phaseQuestion(view),
    before && phaseQuestion(view, { window: before }),
    byRepository(view, window),
    before && byRepository(view, before),
  ]);
  if (median.isFirst) return '\u00a0';
  const untilMerge = phases.filter(({ metric }) => metric !== 'merge-to-deploy');
  return (
    <Said
      parts={cycleSentence({
        median: median.now.value,
        medianBefore: median.before?.value,
        n: median.now.n ?? 0,
        phases: untilMerge.map(({ metric, name }) => {
          const now = phasePoint(phasesNow?.data?.rows[0], metric);
          const earlier = phasePoint(before && phasesBefore?.data?.rows[0], metric);
          return { name, now: now.value, before: earlier.value, n: now.n ?? 0 };
        }),
        repositories: compared(repositoriesNow?.data?.rows ?? [], (before && repositoriesBefore?.data?.rows) ?? []),
        before: beforeInWords(view),
        isOwn: seesOnlyOwn(session),
      })}
    />
  );
}

function compared(now: readonly Row[], before: readonly Row[]): NowAndBefore[] {
  const column = valueColumn('cycle-time', 'MEDIAN');
  const earlier = new Map(before.map((row) => [textOf(row.repository_name), row]));
  return now.flatMap((row) => {
    const name = textOf(row.repository_name);
    const was = earlier.get(name);
    if (name === null || !was) return [];
    const n = Math.min(numberIn(row, 'n') ?? 0, numberIn(was, 'n') ?? 0);
    return { name, now: numberIn(row, column), before: numberIn(was, column), n };
  });
}
