import type { Verdict } from '../query/verdict.ts';
import type { ComparedValue } from './compared.ts';

/**
 * The whole or one of its parts: the verdict on its change, and by how much it changed. All have the same unit, so that
 * they add up.
 */
interface MovedPart {
  readonly verdict: Verdict | null;
  readonly moved: number;
}

/**
 * The part that bears at least half of a change: by its own verdict it moved the same way, by as much as all other
 * such parts together, and by half of the whole. Undefined rather than a part that does not explain it.
 */
export function partBehind<P extends MovedPart>(whole: MovedPart, parts: readonly P[]): P | undefined {
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

/**
 * How much a number changed, summed over all that it is made of: of a count the change itself, of a rate or a median
 * the change times how many it is of.
 */
export function movedIn({ now, before }: Pick<ComparedValue, 'now' | 'before'>, isCount: boolean): number {
  if (now.value === null || before.value === null) return 0;
  return (now.value - before.value) * (isCount ? 1 : (now.n ?? 0));
}
