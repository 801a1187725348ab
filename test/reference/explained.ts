import { leftOutReasons } from '../../src/catalogue/left-out-reasons.ts';
import type { Metric } from '../../src/catalogue/metric.ts';
import type { Row, Table } from '../../src/catalogue/table.ts';
import type { RowNode } from '../../src/expression/expression.ts';
import { dayAt } from './calendar.ts';
import { isWanted, personOf } from './directory.ts';
import { hasValue, holds, rowValue } from './expression.ts';
import { windowSeen } from './metric-groups.ts';
import { type QuestionBody, questionOf, rowsWanted } from './question.ts';
import { isFound } from './row-filters.ts';
import { populationOf } from './share.ts';
import { isVisible, personSeen, rowsSeen, viewOf } from './visibility.ts';
import { dayWithin } from './window.ts';
import type { Seeing, World } from './world.ts';

/** What an explanation says of the values behind a number. */
export interface ExpectedExplanation {
  readonly values: {
    readonly used: number;
    readonly left_out: readonly { readonly reason: string; readonly count: number }[];
  };
  readonly nearest: { readonly before: string | null; readonly after: string | null };
  readonly date_field: string | null;
  readonly deployment_sources: readonly { readonly deployment_source: unknown; readonly count: number }[] | null;
}

const ofRepositories = ['deployments', 'release_details', 'workflow_runs'];
const ofDeployments = ['lead-time-for-changes', 'merge-to-deploy', 'open-to-deploy'];

/** Why each row of a table is used or not, in one loop over all of them. */
export function explained(world: World, seeing: Seeing, name: string, body: QuestionBody): ExpectedExplanation {
  const question = questionOf(world, name, { ...body, group_by: [] });
  const view = viewOf(world, seeing);
  const [asked] = question.asked;
  if (!asked) throw new Error('nothing is asked');
  const { metric, dateColumn } = asked;
  const { table } = metric;
  const evaluation = { view, question: { ...question, groupBy: [] }, window: question.window, level: undefined };
  const window = windowSeen(evaluation, asked);
  const type = dateColumn === undefined ? 'timestamp' : (table.columns[dateColumn]?.type ?? 'timestamp');
  const filters = rowsWanted(question, metric);
  const isFiltered = Object.keys(question.people).length > 0;

  const leftOut = new Map<string, number>();
  const sources = new Map<unknown, number>();
  const days: string[] = [];
  let used = 0;
  const leave = (reason: string) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  const isUsed = (row: Row): boolean => {
    if (metric.kind === 'share') return holds(metric.people, row);
    if (metric.kind !== 'aggregated') return hasValue(metric.value, row);
    const leading = metric.values.at(-1)?.value;
    return leading !== undefined && rowValue(leading, row) !== null;
  };
  const isInWindow = (row: Row): boolean =>
    dateColumn === undefined || !window || dayWithin(window, row[dateColumn], type) !== undefined;

  /** Why a row is not of the window's time, if it is not. */
  const otherTime = (row: Row): string | undefined => {
    if (dateColumn !== undefined && (row[dateColumn] ?? null) === null)
      return reasonOf(table, [dateColumn], row) ?? 'no date';
    return isInWindow(row) ? undefined : 'outside the window';
  };

  for (const row of rowsSeen(view, table)) {
    if (!isWanted(world, personSeen(view, row), question.people)) continue;
    if (!filters.every((filter) => isFound(view, row, filter))) continue;
    const elsewhere = otherTime(row);
    if (elsewhere !== undefined) {
      leave(elsewhere);
      const date = dateColumn === undefined ? null : (row[dateColumn] ?? null);
      if (date !== null && isUsed(row)) days.push(type === 'date' ? String(date) : dayAt(world.timeZone, Number(date)));
    } else if (!isUsed(row)) leave(reasonOf(table, columnsOf(decidingPart(metric)), row) ?? 'no value');
    else {
      used += 1;
      sources.set(row.deployment_source, (sources.get(row.deployment_source) ?? 0) + 1);
    }
  }

  const everyRow: readonly Row[] =
    table.name === 'user_metrics' ? world.people : world.facts[table.name as keyof World['facts']];
  for (const row of everyRow) {
    const person = personOf(world, row.merged_user_id);
    if (!person || !isVisible(view, row) || !isWanted(world, person, question.people)) continue;
    if (!filters.every((filter) => isFound(view, row, filter))) continue;
    if (ofRepositories.includes(table.name) && !isFiltered) continue;
    const isBot = row.is_bot === true && table.name !== 'user_metrics';
    if (person.onboarded !== true && !isBot) leave(otherTime(row) ?? 'not onboarded');
    const arePeopleAsked = isFiltered || seeing !== 'organisation';
    if (person.onboarded === true && isBot && person.onboarded_by_name !== true && arePeopleAsked)
      leave(otherTime(row) ?? 'bot');
  }

  const { firstDay = '', lastDay = '' } = window ?? {};
  const isOfDeployments = table.name === 'deployments' || ofDeployments.some((one) => name.startsWith(one));
  return {
    values: metric.kind === 'share' ? ofPeople() : { used, left_out: inOrder(leftOut) },
    nearest: {
      before:
        days
          .filter((day) => day <= firstDay)
          .toSorted()
          .at(-1) ?? null,
      after: days.filter((day) => day >= lastDay).toSorted()[0] ?? null,
    },
    date_field: dateColumn ?? null,
    deployment_sources: isOfDeployments
      ? [...sources].map(([deployment_source, count]) => ({ deployment_source: deployment_source ?? null, count }))
      : null,
  };

  function ofPeople(): ExpectedExplanation['values'] {
    if (metric.kind !== 'share') throw new Error('not a share');
    const nobody = { bucket: undefined, place: [], rows: [] };
    const people = populationOf({ ...evaluation, window }, metric, nobody).length;
    const everyone = populationOf({ ...evaluation, window }, { ...metric, population: 'onboarded' }, nobody).length;
    const strangers = world.people.filter(
      (person) => person.onboarded !== true && isVisible(view, person) && isWanted(world, person, question.people),
    );
    const others = new Map([
      ['no activity in the window', everyone - people],
      ['not onboarded', strangers.length],
    ]);
    return { used: people, left_out: inOrder(others) };
  }
}

const inOrder = (counted: ReadonlyMap<string, number>) =>
  [...counted]
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));

function reasonOf(table: Table, columns: readonly string[], row: Row): string | undefined {
  return leftOutReasons(table).find(({ of, where }) => of.some((name) => columns.includes(name)) && holds(where, row))
    ?.reason;
}

/** The part of a metric that decides whether a row has the value: of a rate what it divides by. */
function decidingPart(metric: Metric): unknown {
  if (metric.kind === 'aggregated') return metric.values.at(-1)?.value;
  if (metric.kind === 'share') return metric.people;
  return metric.value.op === 'ratio' ? metric.value.whole : metric.value;
}

/** Names of columns, wherever they stand in an expression. */
function columnsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { op, name } = node as { readonly op?: unknown; readonly name?: unknown };
  return op === 'column' ? [String(name)] : Object.values(node).flatMap((inner) => columnsOf(inner as RowNode));
}
