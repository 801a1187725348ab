import { joinNotSeen, type NotSeen } from '../sources/not-seen.ts';
import type { Page } from '../sources/source.ts';
import type { Step, WalkName } from './stored-streams.ts';

type Statements = readonly NotSeen[];

/**
 * What the pages of a stream said that they could not see. It stays until a read that would find it again does not: of a
 * stream that is read as a whole everything, else missing rights alone. Pages of older history are not read again.
 */
export class NotSeenByWalks {
  /** Of walks that began in this process. */
  readonly #found: { [W in WalkName]?: Statements } = {};

  /** What is known once a page is stored. */
  afterPage(
    known: Statements,
    { walk, position }: Pick<Step, 'walk' | 'position'>,
    { notSeen = [], isUnchanged }: Pick<Page, 'notSeen' | 'isUnchanged'>,
    { isWalked, isWhole }: { readonly isWalked: boolean; readonly isWhole: boolean },
  ): Statements {
    if (position.next === undefined) this.#found[walk] = [];
    const before = this.#found[walk];
    const found = joinNotSeen(before ?? [], notSeen);
    if (before) this.#found[walk] = found;
    const isReadAgain = walk === 'changes' && isWalked && before !== undefined && !isUnchanged;
    if (!isReadAgain) return joinNotSeen(known, found);
    return joinNotSeen(isWhole ? [] : known.filter(({ why }) => why !== 'right'), found);
  }
}
