import type { SeededRandom } from '../seeded-random.ts';
import { type CodeBase, isDueOn, isPromoted } from './code-bases.ts';
import { hour } from './delays.ts';
import type { ChangeContext, Merge } from './merges.ts';
import type { WorkingCalendar } from './working-calendar.ts';

/** A promotion names this many of the merges it carries; more would be a wall of text. */
const mergesMost = 8;
/** With fewer it waits for the next time. */
const mergesFewest = 3;

/** Keeps what waits on the branches that are promoted, and says when it goes to production. */
export class Promotions {
  readonly #calendar: WorkingCalendar;
  readonly #random: SeededRandom;
  readonly #waiting = new Map<CodeBase, Merge[]>();

  constructor(codeBases: readonly CodeBase[], calendar: WorkingCalendar, random: SeededRandom) {
    this.#calendar = calendar;
    this.#random = random;
    for (const codeBase of codeBases) if (isPromoted(codeBase)) this.#waiting.set(codeBase, []);
  }

  /** A merge into the branch that work goes to. The latest few are remembered. */
  take(merge: Merge): void {
    const waiting = this.#waiting.get(merge.codeBase);
    if (!waiting || merge.base !== merge.codeBase.trunk) return;
    waiting.push(merge);
    if (waiting.length > mergesMost) waiting.shift();
  }

  on(day: number): readonly ChangeContext[] {
    const changes: ChangeContext[] = [];
    for (const [codeBase, merges] of this.#waiting) {
      if (merges.length < mergesFewest || !isDueOn(codeBase, day, this.#calendar)) continue;
      this.#waiting.set(codeBase, []);
      const at = Math.floor(this.#calendar.startOf(day) + this.#random.between(9.5, 14) * hour);
      changes.push({ occasion: 'promotion', at, codeBase, merges });
    }
    return changes;
  }
}
