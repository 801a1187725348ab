import { secondsPerDay } from '../../calendar.ts';
import type { FactTable } from '../../catalogue/tables/all-tables.ts';
import { addToList } from '../../lists-by-key.ts';
import type { DemoOptions, DemoOrganisation } from '../demo-organisations.ts';
import { writeAssistantDay } from './ai-usage.ts';
import { chapterDays, chapterOf, firstDayOf, grownBy, quarterOf } from './chapters.ts';
import { type CodeBase, isDueOn } from './code-bases.ts';
import type { MergedChange } from './code-changes.ts';
import { Deliveries } from './deliveries.ts';
import { DemoWorld, type GiveRecord } from './demo-world.ts';
import { Tracker } from './issue-tracker.ts';
import { knownAt } from './known-at.ts';
import { type HistoryBatch, type HistoryRecord, RecordBatcher } from './record-batcher.ts';
import { hour, weightOfWeek } from './working-calendar.ts';
import { type FollowUp, openFollowUp, openPlanned } from './write-pull-requests.ts';
import { writeSurvey } from './write-surveys.ts';

export interface HistoryOptions extends DemoOptions {
  /** The moment up to which the history is known, in seconds since 1970. */
  readonly until: number;
  /** The days that are written: the two years until then, where nothing is said. */
  readonly days?: HistoryDays | undefined;
  /** Only what was not known, or known otherwise, at this moment. */
  readonly since?: number | undefined;
  /** A batch has about so many records, and a few more where the last parent has many parts. */
  readonly maxRows?: number;
}

/** From one day up to, and without, another; days are counted from 1970. */
export interface HistoryDays {
  readonly from: number;
  readonly to: number;
}

const daysOfHistory = 731;
/** Within this time everything that was begun is over. */
const daysUntilOver = 250;

/**
 * The two years that are known at a moment, from the beginning of a chapter on. Its own day is one of them, also where it
 * began hours before it did in UTC.
 */
export function daysKnownAt(until: number): HistoryDays {
  if (!Number.isFinite(until)) throw new RangeError(`A history is known until a moment, not ${until}`);
  const to = Math.floor(until / secondsPerDay) + 2;
  return { from: firstDayOf(chapterOf(to - daysOfHistory)), to };
}

/** The days in which something was begun that may have changed since a moment. */
export const daysChangedSince = (moment: number, until: number): HistoryDays => ({
  from: Math.floor(moment / secondsPerDay) - daysUntilOver,
  to: daysKnownAt(until).to,
});

const revertShare = 0.02;
const hotfixShare = 0.009;
const unlinkedIssueShare = 0.22;
/** A promotion waits until it carries three merges, and names as many as code hosts name. */
const mergesFewest = 3;
/** Of a chapter, on which everybody is asked how it goes: a Wednesday. */
const surveyDay = 44;
const maxMerges = 250;

/**
 * Two years of an invented organisation: a function of the seed and of the moment until which they are known. What is
 * drawn does not depend on that moment, so that the same happened before it whenever it is asked. Batches follow each
 * other in time; parents come with all their parts. Memory holds one chapter's work in progress.
 */
export function* demoHistory(organisation: DemoOrganisation, options: HistoryOptions): Generator<HistoryBatch> {
  for (const batch of historySteps(organisation, options)) if (batch) yield batch;
}

/** The same in small steps, most of which bring nothing yet: between two of them others can go on. */
export function* historySteps(
  organisation: DemoOrganisation,
  { maxRows = 5_000, ...options }: HistoryOptions,
): Generator<HistoryBatch | undefined> {
  const { from, to } = options.days ?? daysKnownAt(options.until);
  const known = knowing(options);
  const batcher = new RecordBatcher();
  for (let chapter = chapterOf(from); chapter <= chapterOf(to - 1); chapter += 1) {
    let isAsked = false;
    const give: GiveRecord = (table, record, knownFrom) => {
      const visible = isAsked ? known(table, record, knownFrom) : undefined;
      if (visible) batcher.add(table, visible);
    };
    const world = new DemoWorld(organisation, options, chapter, give);
    for (const day of writeDays(world, Math.min(to, world.endDay))) {
      isAsked = from <= day;
      yield batcher.rows >= maxRows ? batcher.takeBatch() : undefined;
    }
  }
  if (batcher.rows > 0) yield batcher.takeBatch();
}

type Knowing = <T extends FactTable>(
  table: T,
  record: HistoryRecord<T>,
  knownFrom: number,
) => HistoryRecord<T> | undefined;

/** Records as they are known at the end, and where `since` is said, those that differ from what was known then. */
function knowing({ until, since }: HistoryOptions): Knowing {
  if (since === undefined) return (...record) => knownAt(until, ...record);
  return (...record) => {
    const [now, before] = [knownAt(until, ...record), knownAt(since, ...record)];
    return now === before || (before && JSON.stringify(now) === JSON.stringify(before)) ? undefined : now;
  };
}

/** Goes through the days of a chapter. Stops before each, and after every parent, where a batch may end. */
function* writeDays(world: DemoWorld, last: number): Generator<number> {
  const { calendar, random, chapter } = world;
  const first = firstDayOf(chapter);
  const tracker = new Tracker(world);
  const curve = new ActivityCurve(world);
  const deliveries = new Deliveries(world, schedule);
  /** Changes by day, removed once the day is over: only what is still to come is kept. */
  const merges = new Map<number, MergedChange[]>();
  const followUps = new Map<number, FollowUp[]>();
  const lastWorkday = world.endDay - 3;
  const unpromoted = new Map<CodeBase, MergedChange[]>();
  let today = first;

  for (; today < last; today += 1) {
    yield today;
    const day = today - first;
    if (day === 0) tracker.writeEpics(today, quarterOf(chapter));
    if (day === surveyDay) for (const _ of writeSurvey(world, today, quarterOf(chapter))) yield today;
    writeAssistantDay(world, today);
    yield today;

    const unplanned = [...taken(followUps, today), ...promotions()];
    for (const followUp of unplanned) {
      keep(openFollowUp(world, today, followUp));
      yield today;
    }
    for (const at of curve.momentsOn(today, unplanned.length)) {
      keep(openPlanned(world, tracker, today, at));
      if (random.chance(unlinkedIssueShare)) tracker.writeUnlinked(today, at);
      yield today;
    }
    for (const merge of taken(merges, today).toSorted((a, b) => a.at - b.at)) {
      const { codeBase } = merge;
      if (merge.base_branch === codeBase.production) deliveries.take(merge);
      else unpromoted.set(codeBase, [...(unpromoted.get(codeBase) ?? []), merge].slice(-maxMerges));
      scheduleReverts(merge);
      yield today;
    }
    deliveries.settle(calendar.startOf(today + 1));
    yield today;
  }

  function keep(merge: MergedChange | undefined): void {
    if (merge) addToList(merges, Math.max(today, calendar.dayOf(merge.at)), merge);
  }

  function schedule(followUp: FollowUp): void {
    addToList(followUps, Math.max(today + 1, calendar.dayOf(followUp.at)), followUp);
  }

  /** Some merged changes are reverted within days, and now and then the revert is reverted. */
  function scheduleReverts(merge: MergedChange): void {
    const { occasion, at, codeBase } = merge;
    const after = (median: number, spread: number) => calendar.later(at, random.skewed(median * hour, spread), 0);
    if (occasion === 'ordinary' && random.chance(revertShare)) {
      schedule({ occasion: 'revert', at: after(4, 1), codeBase, merges: [merge] });
    } else if (occasion === 'revert' && random.chance(0.12)) {
      schedule({ occasion: 'revert', at: after(12, 0.8), codeBase, merges: [merge] });
    } else if (occasion === 'ordinary' && random.chance(hotfixShare)) {
      schedule({ occasion: 'hotfix', at: after(5, 0.8), codeBase, merges: [] });
    }
  }

  function* promotions(): Generator<FollowUp> {
    for (const [codeBase, waiting] of unpromoted) {
      // What still waits when a chapter ends would never be promoted.
      const isDue = isDueOn(codeBase, today, calendar) || today === lastWorkday;
      if (waiting.length < mergesFewest || !isDue) continue;
      unpromoted.delete(codeBase);
      const at = Math.floor(calendar.startOf(today) + random.between(9.5, 14) * hour);
      yield { occasion: 'promotion', at, codeBase, merges: waiting };
    }
  }
}

/** The list of a day, which is over once it is taken. */
function taken<T>(lists: Map<number, T[]>, day: number): readonly T[] {
  const list = lists.get(day) ?? [];
  lists.delete(day);
  return list;
}

/** How many pull requests in a hundred are opened in each hour of the day. */
const openings = {
  office: [0, 0, 0, 0, 0, 0, 0, 2, 5, 10, 13, 12, 8, 8, 12, 12, 9, 5, 2, 1, 1, 0.5, 0.3, 0.2],
  volunteers: [2, 1, 1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 7, 8, 8, 6, 4, 3],
} as const;
const hours = Array.from({ length: 24 }, (_, index) => index);

/** Spreads the pull requests of a chapter over its days, and over the hours of each day. */
class ActivityCurve {
  readonly #shares: Float64Array;
  #owed = 0;

  constructor(private readonly world: DemoWorld) {
    const { calendar, chapter, scale } = world;
    const { pullRequests, growth, weekend } = world.profile.activity;
    const ofDay = (pullRequests * scale) / weightOfWeek(weekend);
    this.#shares = Float64Array.from({ length: chapterDays }, (_, index) => {
      const day = firstDayOf(chapter) + index;
      return (ofDay * calendar.weightOf(day) * (1 + (growth - 1) * grownBy(day))) / growth;
    });
  }

  /**
   * The moments of a day at which pull requests are opened, besides the unplanned ones. Days are uneven, and later days
   * make up for it in proportion to their own work: a Saturday must not inherit the rest of Friday.
   */
  momentsOn(day: number, unplanned: number): Float64Array {
    const { random, calendar, profile } = this.world;
    this.#owed -= unplanned;
    const index = day - firstDayOf(this.world.chapter);
    const share = this.#shares[index] ?? 0;
    const week = this.#shares.subarray(index, index + 7).reduce((all, each) => all + each, 0);
    const wanted = share * Math.min(3, Math.max(0, 1 + this.#owed / week)) * random.between(0.65, 1.35);
    const count = Math.floor(wanted + random.next());
    this.#owed += share - count;
    const moment = () =>
      random.pickWeighted(hours, (at) => openings[profile.activity.hours][at] ?? 0) * hour +
      random.integer(0, hour - 1);
    return Float64Array.from({ length: count }, () => calendar.startOf(day) + moment()).sort();
  }
}
