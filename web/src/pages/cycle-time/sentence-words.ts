import { partBehind } from '../../../../src/conclusions/part-of-change.ts';
import { changeClause, type ShownChange } from '../../../../src/conclusions/verdict-words.ts';
import type { Verdict } from '../../../../src/query/verdict.ts';
import { capitalised, counted, duration, shown } from '../../view/format.ts';
import type { SaidPart } from '../../view/said-text.ts';

/** A phase or a repository: its verdict, and how far it moved for all its pull requests together, in seconds. */
export interface MovedPart {
  readonly name: string;
  readonly verdict: Verdict | null;
  readonly moved: number;
}

export interface CycleFindings {
  /** The median, and that of the window before. */
  readonly median: ShownChange;
  readonly moved: number;
  /** Medians of the phases up to the merge. */
  readonly phases: readonly (MovedPart & { readonly now: number | null })[];
  readonly repositories: readonly MovedPart[];
  /** `the 90 days before`. */
  readonly before: string;
  readonly isOwn: boolean;
}

/** Says whether cycle time is better or worse, in which phase and where. */
export function cycleSentence(found: CycleFindings): SaidPart[] {
  const { median: change, before, isOwn } = found;
  const { now, verdict } = change;
  const median = now.value;
  const then = change.before?.value ?? null;
  if (median === null) return [isOwn ? 'None of your pull requests' : 'No pull request', ' was merged in this window.'];
  if ((verdict !== 'up' && verdict !== 'down') || then === null) return usual(found, median);
  const whole = { verdict, moved: found.moved };
  const [phase, place] = [partBehind(whole, found.phases), partBehind(whole, found.repositories)];
  const size = then === 0 ? '' : ` by ${shown(Math.abs((median - then) / then), 'percent')}`;
  return [
    isOwn ? 'Your cycle time ' : 'Cycle time ',
    { strong: `${verdict === 'up' ? 'rose' : 'fell'}${size} to ${duration(median)}` },
    ` against ${before}`,
    ...(phase ? [', mostly in ', { strong: phase.name }] : []),
    ...(place ? [phase ? ` (${place.name})` : `, most of all in ${place.name}`] : []),
    '.',
  ];
}

/** The sentence where no change can be judged: how long a pull request takes, and why that is not compared. */
function usual({ median: change, phases, before, isOwn }: CycleFindings, median: number): SaidPart[] {
  const longest = phases.toSorted((a, b) => (b.now ?? 0) - (a.now ?? 0))[0];
  return [
    `Half of ${isOwn ? 'your ' : ''}${counted(change.now.n ?? 0, 'pull request', 'pull requests')} took less than `,
    { strong: duration(median) },
    ' from first commit to merge',
    changeClause(change, before),
    ...(longest?.now ? [`. ${capitalised(longest.name)} takes longest, ${duration(longest.now)} at the median`] : []),
    '.',
  ];
}
