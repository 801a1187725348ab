import { startOfBucket, TimeZone } from '../calendar.ts';
import { dayIn, fieldsIn, filtersIn, needed, requiredTitle, wordIn } from '../documents/document-fields.ts';
import type { DocumentContext, DocumentKind, StoredDocument, WritingContext } from '../documents/document-kind.ts';
import { slugIn } from '../documents/slug.ts';
import { filtersByTeamId, filtersByTeamName, teamIdsIn } from '../documents/teams-of-reader.ts';
import {
  readersOf,
  readVisibleTo,
  refuseUnlessManager,
  type StoredVisibleTo,
  shownVisibleTo,
} from '../documents/visible-to.ts';
import { refuse } from '../query/reading/body.ts';
import type { Goal } from './goal.ts';
import { goalLevels } from './goal-periods.ts';
import { goalAggregation, goalMetric, refuseFilters } from './goal-question.ts';

/** A goal as it is stored. */
export interface GoalDocument extends Goal {
  readonly visible_to: StoredVisibleTo;
}

const goalFields = [
  'goal',
  'title',
  'metric',
  'aggregation',
  'filters',
  'should_be',
  'value',
  'period',
  'from',
  'until',
  'visible_to',
] as const;

export const goalKind: DocumentKind<GoalDocument> = {
  kind: 'goal',
  plural: 'goals',
  maxCount: 200,
  read: (written, context) => ({ document: readGoal(written, context) }),
  shown: ({ document }, context) => shownGoal(document, context),
  visibleTo: ({ visible_to }) => readersOf(visible_to),
  refuseMaker: (principal, { visible_to }) => refuseUnlessManager(principal, readersOf(visible_to), 'goals'),
};

function readGoal(written: unknown, context: WritingContext<GoalDocument>): GoalDocument {
  const { slug, teams, principal, now, before } = context;
  const fields = fieldsIn(written, goalFields, 'A goal');
  const metric = goalMetric(fields);
  const filters = filtersByTeamId(filtersIn(fields), teams, teamIdsIn(before?.document));
  refuseFilters(filters, metric);
  const period = needed(wordIn(fields, 'period', goalLevels), 'period', 'week, month or quarter');
  const from = dayIn(fields, 'from') ?? firstDayOf(before, period, principal.timeZone, now);
  const until = dayIn(fields, 'until') ?? null;
  if (until !== null && until < from) throw refuse(`until must not be before from (${from}).`);
  return {
    goal: slugIn(fields, 'goal', slug),
    title: requiredTitle(fields),
    metric: metric.name,
    aggregation: goalAggregation(fields, metric),
    filters,
    should_be: needed(wordIn(fields, 'should_be', ['below', 'above']), 'should_be', 'below or above'),
    value: valueIn(fields.value),
    period,
    from,
    until,
    visible_to: fields.visible_to === undefined ? 'me' : readVisibleTo(fields.visible_to, teams),
  };
}

/** A goal that is replaced keeps its first day. */
function firstDayOf(
  before: StoredDocument<GoalDocument> | undefined,
  period: Goal['period'],
  zone: string,
  now: Date,
): string {
  return before?.document.from ?? startOfBucket(period, TimeZone.named(zone).dayAt(now.getTime() / 1_000));
}

function valueIn(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw refuse('value must be a number in the unit of the metric: seconds for durations, 0 to 1 for rates.');
}

function shownGoal(document: GoalDocument, { teams }: DocumentContext): object {
  const shown = {
    ...document,
    filters: filtersByTeamName(document.filters, teams),
    visible_to: shownVisibleTo(document.visible_to, teams),
  };
  return Object.fromEntries(goalFields.map((name) => [name, shown[name]]));
}
