import type { PublishedData, WriterTurns } from '../../store/writer-turns.ts';
import { momentOf } from './as-of.ts';
import type { ClickHouseEngine } from './engine.ts';
import type { Place } from './layout.ts';
import { RemovedRows } from './removed-rows.ts';

export interface CleanUpTerms {
  /** How long rows are kept that ended: longer than anybody reads one state, and than a lost writer can still write. */
  readonly endedMs: number;
  /** How long rows of dead changes are kept. */
  readonly deadMs: number;
}

const defaultTerms: CleanUpTerms = { endedMs: 15 * 60_000, deadMs: 24 * 3_600_000 };

interface Sighting extends PublishedData {
  readonly at: number;
}

/** The state of one organisation. */
interface Observed {
  /** What was published, each time that it was something else. */
  readonly seen: readonly Sighting[];
  /** Up to where it was cleaned. */
  readonly cleaned?: { readonly settled: Sighting; readonly buried: Sighting | undefined } | undefined;
  /** Rows that went, whose ends are still there: somebody may be reading who looks them up. */
  readonly folds: readonly Fold[];
}

/** Rows that ended up to a version are gone, at the latest since a time. */
interface Fold {
  readonly version: number;
  readonly at?: number;
}

type Turns = Pick<WriterTurns, 'forgetDead' | 'forgetEnds'>;

/**
 * Removes rows that nobody can see any more. What was published long ago is known from having seen it then, so a process
 * removes nothing in its first minutes. Several processes may do the same at once: it is removed only once.
 */
export class CleanUp {
  readonly #engine: ClickHouseEngine;
  readonly #place: Place;
  readonly #turns: Turns;
  readonly #terms: CleanUpTerms;
  readonly #observed = new Map<string, Observed>();

  constructor(engine: ClickHouseEngine, place: Place, turns: Turns, terms: CleanUpTerms = defaultTerms) {
    this.#engine = engine;
    this.#place = place;
    this.#turns = turns;
    this.#terms = terms;
  }

  /** Says whether nothing is left that has to wait for its time. */
  async run(organisationId: string, published: PublishedData, now: number): Promise<boolean> {
    const { endedMs, deadMs } = this.#terms;
    const before = this.#observed.get(organisationId) ?? nothing;
    const seen = isSame(before.seen.at(-1), published) ? before.seen : [...before.seen, { ...published, at: now }];
    const settled = seen.findLast(({ at }) => now - at >= endedMs);
    const buried = seen.findLast(({ at }) => now - at >= deadMs);
    const folds = before.folds.map((fold) => ({ ...fold, at: fold.at ?? now }));
    const observed = { ...before, seen: seen.slice(buried ? seen.indexOf(buried) : 0), folds };
    this.#observed.set(organisationId, observed);
    if (!settled) return false;
    // Readers of that state may still be there, who read rows in its layout.
    const moment = momentOf(organisationId, { ...settled, dead: published.dead });
    const removing = new RemovedRows(this.#engine, this.#place, this.#turns, moment);
    const past = folds.findLast(({ at }) => now - at >= endedMs);
    if (past) await removing.removeEnds(past.version);
    const left: Fold[] = folds.slice(past ? folds.indexOf(past) + 1 : 0);
    if (settled !== before.cleaned?.settled || buried !== before.cleaned.buried) {
      const hasFolded = await removing.removeRows(buried?.dead ?? [], left.at(-1)?.version);
      if (hasFolded) left.push({ version: settled.version });
    }
    this.#observed.set(organisationId, { ...observed, cleaned: { settled, buried }, folds: left });
    const isPast = settled.version === published.version && left.length === 0;
    return isPast && published.dead.every((change) => buried?.dead.includes(change));
  }

  /** Whether every dead change has been known as that for so long that none of its statements can still arrive. */
  areSettled(organisationId: string, dead: readonly number[], now: number): boolean {
    const seen = this.#observed.get(organisationId)?.seen ?? [];
    const settled = seen.findLast(({ at }) => now - at >= this.#terms.endedMs);
    return dead.every((change) => settled?.dead.includes(change));
  }
}

const nothing: Observed = { seen: [], folds: [] };

const isSame = (one: PublishedData | undefined, other: PublishedData): boolean =>
  one?.version === other.version && one.dead.join() === other.dead.join();
