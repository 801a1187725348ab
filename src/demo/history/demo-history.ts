import type { DemoOptions, DemoOrganisation } from '../demo-organisations.ts';
import { writeCopilotDay } from './ai-usage.ts';
import { type CodeBase, isDueOn } from './code-bases.ts';
import type { MergedChange } from './code-changes.ts';
import { Deliveries } from './deliveries.ts';
import { Tracker } from './issue-tracker.ts';
import type { HistoryBatch } from './record-batcher.ts';
import { DemoWorld } from './workforce.ts';
import { hour } from './working-calendar.ts';
import { type FollowUp, openFollowUp, openPlanned } from './write-pull-requests.ts';
import { writeSurvey } from './write-surveys.ts';

export interface HistoryOptions extends DemoOptions {
  readonly until: string;
  /** A batch has about so many records, and a few more where the last parent has many parts. */
  readonly maxRows?: number;
}

const revertShare = 0.02;
const hotfixShare = 0.009;
const unlinkedIssueShare = 0.22;
/** A promotion waits until it carries three merges, and names the latest eight of them. */
const mergesFewest = 3;
const maxMerges = 8;

/**
 * Two years of an invented organisation, the same for the same options on any day. Batches follow each other in time;
 * parents come with all their parts. Nothing is kept but what is still to happen, so memory does not grow with the
 * history. At scale 1 all six organisations together have 5,000 pull requests, and their number grows as the scale does:
 * the largest organisation has 1,500 times the scale, which makes ten million at scale 6,667.
 */
export function* demoHistory(organisation: DemoOrganisation, options: HistoryOptions): Generator<HistoryBatch> {
  const { maxRows = 5_000 } = options;
  const world = new DemoWorld(organisation, options);
  for (const _ of writeDays(world)) {
    if (world.rows >= maxRows) yield world.takeBatch();
  }
  if (world.rows > 0) yield world.takeBatch();
}

/** Goes through the days. Stops after every parent, where a batch may end. */
function* writeDays(world: DemoWorld): Generator<void> {
  const { calendar, random } = world;
  const tracker = new Tracker(world);
  const curve = new ActivityCurve(world);
  const deliveries = new Deliveries(world, schedule);
  /** Changes by day, removed once the day is over: only what is still to come is kept. */
  const merges = Array.from({ length: calendar.days }, (): MergedChange[] => []);
  const followUps = Array.from({ length: calendar.days }, (): FollowUp[] => []);
  const unpromoted = new Map<CodeBase, MergedChange[]>();
  let today = 0;

  for (; today < calendar.days; today += 1) {
    const date = calendar.dateOf(today);
    const quarter = `Q${Math.ceil(Number(date.slice(5, 7)) / 3)} ${date.slice(0, 4)}`;
    if (today === 0 || /-(01|04|07|10)-01$/.test(date)) tracker.writeEpics(today, quarter);
    if (/-(02|05|08|11)-12$/.test(date)) yield* writeSurvey(world, today, quarter);
    yield* writeCopilotDay(world, today);

    const unplanned = [...(followUps[today]?.splice(0) ?? []), ...promotions()];
    for (const followUp of unplanned) {
      keep(openFollowUp(world, today, followUp));
      yield;
    }
    for (const at of curve.momentsOn(today, unplanned.length)) {
      keep(openPlanned(world, tracker, today, at));
      if (random.chance(unlinkedIssueShare)) tracker.writeUnlinked(today, at);
      yield;
    }
    for (const merge of merges[today]?.splice(0).toSorted((a, b) => a.at - b.at) ?? []) {
      const { codeBase } = merge;
      if (merge.base_branch === codeBase.production) deliveries.take(merge);
      else unpromoted.set(codeBase, [...(unpromoted.get(codeBase) ?? []), merge].slice(-maxMerges));
      scheduleReverts(merge);
      yield;
    }
    deliveries.settle(calendar.startOf(today + 1));
    yield;
  }

  function keep(merge: MergedChange | undefined): void {
    if (merge) merges[Math.max(today, calendar.dayOf(merge.at))]?.push(merge);
  }

  function schedule(followUp: FollowUp): void {
    followUps[Math.max(today + 1, calendar.dayOf(followUp.at))]?.push(followUp);
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
      if (waiting.length < mergesFewest || !isDueOn(codeBase, today, calendar)) continue;
      unpromoted.delete(codeBase);
      const at = Math.floor(calendar.startOf(today) + random.between(9.5, 14) * hour);
      yield { occasion: 'promotion', at, codeBase, merges: waiting };
    }
  }
}

/** How many pull requests in a hundred are opened in each hour of the day. */
const openings = {
  office: [0, 0, 0, 0, 0, 0, 0, 2, 5, 10, 13, 12, 8, 8, 12, 12, 9, 5, 2, 1, 1, 0.5, 0.3, 0.2],
  volunteers: [2, 1, 1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 7, 8, 8, 6, 4, 3],
} as const;
const hours = Array.from({ length: 24 }, (_, index) => index);

/** Spreads a number of pull requests over the days of a history, and over the hours of each day. */
class ActivityCurve {
  readonly #shares: Float64Array;
  #owed = 0;

  constructor(private readonly world: DemoWorld) {
    const { days } = world.calendar;
    const { pullRequests, growth } = world.profile.activity;
    const weightOf = (day: number) => world.calendar.weightOf(day) * (1 + ((growth - 1) * day) / days);
    const weights = Float64Array.from({ length: days }, (_, day) => weightOf(day));
    const sum = weights.reduce((all, weight) => all + weight, 0);
    this.#shares = weights.map((weight) => (weight * pullRequests * world.scale) / sum);
  }

  /**
   * The moments of a day at which pull requests are opened, besides the unplanned ones. Days are uneven, and later days
   * make up for it in proportion to their own work: a Saturday must not inherit the rest of Friday.
   */
  momentsOn(day: number, unplanned: number): Float64Array {
    const { random, calendar, profile } = this.world;
    this.#owed -= unplanned;
    const share = this.#shares[day] ?? 0;
    const week = this.#shares.subarray(day, day + 7).reduce((all, each) => all + each, 0);
    const wanted = share * Math.min(3, Math.max(0, 1 + this.#owed / week)) * random.between(0.65, 1.35);
    const count = Math.floor(wanted + random.next());
    this.#owed += share - count;
    const moment = () =>
      random.pickWeighted(hours, (at) => openings[profile.activity.hours][at] ?? 0) * hour +
      random.integer(0, hour - 1);
    return Float64Array.from({ length: count }, () => calendar.startOf(day) + moment()).sort();
  }
}
