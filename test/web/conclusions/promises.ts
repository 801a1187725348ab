import type { DataExtent } from './data-extent.ts';
import type { Exchange } from './kept-answers.ts';
import { type AskedMetric, askedMetrics, type OpenedPage, showsRecords } from './opened-page.ts';
import { now } from './organisations.ts';
import { dayOf, daysBefore, daysLater, daysUpTo, lengthOf } from './plain-days.ts';
import type { RecomputedChange } from './recomputed-changes.ts';

/**
 * What pages promise, a function each. Each says where a page breaks its promise, and nothing where it keeps it.
 */

/** Both windows of a comparison end with the last whole day of the data and are equally long; nothing is asked of later days. */
export function windowsEndWithWholeDays(page: OpenedPage, extent: DataExtent): string[] {
  // What is asked of one record is of its own days.
  const { days } = page;
  if (isOfRecord(page) || days === undefined || !showsRecords(page.path)) return [];
  return askedMetrics(page).flatMap((asked) => {
    const { metric, window, before } = asked;
    if (isOfAllTime(asked)) return [];
    const expected = daysUpTo(extent.lastDayOn(page.path, metric), days);
    const earlier = daysBefore(expected);
    if (before === undefined) {
      const isOther = isSame(window, earlier) || lengthOf(window) === lengthOf(expected);
      return isOther && window.end <= expected.end ? [] : [`${said(asked)}, and its data end on ${expected.end}`];
    }
    const isRight = isSame(window, expected) && isSame(before, earlier);
    return isRight
      ? []
      : [`${said(asked)} is compared with ${before.start} to ${before.end}, and its data end on ${expected.end}`];
  });
}

const isOfRecord = ({ path }: OpenedPage): boolean => path.endsWith('/:id') && path !== '/people/:id';

/** Open work is of whenever it was created. */
const isOfAllTime = ({ window }: AskedMetric): boolean => lengthOf(window) > 1_000;

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

const said = ({ metric, window }: AskedMetric): string => `${metric} of ${window.start} to ${window.end}`;

/** What is answered of a change is what its rows give: both values, both numbers of rows, the verdict, and its side. */
export function verdictsFollowTheRows(changes: readonly RecomputedChange[]): string[] {
  return changes.flatMap((change) => {
    const { answered, metric, group, kind, verdict } = change;
    const found = [
      ...(kind === 'amounts'
        ? []
        : [
            ['value', answered.value, change.now.value],
            ['previous value', answered.previous_value, change.before.value],
            ['n', answered.n, change.now.n],
            ['previous n', answered.previous_n ?? 0, change.before.n],
          ]),
      ['verdict', answered.verdict, verdict],
      ['is_better', answered.is_better, change.isBetter],
    ] as const;
    return found
      .filter(([, given, expected]) => !isAlike(given, expected))
      .map(([what, given, expected]) => {
        const of = Object.values(group).join(' ');
        return `${what} of ${metric}${of && ` of ${of}`} is ${given}, and its rows give ${expected}`;
      });
  });
}

/** Where the history does not reach back over the earlier window, nothing is compared with it. */
export function nothingIsComparedBeforeTheHistory(
  changes: readonly RecomputedChange[],
  { organisation }: DataExtent,
): string[] {
  if (!organisation.expected.hasNoHistory) return [];
  return changes
    .filter(({ answered }) => answered.verdict !== null && answered.verdict !== 'no_comparison')
    .map(({ metric, answered }) => `${metric} is ${answered.verdict} against days before the history`);
}

function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other;
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
}

/** Everything that a page asks is answered: what was refused at first for being too much is asked again. */
export function everythingIsAnswered({ exchanges }: OpenedPage): string[] {
  const isRight = ({ status }: Exchange): boolean => status < 300 || status === 403 || status === 404;
  const keyOf = ({ path, body }: Exchange): string => JSON.stringify([path, body]);
  const answered = new Set(exchanges.filter(isRight).map(keyOf));
  return exchanges
    .filter((one) => !isRight(one) && !answered.has(keyOf(one)))
    .map(({ path, status, answer }) => `${path}: ${status} ${JSON.stringify(answer)}`);
}

/** Every answer of a metric says up to when its data are complete: the earliest of its metrics. */
export function answersSayHowFarDataReach(page: OpenedPage, extent: DataExtent): string[] {
  const asked = askedMetrics(page);
  return [...new Set(asked.map(({ exchange }) => exchange))].flatMap((exchange) => {
    const metrics = asked.filter((one) => one.exchange === exchange).map(({ metric }) => metric);
    const expected = metrics.flatMap((metric) => extent.throughOf(metric) ?? []).sort()[0];
    const given = exchange.headers.get('x-data-through') ?? undefined;
    const isRight = given === expected || Date.parse(given ?? '') === Date.parse(expected ?? '');
    return isRight ? [] : [`${metrics.join(', ')} are said to be complete up to ${given}, not ${expected}`];
  });
}

/** Every page says on top that the data are too old, or that streams are missing from them, where it is so and only there. */
export function staleDataAreSaid({ html }: OpenedPage, { organisation }: DataExtent): string[] {
  const { isStale = false, missing = 0 } = organisation.expected;
  const [, stale = '0', lacking = '0'] = /data-stale="(\d+)" data-missing="(\d+)"/.exec(html) ?? [];
  return [
    ...((stale !== '0') === isStale
      ? []
      : [isStale ? 'does not say that its data are too old' : 'calls its data too old']),
    ...(Number(lacking) === missing ? [] : [`says that ${lacking} streams are missing, and ${missing} are`]),
  ];
}

/** A page whose last day is not yesterday says with which day it ends. */
export function earlierEndsAreSaid({ html, path, days }: OpenedPage, extent: DataExtent): string[] {
  if (days === undefined || !html.includes('class="filter-bar"')) return [];
  const isEarly = extent.lastDayOn(path) < daysLater(dayOf(now, extent.zone), -1);
  const isSaid = html.includes(', the last day with complete data.');
  return isSaid === isEarly ? [] : [`ends on ${extent.lastDayOn(path)}, and ${isSaid ? 'says' : 'does not say'} so`];
}
