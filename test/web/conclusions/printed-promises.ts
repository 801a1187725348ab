import { causesIn, claimsIn, metricCalled } from './claims.ts';
import type { DataExtent } from './data-extent.ts';
import type { MetricName } from './metric-facts.ts';
import { type OpenedPage, showsRecords } from './opened-page.ts';
import type { Kind } from './plain-verdict.ts';
import { linesOf, type PrintedChange, sentenceOf, tilesOf, withoutJudged } from './printed-page.ts';
import type { RecomputedChange } from './recomputed-changes.ts';

/** What pages promise of what they print, a function each, as in promises.ts. */

const hasMoved = ({ verdict }: Pick<RecomputedChange, 'verdict'>): boolean => verdict === 'up' || verdict === 'down';
const isWhole = ({ group }: RecomputedChange): boolean => Object.keys(group).length === 0;

/** Nothing is coloured as better or worse, and nothing has an arrow, that is no change by its verdict. */
export function coloursNeedVerdicts({ html }: OpenedPage): string[] {
  const rest = withoutJudged(html);
  return [
    ...(/class="[^"]*\b(?:good|bad)\b/.test(rest) ? ['something is coloured without a verdict'] : []),
    ...(/[↑↓]/.test(rest) ? ['something has an arrow without a verdict'] : []),
  ];
}

/** What has an arrow up is not said to be less. */
const isAtOdds = (change: PrintedChange | undefined): boolean =>
  (change?.arrow === '↑' && change.sign === '−') || (change?.arrow === '↓' && change.sign === '+');

/** How a change with that verdict has to look. What has none is no comparison either where a window is not known in full. */
function looksOf({ verdict, isBetter, isComparable }: RecomputedChange): string {
  const tone = isBetter === null ? 'secondary' : isBetter ? 'good' : 'bad';
  return `${verdict ?? (isComparable ? '' : 'no_comparison')} ${tone} ${verdict === 'up' ? '↑' : verdict === 'down' ? '↓' : ''}`;
}

/** Tiles and lines of what changed most have the number, the verdict, the colour and the arrow that their rows give. */
export function printedChangesFollowTheRows(page: OpenedPage, changes: readonly RecomputedChange[]): string[] {
  const tiles = tilesOf(page.html).flatMap(({ metric, value, change }) => {
    if (change === undefined) return [];
    const found = changes.filter((one) => one.metric === metric && isWhole(one) && one.answered.value === value);
    const isRight = found.some((one) => looksOf(one) === `${change.verdict} ${change.tone} ${change.arrow ?? ''}`);
    return isRight && !isAtOdds(change)
      ? []
      : [`the tile of ${metric} shows ${value}, ${change.verdict}, ${change.tone}`];
  });
  const lines = linesOf(page.html).flatMap(({ group, metric, change }) => {
    const found = changes.filter((one) => one.metric === metric && Object.values(one.group).includes(group));
    const isRight = found.some(
      (one) => hasMoved(one) && looksOf(one) === `${change?.verdict} ${change?.tone} ${change?.arrow ?? ''}`,
    );
    return isRight && !isAtOdds(change)
      ? []
      : [`what changed most names ${group}: ${metric}, ${change?.verdict}, ${change?.tone}`];
  });
  return [...tiles, ...lines];
}

/** A tile whose own data end earlier than its page says so. */
export function earlierTilesAreSaid({ html, path, days }: OpenedPage, extent: DataExtent): string[] {
  if (days === undefined) return [];
  return tilesOf(html).flatMap(({ metric, value, isCut }) => {
    const isEarly = extent.lastDayOn(path, metric) < extent.lastDayOn(path);
    return value === null || isEarly === isCut
      ? []
      : [`the tile of ${metric} ${isCut ? 'says' : 'does not say'} that it ends earlier`];
  });
}

/** Beside a number of days before the history stands that nothing is compared, whoever has made the number. */
export function daysBeforeTheHistoryAreSaid({ html, path }: OpenedPage, { organisation }: DataExtent): string[] {
  if (!organisation.expected.hasNoHistory) return [];
  const said = [...html.matchAll(/data-verdict="(\w*)"/g)].map(([, verdict]) => verdict);
  return said.every((verdict) => verdict === 'no_comparison') ? [] : [`${path} says ${said.join(', ')}`];
}

/** A sentence claims a change only where its verdict says so. */
export function sentencesFollowTheRows(page: OpenedPage, changes: readonly RecomputedChange[]): string[] {
  const sentence = sentenceOf(page.html);
  return claimsIn(page.path, sentence).flatMap((claim) => {
    if (typeof claim === 'string') return [`nobody knows what figure this is of: ${claim}`];
    const isRight = changes.some(
      (one) => isWhole(one) && one.metric === claim.metric && one.verdict === claim.direction,
    );
    return isRight ? [] : [`${claim.metric} did not go ${claim.direction}: ${sentence}`];
  });
}

/** A team or repository to look at became worse by its own verdict, whatever the whole did. */
export function whoToLookAtBecameWorse({ html, path }: OpenedPage, changes: readonly RecomputedChange[]): string[] {
  const sentence = sentenceOf(html);
  const [, place, called = ''] = /\bLook at (.+?) ?: (.+?) went from /.exec(sentence) ?? [];
  if (place === undefined) return [];
  const metric = metricCalled(path, called);
  const isRight = changes.some(
    (one) =>
      one.metric === metric && Object.values(one.group).includes(place) && hasMoved(one) && one.isBetter === false,
  );
  return isRight ? [] : [`${place} did not become worse: ${sentence}`];
}

/** A sentence says a number of the window before only where all of that window is known. */
export function earlierNumbersAreComparable({ html }: OpenedPage, changes: readonly RecomputedChange[]): string[] {
  const sentence = sentenceOf(html);
  return [...sentence.matchAll(/, ([\d,]+) before\b/g)].flatMap(([, number = '']) => {
    const value = Number(number.replaceAll(',', ''));
    const isRight = changes.some((one) => isWhole(one) && one.before.value === value && one.isComparable);
    return isRight ? [] : [`compares with a window that is not known: ${sentence}`];
  });
}

/** How far a number moved for all that it is made of. */
const movedBy = ({ kind, now, before }: RecomputedChange): number =>
  ((now.value ?? 0) - (before.value ?? 0)) * (kind === 'count' ? 1 : now.n);

const isMedian = (kind: Kind): boolean => typeof kind === 'object' && kind.percentile === 0.5;

/** The metrics of the phases, by the names that sentences give them. */
const phaseMetrics: Readonly<Record<string, MetricName>> = {
  coding: 'coding-time',
  'first review wait': 'pickup-time',
  review: 'review-time',
};

/** What is named as the cause of a change moved the same way by its own verdict, and bears at least half of it. */
export function causesBearHalf(page: OpenedPage, changes: readonly RecomputedChange[]): string[] {
  const sentence = sentenceOf(page.html);
  const { phase, place } = causesIn(sentence);
  if (phase === undefined && place === undefined) return [];
  const caused = claimsIn(page.path, sentence).flatMap((claim) => (typeof claim === 'string' ? [] : claim.metric));
  const wholes = changes.filter(
    (one) => isWhole(one) && hasMoved(one) && caused.includes(one.metric) && one.kind !== 'mean',
  );
  const bears = (part: RecomputedChange): boolean =>
    wholes.some(
      (whole) => part.verdict === whole.verdict && Math.abs(movedBy(part)) * 2 >= Math.abs(movedBy(whole)) - 1e-6,
    );
  const phaseMetric = phase === undefined ? undefined : phaseMetrics[phase];
  const ofPhase = changes.filter((one) => isWhole(one) && one.metric === phaseMetric && isMedian(one.kind));
  const ofPlace = changes.filter((one) => caused.includes(one.metric) && Object.values(one.group).includes(place));
  return [
    ...(phase !== undefined && !ofPhase.some(bears) ? [`${phase} is not the cause: ${sentence}`] : []),
    ...(place !== undefined && !ofPlace.some(bears) ? [`${place} is not the cause: ${sentence}`] : []),
  ];
}

/** The page about cycle time names what the organisation was made slower by, to those who see all of it. */
export function theCauseIsNamed({ html, path, reader }: OpenedPage): string[] {
  const { cause } = reader.organisation.expected;
  if (path !== '/cycle-time' || reader.role !== 'Owner' || cause === undefined) return [];
  const { phase, place } = causesIn(sentenceOf(html));
  return phase === cause.phase && place === cause.repository ? [] : [`names another cause: ${sentenceOf(html)}`];
}

const seenBy = { Owner: undefined, Manager: 'teams', 'Squad Lead': 'squads', Engineer: 'self' } as const;

/** A page says what its reader sees where that is not everything, and so does every answer. */
export function sightIsSaid({ html, path, reader, exchanges }: OpenedPage): string[] {
  const seen = seenBy[reader.role];
  const [, said, words] = /data-visibility="([^"]*)">([^<]*)/.exec(html) ?? [];
  const isSaid = said === (showsRecords(path) ? seen : undefined) && (said === undefined || words !== '');
  const answers = exchanges.filter((one) => one.path.startsWith('/metrics/') && one.status === 200);
  const wrong = answers.find(({ headers }) => headers.get('x-visibility') !== (seen ?? 'organisation'));
  return [
    ...(isSaid ? [] : [`says that ${reader.role} sees ${said}`]),
    ...(wrong ? [`${wrong.path} has X-Visibility ${wrong.headers.get('x-visibility')}`] : []),
  ];
}
