import type { Figure } from '../../ask/figure.ts';
import { measureOf } from '../../ask/metric-facts.ts';
import type { View } from '../../ask/use-view.ts';
import { ChangeClauses } from '../../view/change-sentence.tsx';
import { clausesOf, noChange } from '../../view/change-words.ts';
import { shown } from '../../view/format.ts';
import { beforeInWords } from '../../view/range-menu.tsx';
import { useWhoseWords } from '../../view/whose-words.ts';
import { type GroupChange, groupBehind, largestForTheWorse } from './group-changes.ts';
import { keyFigureOf } from './questions.ts';
import { useGroupChanges } from './what-changed-most.tsx';

/** What became better and what became worse, from the figures themselves, and where it became worse most of all. */
export function OverviewSentence({ view, figures }: { readonly view: View; readonly figures: readonly Figure[] }) {
  const { groups, isOld } = useGroupChanges(view);
  const { ofWhom } = useWhoseWords();
  if (figures.every(({ isFirst }) => isFirst)) return '\u00a0';
  if (figures.every(({ now }) => now.value === null || now.value === 0))
    return `There is nothing${ofWhom} to report in this window.`;
  if (!view.before) return 'Pick a comparison to see what changed.';
  const called = figures.flatMap((figure) => {
    const key = keyFigureOf(figure.spec.metric);
    return key ? [{ called: key.called, figure }] : [];
  });
  const clauses = clausesOf(called);
  const hardest = largestForTheWorse(groups)[0];
  if (clauses.length === 0)
    return (
      <span className={isOld ? 'is-old' : undefined}>
        {noChange(figures, `records${ofWhom}`, beforeInWords(view))}
        {hardest && <LookAt change={hardest} />}
      </span>
    );
  const worse = clauses.find(({ isBetter }) => isBetter === false);
  const figure = called.find((one) => one.called === worse?.called)?.figure;
  const where =
    figure &&
    groupBehind(
      figure,
      groups.filter((group) => group.figure.metric === figure.spec.metric),
    );
  return (
    <span className={isOld ? 'is-old' : undefined}>
      <ChangeClauses clauses={clauses} />
      {where && <>, most of all in {where.name}</>}.{!where && hardest && <LookAt change={hardest} />}
    </span>
  );
}

/** The team or repository with the largest change for the worse, also where the whole became better. */
function LookAt({ change: { name, figure, now, before } }: { readonly change: GroupChange }) {
  const measure = measureOf(figure.metric, figure.aggregation);
  return (
    <>
      {' '}
      Look at <strong>{name}</strong>: {figure.called} went from {shown(before.value, measure)} to{' '}
      <strong>{shown(now.value, measure)}</strong>.
    </>
  );
}
