import { shown } from '../charts/shown-value.ts';
import { type ComparedGroup, groupBehind, largestForTheWorse } from './biggest-changes.ts';
import { clausesOf, noChange } from './change-words.ts';
import type { KeyFigure } from './key-figure-words.ts';
import { capitalised } from './number-words.ts';
import type { ShownChange } from './verdict-words.ts';

/** A part of a sentence: what was found out is in bold. */
export interface SentencePart {
  readonly text: string;
  readonly isFact?: boolean;
}

interface OverviewConclusions {
  readonly figures: readonly { readonly key: KeyFigure; readonly figure: ShownChange }[];
  readonly groups: readonly ComparedGroup[];
  /** The window before, as in `the 90 days before`. Undefined where nothing is compared. */
  readonly before: string | undefined;
  /** Whose work the reader sees, where it is not everybody's. */
  readonly ofWhom: string;
  readonly inWhose: string;
}

/** What became better and what became worse, from the figures themselves, and where it became worse most of all. */
export function overviewSentence(conclusions: OverviewConclusions): readonly SentencePart[] {
  const { figures, groups, before, ofWhom, inWhose } = conclusions;
  if (figures.every(({ figure: { now } }) => now.value === null || now.value === 0))
    return [{ text: `Nothing${ofWhom} to report in this window.` }];
  if (before === undefined) return [{ text: 'Pick a comparison to see what changed.' }];
  const called = figures.map(({ key, figure }) => ({ called: key.called, figure }));
  const clauses = clausesOf(called);
  const hardest = largestForTheWorse(groups)[0];
  const lookAt = hardest ? lookAtWords(hardest) : [];
  if (clauses.length === 0) {
    const shownChanges = figures.map(({ figure }) => figure);
    return [{ text: noChange(shownChanges, `records${ofWhom}`, before) }, ...lookAt];
  }
  const worse = clauses.find(({ isBetter }) => isBetter === false);
  const worst = figures.find(({ key }) => key.called === worse?.called);
  const where =
    worst &&
    groupBehind(
      worst.figure,
      groups.filter(({ figure }) => figure.metric === worst.key.metric),
    );
  return [
    ...clauseParts(clauses, inWhose),
    { text: where ? `, most of all in ${where.name}.` : '.' },
    ...(where ? [] : lookAt),
  ];
}

/** `Reviewed fell to 60%. Cycle time rose to 4d 17h`, without its full stop. */
export const clauseParts = (
  clauses: readonly { readonly called: string; readonly became: string }[],
  inWhose: string,
): readonly SentencePart[] => [
  ...(inWhose ? [{ text: inWhose }] : []),
  ...clauses.flatMap(({ called, became }, at) => [
    { text: `${at > 0 ? '. ' : ''}${at > 0 || inWhose === '' ? capitalised(called) : called} ` },
    { text: became, isFact: true },
  ]),
];

/** The team or repository with the largest change for the worse, also where the whole became better. */
const lookAtWords = ({ name, figure, now, before }: ComparedGroup): readonly SentencePart[] => [
  { text: ' Look at ' },
  { text: name, isFact: true },
  { text: `: ${figure.called} went from ${shown(before.value, figure.measure)} to ` },
  { text: shown(now.value, figure.measure), isFact: true },
  { text: '.' },
];
