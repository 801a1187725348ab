import type { Figure } from '../../ask/figure.ts';
import type { View } from '../../ask/use-view.ts';
import { changeOf, shown } from '../../view/format.ts';
import { beforeInWords } from '../../view/range-menu.tsx';
import { keyFigureOf } from './questions.ts';
import { useGroupChanges } from './what-changed-most.tsx';

interface Part {
  readonly called: string;
  readonly verb: string;
  readonly value: string;
  readonly isGood: boolean | undefined;
  readonly size: number;
  readonly figure: Figure;
}

/** What became better and what became worse, from the figures themselves: the largest change of each kind. */
export function OverviewSentence({ view, figures }: { readonly view: View; readonly figures: readonly Figure[] }) {
  const { changes } = useGroupChanges(view);
  if (figures.every(({ isFirst }) => isFirst)) return ' ';
  if (figures.every(({ now }) => now.value === null || now.value === 0))
    return 'There is nothing to report in this window.';
  if (!view.before) return 'Choose a comparison to read what changed.';
  const parts = figures.flatMap(partOf);
  const worst = largest(parts.filter(({ isGood }) => isGood === false));
  const best = largest(parts.filter(({ isGood }) => isGood === true));
  if (!worst && !best) return `Hardly anything differs from ${beforeInWords(view)}.`;
  const where =
    worst && changes.find((one) => one.figure.metric === worst.figure.spec.metric && one.change.isGood === false);
  return (
    <>
      Against {beforeInWords(view)}, {best && <Clause part={best} />}
      {best && worst && '; '}
      {worst && <Clause part={worst} />}
      {where && <>, most of all in {where.name}</>}.
    </>
  );
}

function Clause({ part: { called, verb, value } }: { readonly part: Part }) {
  return (
    <>
      {called}{' '}
      <strong>
        {verb} to {value}
      </strong>
    </>
  );
}

function partOf(figure: Figure): Part[] {
  const { spec, now, before, measure, better } = figure;
  const change = changeOf(now.value, before?.value, measure, better);
  const key = keyFigureOf(spec.metric);
  if (!change || change.direction === 'same' || !key) return [];
  const verb = change.direction === 'up' ? 'rose' : 'fell';
  const { isGood, size } = change;
  return [{ called: key.called, verb, value: shown(now.value, measure), isGood, size: Math.abs(size), figure }];
}

const largest = (parts: readonly Part[]): Part | undefined => parts.toSorted((a, b) => b.size - a.size)[0];
