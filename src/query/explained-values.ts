import type { TimeZone } from '../calendar.ts';
import { groupColumnsOf, hasPerson } from '../catalogue/group-columns.ts';
import { type LeftOutReason, leftOutReasons } from '../catalogue/left-out-reasons.ts';
import { columnsNeeding, type Table } from '../catalogue/table.ts';
import { deployments } from '../catalogue/tables/deployments.ts';
import type { RowNode } from '../expression/expression.ts';
import { countRows, havingValue, type NearestRows, nearestRows, outside, withoutGroups } from './empty-answer.ts';
import type { Measure, Plan, QuerySession } from './plan.ts';

/** How many values went into a number, and why those of other rows did not. */
export interface ExplainedValues {
  readonly used: number;
  readonly left_out: readonly { readonly reason: string; readonly count: number }[];
}

/** From where it is known that something was deployed, and how many of the values rest on it. */
export interface DeploymentSourceCount {
  readonly deployment_source: string | null;
  readonly count: number;
}

interface ValuesBehind {
  readonly values: ExplainedValues;
  readonly nearest: NearestRows;
  readonly deploymentSources: readonly DeploymentSourceCount[] | null;
}

/**
 * Looks at the rows behind a number, all of it through the plan's own table: what the caller does not see is neither
 * counted nor found. A row is counted under one reason; rows that a filter leaves out under none.
 */
export async function valuesBehind(session: QuerySession, plan: Plan, zone: TimeZone): Promise<ValuesBehind> {
  const leading = plan.measures.at(-1);
  if (!leading) throw new Error('a plan has a measure');
  const { table } = plan.from;
  const whole = withoutGroups(plan);
  const hasValue = havingValue(leading, table);
  const values =
    'value' in leading
      ? await countedValues(session, whole, hasValue)
      : await countedPeople(session, whole, leading.activities);
  return {
    values,
    nearest: await nearestRows(session, whole, hasValue, zone),
    deploymentSources: isOfDeployments(table, hasValue) ? await sourcesOf(session, whole, hasValue) : null,
  };
}

async function countedValues(session: QuerySession, whole: Plan, hasValue: RowNode | undefined) {
  const { from, span } = whole;
  const { table } = from;
  const reasons = new Map<string, number>();
  const add = (reason: string, count: number) => reasons.set(reason, (reasons.get(reason) ?? 0) + count);

  const missing = hasValue ? reasonsFor(table, columnsIn(hasValue), not(hasValue), 'no value') : [];
  const [used = 0, ...without] = await countRows(session, whole, [hasValue, ...missing.map(({ where }) => where)]);
  for (const [i, { reason }] of missing.entries()) add(reason, without[i] ?? 0);

  const uncounted = uncountedRows(whole);
  for (const leftOut of uncounted) {
    const [count = 0] = await countRows(session, { ...whole, leftOut }, [undefined]);
    add(leftOut === 'bot' ? 'bot' : 'not onboarded', count);
  }
  if (span) {
    const isDated: RowNode = { op: 'isPresent', value: { op: 'column', name: span.column } };
    const undated = reasonsFor(table, new Set([span.column]), not(isDated), 'no date');
    // Rows of every person: a row outside the window would not be used if its person were onboarded either.
    for (const leftOut of [undefined, ...uncounted]) {
      const rows = { ...whole, leftOut };
      const conditions = [undefined, ...undated.map(({ where }) => where)];
      const [all = 0, ...found] = await countRows(session, { ...rows, span: undefined }, conditions);
      if (all === 0) continue;
      for (const [i, { reason }] of undated.entries()) add(reason, found[i] ?? 0);
      for (const part of outside(span)) {
        const [count = 0] = await countRows(session, { ...rows, span: part }, [undefined]);
        add('outside the window', count);
      }
    }
  }
  if (from.table.anonymous) add('too few respondents', await session.suppressed(whole));

  return { used, left_out: largestFirst(reasons) };
}

/** The largest first, because the reader looks for the main reason; those of one size by name. */
const largestFirst = (reasons: ReadonlyMap<string, number>): ExplainedValues['left_out'] =>
  [...reasons]
    .map(([reason, count]) => ({ reason, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));

/** The rows of the table that do not count, whatever their value and date. */
function uncountedRows({ from: { table, visibility }, people }: Plan): readonly NonNullable<Plan['leftOut']>[] {
  const isChosen = Object.keys(people).length > 0;
  if (table.isPeople) return ['not-onboarded'];
  if (!hasPerson(table) || !(isChosen || !table.countsForRepository)) return [];
  // For callers who see everyone, rows of bots count, unless the question chooses people.
  const areBotsLeftOut = isChosen || visibility !== 'organisation';
  return areBotsLeftOut ? ['not-onboarded', 'bot'] : ['not-onboarded'];
}

/** A share is made of people: those that it divides by, those who did nothing at all, and those who are not onboarded. */
async function countedPeople(
  session: QuerySession,
  whole: Plan,
  activities: Extract<Measure, { type: 'population' }>['activities'],
): Promise<ExplainedValues> {
  const population = async (of: typeof activities, leftOut?: Plan['leftOut']): Promise<number> => {
    const measures: Measure[] = [{ as: 'people', type: 'population', activities: of }];
    const plan = { ...whole, leftOut, measures };
    const [row] = await session.rows({ plans: [plan], values: ['people'], order: [], limit: 1 });
    return Number(row?.[0] ?? 0);
  };
  const used = await population(activities);
  const reasons = new Map([
    ['no activity in the window', activities ? (await population(undefined)) - used : 0],
    ['not onboarded', await population(undefined, 'not-onboarded')],
  ]);
  return { used, left_out: largestFirst(reasons) };
}

/** Rows of which a condition does not hold, divided by the reasons that explain one of these columns. */
function reasonsFor(table: Table, columns: ReadonlySet<string>, isMissing: RowNode, otherwise: string) {
  const known: readonly LeftOutReason[] = leftOutReasons(table).filter(({ of }) =>
    of.some((name) => columns.has(name)),
  );
  const apart = known.map(({ reason, where }, i) => ({
    reason,
    where: and([isMissing, where, ...known.slice(0, i).map((earlier) => not(earlier.where))]),
  }));
  const rest = and([isMissing, ...known.map(({ where }) => not(where))]);
  return [...apart, { reason: otherwise, where: rest }];
}

const isOfDeployments = (table: Table, hasValue: RowNode | undefined): boolean =>
  table === (deployments as Table) ||
  // Clocks of pull requests that end with a deployment.
  (hasValue !== undefined && columnsNeeding(table, 'deployed_at').some((name) => columnsIn(hasValue).has(name)));

async function sourcesOf(
  session: QuerySession,
  whole: Plan,
  hasValue: RowNode | undefined,
): Promise<DeploymentSourceCount[]> {
  const column = groupColumnsOf(whole.from.table).get('deployment_source');
  if (!column) return [];
  const measures: Measure[] = [{ as: 'count', type: 'number', value: { op: 'count', where: hasValue } }];
  const rows = await session.rows({
    plans: [{ ...whole, groupBy: [column], measures }],
    values: ['count'],
    order: [{ column: column.name, direction: 'asc' }],
    limit: 100,
  });
  return rows
    .map(([source, count]) => ({
      deployment_source: source === null ? null : String(source),
      count: Number(count ?? 0),
    }))
    .filter(({ count }) => count > 0);
}

const not = (value: RowNode): RowNode => ({ op: 'not', value });
const and = (all: readonly RowNode[]): RowNode => ({ op: 'and', all });

/** Every column that a value is made of. */
function columnsIn(node: RowNode): Set<string> {
  switch (node.op) {
    case 'column':
      return new Set([node.name]);
    case 'literal':
      return new Set();
    case 'coalesce':
      return union(node.options);
    case 'add':
      return union(node.terms);
    case 'and':
      return union(node.all);
    case 'or':
      return union(node.any);
    case 'when':
      return union([node.condition, node.value]);
    default:
      return columnsIn(node.value);
  }
}

const union = (nodes: readonly RowNode[]): Set<string> => new Set(nodes.flatMap((node) => [...columnsIn(node)]));
