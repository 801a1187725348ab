import { type Figure, numberIn } from '../../ask/figure.ts';
import { valueColumn } from '../../ask/metric.ts';
import type { Row } from '../../ask/send.ts';
import { textOf } from '../../ask/series.ts';
import { isAnyOld, useAnswers } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { seesOnlyOwn, useSession } from '../../session.ts';
import { beforeInWords } from '../../view/range-menu.tsx';
import { Said } from '../../view/said.tsx';
import { byRepository } from './questions.ts';
import { cycleSentence, type NowAndBefore } from './sentence.ts';

interface CycleSentenceProps {
  readonly view: View;
  readonly median: Figure;
  /** Those up to the merge, as the page shows them: a sentence that counts in another way would contradict its tiles. */
  readonly phases: readonly { readonly name: string; readonly figure: Figure }[];
}

/** What the page says, from its own figures and the medians of the repositories. */
export function CycleSentence({ view, median, phases }: CycleSentenceProps) {
  const session = useSession();
  const { window, before } = view;
  const [repositoriesNow, repositoriesBefore] = useAnswers([
    byRepository(view, window),
    before && byRepository(view, before),
  ]);
  if (median.isFirst) return '\u00a0';
  return (
    <span className={isAnyOld([repositoriesNow, repositoriesBefore]) ? 'is-old' : undefined}>
      <Said
        parts={cycleSentence({
          median: median.now.value,
          medianBefore: median.before?.value,
          n: median.now.n ?? 0,
          phases: phases.map(({ name, figure }) => ({
            name,
            now: figure.now.value,
            before: figure.before?.value ?? null,
            n: figure.now.n ?? 0,
          })),
          repositories: compared(repositoriesNow?.data?.rows ?? [], (before && repositoriesBefore?.data?.rows) ?? []),
          before: beforeInWords(view),
          isOwn: seesOnlyOwn(session),
        })}
      />
    </span>
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
