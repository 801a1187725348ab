import { createElement, Fragment } from 'react';
import {
  type CalledFigure,
  type ChangeClause,
  clausesOf,
  noChange,
  notLoaded,
} from '../../../src/conclusions/change-words.ts';
import { clauseParts, type SentencePart } from '../../../src/conclusions/overview-words.ts';
import type { Figure } from '../ask/figure.ts';
import type { View } from '../ask/use-view.ts';
import { changeSentenceWords } from './change-sentence-words.ts';
import { beforeInWords } from './range-words.ts';
import { useWhoseWords } from './whose-words.ts';

interface ChangeSentenceProps {
  readonly view: View;
  readonly figures: readonly (CalledFigure & { readonly figure: Figure })[];
  /** What an empty window has none of: `CI runs`. */
  readonly what: string;
  /** What those figures count that may have too few rows, where it is something else. */
  readonly counted?: string;
}

/** Says which figures of the page became better and which became worse. */
export function ChangeSentence({ view, figures, what, counted = what }: ChangeSentenceProps) {
  const { ofWhom } = useWhoseWords();
  if (figures.some(({ figure }) => figure.isFirst && !figure.error)) return '\u00a0';
  const refused = figures.find(({ figure }) => figure.error)?.figure.error;
  if (refused) return refused.isNotAllowed ? changeSentenceWords.theseFiguresNot : notLoaded;
  if (figures.every(({ figure: { now } }) => now.value === null || now.value === 0))
    return changeSentenceWords.thereNo(what, ofWhom);
  if (!view.before) return changeSentenceWords.pickComparisonToSee;
  const clauses = clausesOf(figures);
  if (clauses.length === 0)
    return noChange(
      figures.map(({ figure }) => figure),
      `${counted}${ofWhom}`,
      beforeInWords(view),
    );
  return (
    <>
      <ChangeClauses clauses={clauses} />.
    </>
  );
}

/** `Reviewed fell to 60%. Cycle time rose to 4d 17h`, without its full stop. The bar above names the comparison. */
export function ChangeClauses({ clauses }: { readonly clauses: readonly ChangeClause[] }) {
  const { inWhose } = useWhoseWords();
  return <SentenceParts parts={clauseParts(clauses, inWhose)} />;
}

/** A sentence with its facts in bold. */
export const SentenceParts = ({ parts }: { readonly parts: readonly SentencePart[] }) =>
  createElement(Fragment, null, ...parts.map(({ text, isFact }) => (isFact ? <strong>{text}</strong> : text)));
