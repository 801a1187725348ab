import type { DemoOptions, DemoOrganisation } from '../demo-organisations.ts';
import { CopilotWriter } from './copilot-days.ts';
import { DayQueue } from './day-queue.ts';
import { drawSkewed, hour } from './delays.ts';
import { Deliveries } from './deliveries.ts';
import { IncidentWriter } from './incidents.ts';
import { IssueWriter } from './issues.ts';
import type { ChangeContext, Merge } from './merges.ts';
import { Promotions } from './promotions.ts';
import { PullRequests } from './pull-requests.ts';
import { Releases } from './releases.ts';
import { Rhythm } from './rhythm.ts';
import { RunWriter } from './runs.ts';
import { SurveyWriter } from './surveys.ts';
import { Tracker } from './tracker.ts';
import type { HistoryBatch } from './weaver.ts';
import { buildWorld, type World } from './world.ts';

export type { HistoryBatch } from './weaver.ts';

export interface HistoryOptions extends DemoOptions {
  /** The last day, YYYY-MM-DD. */
  readonly until: string;
  /** A batch has about so many records, and a few more where the last parent has many parts. */
  readonly rowsMost?: number;
}

const rowsMostUsually = 5_000;
const revertShare = 0.02;
const hotfixShare = 0.009;
const unlinkedIssues = 0.22;

/**
 * Two years of an invented organisation, the same for the same options on any day. Batches follow each other in time;
 * parents come with all their parts. Nothing is kept but what is still to happen, so memory does not grow with the
 * history. At scale 1 all six organisations together have 5,000 pull requests, and their number grows as the scale does:
 * the largest organisation has 1,500 times the scale, which makes ten million at scale 6,667.
 */
export function* demoHistory(organisation: DemoOrganisation, options: HistoryOptions): Generator<HistoryBatch> {
  const { rowsMost = rowsMostUsually } = options;
  const world = buildWorld(organisation, options);
  for (const _ of happenings(world)) {
    if (world.weaver.rows >= rowsMost) yield world.weaver.take();
  }
  if (world.weaver.rows > 0) yield world.weaver.take();
}

/** Goes through the days. Stops after every parent, where a batch may end. */
function* happenings(world: World): Generator<void> {
  const { calendar, character, workforce, weaver, streamOf } = world;
  const random = streamOf('happenings');
  const tracker = new Tracker(world, streamOf('tracker'));
  const issues = new IssueWriter(world, tracker, streamOf('issues'));
  const runs = new RunWriter(weaver, streamOf('runs'), calendar.endAt);
  const incidents = new IncidentWriter(world, streamOf('incidents'));
  const pullRequests = new PullRequests(world, tracker, { issues, runs });
  const rhythm = new Rhythm(calendar, character, character.pullRequests * world.scale, streamOf('rhythm'));
  const promotions = new Promotions(workforce.codeBases, calendar, streamOf('promotions'));
  const releases = new Releases(world, incidents, streamOf('releases'));
  const copilot = new CopilotWriter(world, streamOf('copilot'));
  const surveys = new SurveyWriter(world, streamOf('surveys'));

  const merges = new DayQueue<Merge>();
  const changes = new DayQueue<ChangeContext>();
  let today = 0;
  const runChange = (context: ChangeContext): void => {
    if (context.at < calendar.endAt) changes.put(Math.max(today + 1, calendar.dayOf(context.at)), context);
  };
  const deliveries = new Deliveries(world, { runs, incidents }, runChange, streamOf('deliveries'));

  for (today = 0; today < calendar.days; today += 1) {
    const quarter = quarterBeginningOn(calendar.dateOf(today));
    if (quarter !== undefined || today === 0) issues.writeEpics(today, quarter ?? quarterOf(calendar.dateOf(today)));
    if (isSurveyDay(calendar.dateOf(today))) yield* surveys.write(today, quarterOf(calendar.dateOf(today)));
    yield* copilot.write(today);

    const unplanned = [...changes.take(today), ...promotions.on(today)];
    for (const _ of unplanned) rhythm.countUnplanned();
    const moments = Float64Array.from({ length: rhythm.countOn(today) }, () => rhythm.momentOn(today)).sort();
    const opened = (merge: Merge | undefined): void => {
      if (merge) merges.put(Math.max(today, calendar.dayOf(merge.at)), merge);
    };
    for (const context of unplanned) {
      opened(pullRequests.openChange(today, context));
      yield;
    }
    for (const at of moments) {
      opened(pullRequests.openPlanned(today, at));
      if (random.chance(unlinkedIssues)) issues.writeUnlinked(today, at);
      yield;
    }

    const merged = merges.take(today).toSorted((a, b) => a.at - b.at);
    for (const merge of merged) {
      promotions.take(merge);
      if (merge.base === merge.codeBase.production) {
        deliveries.take(merge);
        releases.take(merge);
      }
      repent(merge);
      yield;
    }
    deliveries.settle(calendar.startOf(today + 1));
    releases.write(today);
    yield;
  }

  /** Some of what was merged is taken back within days, and now and then what was taken back was right after all. */
  function repent(merge: Merge): void {
    const { occasion, at, codeBase } = merge;
    if (occasion === 'ordinary' && random.chance(revertShare)) {
      runChange({ occasion: 'revert', at: calendar.later(at, drawSkewed(random, 4 * hour, 1), 0), merge });
    } else if (occasion === 'revert' && random.chance(0.12)) {
      runChange({ occasion: 'revert', at: calendar.later(at, drawSkewed(random, 12 * hour, 0.8), 0), merge });
    } else if (occasion === 'ordinary' && random.chance(hotfixShare)) {
      runChange({ occasion: 'hotfix', at: calendar.later(at, drawSkewed(random, 5 * hour, 0.8), 0), codeBase });
    }
  }
}

const quarterOf = (date: string): string => `Q${Math.ceil(Number(date.slice(5, 7)) / 3)} ${date.slice(0, 4)}`;

function quarterBeginningOn(date: string): string | undefined {
  return /-(01|04|07|10)-01$/.test(date) ? quarterOf(date) : undefined;
}

/** Once a quarter, in the middle of it, where no holidays are. */
const isSurveyDay = (date: string): boolean => /-(02|05|08|11)-12$/.test(date);
