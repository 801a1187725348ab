import { keyFigureOf } from '../../../../src/conclusions/key-figure-words.ts';
import { overviewSentence } from '../../../../src/conclusions/overview-words.ts';
import type { Figure } from '../../ask/figure.ts';
import type { View } from '../../ask/use-view.ts';
import { SentenceParts } from '../../view/change-sentence.tsx';
import { beforeInWords } from '../../view/range-words.ts';
import { useWhoseWords } from '../../view/whose-words.ts';
import { useGroupChanges } from './what-changed-most.tsx';

/** What became better and what became worse, from the figures themselves, and where it became worse most of all. */
export function OverviewSentence({ view, figures }: { readonly view: View; readonly figures: readonly Figure[] }) {
  const { groups, isOld } = useGroupChanges(view);
  const { ofWhom, inWhose } = useWhoseWords();
  if (figures.every(({ isFirst }) => isFirst)) return '\u00a0';
  const parts = overviewSentence({
    figures: figures.flatMap((figure) => {
      const key = keyFigureOf(figure.spec.metric);
      return key ? [{ key, figure }] : [];
    }),
    groups,
    before: view.before && beforeInWords(view),
    ofWhom,
    inWhose,
  });
  return (
    <span className={isOld ? 'is-old' : undefined}>
      <SentenceParts parts={parts} />
    </span>
  );
}
