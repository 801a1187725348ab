import { comparedBy } from '../../../../src/conclusions/compared.ts';
import { movedIn } from '../../../../src/conclusions/part-of-change.ts';
import { type Figure, noPoint } from '../../ask/figure.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { seesOnlyOwn, useSession } from '../../page-session.ts';
import { beforeInWords } from '../../view/range-words.ts';
import { Said } from '../../view/said.tsx';
import { byRepository } from './questions.ts';
import { cycleSentence } from './sentence-words.ts';

interface CycleSentenceProps {
  readonly view: View;
  readonly median: Figure;
  /** The sentence counts up to the merge, as the tiles of the page do: otherwise it would contradict them. */
  readonly phases: readonly { readonly name: string; readonly figure: Figure }[];
}

/** The sentence of the page, from its own figures and the medians of the repositories. */
export function CycleSentence({ view, median, phases }: CycleSentenceProps) {
  const session = useSession();
  const before = view.beforeFor('cycle-time');
  const repositories = useAnswer(before && byRepository(view, before));
  if (median.isFirst) return '\u00a0';
  return (
    <span className={repositories.isOld ? 'is-old' : undefined}>
      <Said
        parts={cycleSentence({
          median,
          moved: movedOf(median),
          phases: phases.map(({ name, figure }) => ({
            name,
            verdict: figure.verdict,
            moved: movedOf(figure),
            now: figure.now.value,
          })),
          repositories: comparedBy(before && repositories.data?.rows, 'cycle-time', 'repository_name').flatMap(
            ({ name, ...change }) => (name === null ? [] : { name, verdict: change.verdict, moved: movedOf(change) }),
          ),
          before: beforeInWords(view),
          isOwn: seesOnlyOwn(session),
        })}
      />
    </span>
  );
}

const movedOf = ({ now, before = noPoint }: Pick<Figure, 'now' | 'before'>): number => movedIn({ now, before }, false);
