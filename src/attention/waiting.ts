import type { Principal } from '../access/principal.ts';
import { scopeTo } from '../access/scope.ts';
import { type GroupColumn, groupColumnsOf } from '../catalogue/group-columns.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import type { Table } from '../catalogue/table.ts';
import { deployments } from '../catalogue/tables/deployments.ts';
import { pullRequests } from '../catalogue/tables/pull-requests.ts';
import {
  and,
  column,
  isAnyOf,
  isMoreThan,
  isPresent,
  isTrue,
  not,
  type RowNode,
  type RowValue,
} from '../expression/expression.ts';
import type { AnswerRow, Cell, Measure, Plan, QuerySession, RowChoice, Span } from '../query/plan.ts';
import { rowChoices } from '../query/planner.ts';
import type { RequestedFilters } from '../query/request.ts';

const secondsPerHour = 3_600;
/** What waits for longer is still counted, but no longer listed. */
export const maxListedDays = 90;
const maxListedSeconds = maxListedDays * 24 * secondsPerHour;

/** What a pull request can wait for. */
export const waitingSteps = ['review', 'merge', 'deploy'] as const;
export type WaitingStep = (typeof waitingSteps)[number];

/** Whose rows are looked at, when, and for how many hours something has to have waited to be named. */
interface WaitingQuestion {
  readonly principal: Principal;
  readonly filters: RequestedFilters;
  /** In seconds since 1970. */
  readonly now: number;
  readonly hours: number;
  readonly maxRows: number;
}

/** The records that wait, as far as the caller may see them. */
export interface WaitingRecords {
  /** All of them, also those that are too old or too many to be listed. */
  readonly count: number;
  /** How many of them wait for longer than the listed days. */
  readonly olderCount: number;
  /** Since when the first of all waits, in seconds since 1970. Null where nothing waits. */
  readonly longestSince: number | null;
  /** Those of the listed days, the longest wait first: columns by their names, and `since`. */
  readonly records: readonly WaitingRecord[];
}

export interface WaitingRecord {
  readonly since: number;
  readonly columns: Readonly<Record<string, Cell>>;
}

/** The rows of one table that wait: since when, and by which condition. */
interface WaitingCondition {
  readonly table: Table;
  /** The metric whose filters choose among the rows. */
  readonly metric: string;
  readonly since: string;
  readonly rows: readonly RowChoice[];
  readonly condition: RowNode;
  readonly columns: readonly string[];
}

const truth = (name: string): RowValue<'boolean'> => isTrue(column<'boolean'>(name));
const isOfPerson = and(not(truth('is_draft')), not(truth('is_bot')));
const isOpen: RowChoice = { predicate: { by: 'value', column: 'pr_state' }, values: ['open'] };
const isUndeployed: RowChoice = {
  predicate: { by: 'value', column: 'deployment_attribution_status' },
  values: ['awaiting_deploy'],
};

const ofPullRequests = {
  table: pullRequests,
  metric: 'pull-requests-count',
  columns: ['pr_id', 'pr_number', 'pr_title', 'pr_url', 'repository_name', 'name', 'person_login'],
} as const;

const waitingRows: Readonly<Record<WaitingStep, WaitingCondition>> = {
  // Open without a review by another person, since it was opened or became ready.
  review: {
    ...ofPullRequests,
    since: 'opened_at',
    rows: [isOpen],
    condition: and(
      isOfPerson,
      not(isPresent(column('first_review_at'))),
      not(isMoreThan(column<'integer'>('reviews_count'), 0)),
    ).row,
  },
  // Approved, and no reviewer asks for changes, since the last approval.
  merge: { ...ofPullRequests, since: 'approved_at', rows: [isOpen], condition: isOfPerson.row },
  // Merged to the production branch and in no deployment yet, since the merge.
  deploy: { ...ofPullRequests, since: 'pr_merged_at', rows: [isUndeployed], condition: isOfPerson.row },
};

/** Failed changes of production that are not restored, by the definition of the change failure rate. */
const unrestoredRows: WaitingCondition = {
  table: deployments,
  metric: 'change-failure-rate',
  since: 'failure_detected_at',
  rows: [],
  condition: and(
    truth('is_production'),
    isAnyOf(column<'text'>('status'), 'success', 'failure'),
    not(truth('is_remediation')),
    isPresent(column('failure_reason')),
    not(isPresent(column('restored_at'))),
  ).row,
  columns: ['deployment_id', 'repository_name', 'version', 'failure_reason', 'deployed_at'],
};

/** The pull requests that wait for a review, to be merged or to be deployed. Drafts and bots are left out. */
export const waitingPullRequests = (
  session: QuerySession,
  step: WaitingStep,
  asked: WaitingQuestion,
): Promise<WaitingRecords> => findWaiting(session, waitingRows[step], asked);

/** The failures of the last days that are not restored. Older ones are not counted either. */
export async function unrestoredFailures(
  session: QuerySession,
  asked: Omit<WaitingQuestion, 'hours'>,
): Promise<Pick<WaitingRecords, 'count' | 'records'>> {
  const { count, olderCount, records } = await findWaiting(session, unrestoredRows, { ...asked, hours: 0 });
  return { count: count - olderCount, records };
}

/** Years have four digits: no time is earlier. */
const earliestSecond = Date.parse('0001-01-01T00:00:00Z') / 1_000;

async function findWaiting(
  session: QuerySession,
  waiting: WaitingCondition,
  asked: WaitingQuestion,
): Promise<WaitingRecords> {
  const { since, columns } = waiting;
  const { now, hours, maxRows } = asked;
  const [oldest, newest] = [now - maxListedSeconds, now - hours * secondsPerHour];
  const recent = planOf(waiting, asked, { type: 'timestamp', column: since, from: oldest, until: newest });
  const older = planOf(waiting, asked, { type: 'timestamp', column: since, from: earliestSecond, until: oldest });
  const known = groupColumnsOf(waiting.table);
  const sinceOf: GroupColumn = { name: since, type: 'timestamp', meaning: 'Since when it waits.', from: 'row' };
  const groupBy = [sinceOf, ...columns.flatMap((name) => known.get(name) ?? [])];
  const rows = await session.rows({
    plans: [{ ...recent, groupBy, measures: [countOf(waiting)], minimumValues: [isThere] }],
    values: [countName],
    order: [since, ...waiting.table.key].map((name) => ({ column: name, direction: 'asc' })),
    limit: maxRows,
  });
  const records = rows.map((row) => recordIn(row, columns));
  const whole = async (plan: Plan): Promise<AnswerRow> => {
    const measures = [countOf(waiting), firstOf(waiting)];
    const [row] = await session.rows({
      plans: [{ ...plan, measures }],
      values: [countName, sinceName],
      order: [],
      limit: 1,
    });
    return row ?? [0, null];
  };
  const [listedCount] = records.length < maxRows ? [records.length] : await whole(recent);
  const [oldCount, oldSince] = await whole(older);
  const olderCount = Number(oldCount);
  const firstSince = olderCount > 0 ? Number(oldSince) : records[0]?.since;
  return { count: Number(listedCount) + olderCount, olderCount, longestSince: firstSince ?? null, records };
}

const sinceName = 'waiting_since';
const countName = 'waiting_count';
const isThere = { leading: countName, columns: [countName], minimum: 1, ofNothing: 0 } as const;

/** How many rows wait. */
const countOf = ({ condition }: WaitingCondition): Measure => ({
  as: countName,
  type: 'number',
  value: { op: 'count', where: condition },
});

/** Since when the first of them waits. */
const firstOf = ({ condition, since }: WaitingCondition): Measure => {
  const value: RowNode = { op: 'when', condition, value: { op: 'column', name: since } };
  return { as: sinceName, type: 'number', value: { op: 'aggregate', aggregation: 'min', value } };
};

function planOf(
  { table, rows, metric: name }: WaitingCondition,
  { principal, filters }: WaitingQuestion,
  span: Span,
): Plan {
  const metric = metrics.get(name);
  if (!metric) throw new Error(`there is no metric ${name}`);
  return {
    from: scopeTo(principal, table),
    span,
    bucket: undefined,
    groupBy: [],
    rows: [...rows, ...rowChoices({ filters }, metric)],
    people: filters.people,
    measures: [],
    minimumValues: [],
  };
}

/** The moment comes first, then the columns, then how many rows there are. */
function recordIn([since = null, ...row]: AnswerRow, columns: readonly string[]): WaitingRecord {
  return { since: Number(since), columns: Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])) };
}
