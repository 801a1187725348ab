import type { Verdict } from '../../../src/query/verdict.ts';
import type { Compared } from '../ask/compared.ts';

/** The whole or a part of it: what is said of its change, and how far it moved. All in the same unit, so that they add up. */
interface Moved {
  readonly verdict: Verdict | null;
  readonly moved: number;
}

/**
 * The part that bears at least half of a change: one that moved the same way by its own verdict, and by as much as all the
 * rest that did, and as half of the whole. None rather than one that does not explain it.
 */
export function partBehind<P extends Moved>(whole: Moved, parts: readonly P[]): P | undefined {
  const { verdict } = whole;
  if (verdict !== 'up' && verdict !== 'down') return undefined;
  const sign = verdict === 'up' ? 1 : -1;
  const sameWay = parts.map(({ moved }) => Math.max(0, sign * moved));
  const all = Math.max(
    Math.abs(whole.moved),
    sameWay.reduce((sum, one) => sum + one, 0),
  );
  const at = sameWay.indexOf(Math.max(...sameWay));
  const part = parts[at];
  return part && part.verdict === verdict && all > 0 && (sameWay[at] ?? 0) * 2 >= all ? part : undefined;
}

/** How far a number moved for all that it is made of together: a count by itself, a rate or a median by how many it is of. */
export function movedIn({ now, before }: Pick<Compared, 'now' | 'before'>, isCount: boolean): number {
  if (now.value === null || before.value === null) return 0;
  return (now.value - before.value) * (isCount ? 1 : (now.n ?? 0));
}
