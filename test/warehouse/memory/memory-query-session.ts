import { lastActivity, reportedAnswers, surveys } from '../../../src/catalogue/derivation-state.ts';
import {
  peopleCopy,
  personEmailsCopy,
  squadMembersCopy,
  squadsCopy,
  teamMembersCopy,
  teamsCopy,
} from '../../../src/catalogue/directory-copies.ts';
import type { Row, Table } from '../../../src/catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../../src/catalogue/tables/all-tables.ts';
import type {
  AnswerRow,
  Lookup,
  MeasuredRows,
  MinimumValue,
  Plan,
  Query,
  QuerySession,
} from '../../../src/query/plan.ts';
import { type Cell, compareCells } from '../../reference/order.ts';
import { isFound } from '../../reference/row-filters.ts';
import { isInDirectory, rowsOf } from '../../reference/unmatched.ts';
import type { World } from '../../reference/world.ts';
import { type MemoryState, rowsIn } from './memory-session.ts';
import { groupsOfPlan, type PlanGroup, rowsOfPlan, viewOfScope } from './plan-groups.ts';

/** Answers questions from one state, by the reference evaluator. */
export class MemoryQuerySession implements QuerySession {
  readonly #state: MemoryState;

  constructor(state: MemoryState) {
    this.#state = state;
  }

  async rows(query: Query): Promise<AnswerRow[]> {
    return answerOf(this.#state, query);
  }

  async rowsWithin(query: Query, maxBytes: number): Promise<MeasuredRows> {
    const rows = answerOf(this.#state, query);
    const bytes = Buffer.byteLength(JSON.stringify(rows));
    return { rows: bytes > maxBytes ? undefined : rows, bytes, count: rows.length };
  }

  async count(query: Query): Promise<number> {
    return answerOf(this.#state, { ...query, limit: undefined }).length;
  }

  async rowsRead(plan: Plan): Promise<number> {
    return rowsOfPlan(worldOf(this.#state), plan).rows.length;
  }

  async suppressed(plan: Plan): Promise<number> {
    return rowsOfPlan(worldOf(this.#state), plan).suppressed;
  }

  async found(lookup: Lookup): Promise<(string | number)[]> {
    const world = worldOf(this.#state);
    return lookup.values.filter((value) => {
      if (!('places' in lookup)) return isInDirectory(viewOfScope(world, lookup.from), lookup.people, value);
      return lookup.places.some(({ from, predicate }) => {
        const view = viewOfScope(world, from);
        return rowsOf(view, from.table).some((row) => isFound(view, row, { predicate, values: [value] }));
      });
    });
  }
}

/** All rows of an answer, in order. */
export function answerOf(state: MemoryState, { plans, values, order, limit, isCounted }: Query): AnswerRow[] {
  const world = worldOf(state);
  const [first] = plans;
  const keys = [...(first?.bucket ? [first.bucket.as] : []), ...(first?.groupBy ?? []).map(({ name }) => name)];
  const rows = new Map<string, Map<string, Cell>>();
  for (const plan of plans) {
    for (const { bucket, place, values: measured } of largeEnough(plan, groupsOfPlan(world, plan))) {
      const cells = plan.bucket ? [bucket, ...place] : place;
      const row = rows.get(JSON.stringify(cells)) ?? new Map(keys.map((key, i) => [key, cells[i] ?? null]));
      for (const [as, value] of measured) row.set(as, value);
      rows.set(JSON.stringify(cells), row);
    }
  }
  const sorted = [...rows.values()].toSorted((a, b) => {
    for (const { column, direction } of order) {
      const difference = compareCells(a.get(column) ?? null, b.get(column) ?? null, direction === 'desc');
      if (difference !== 0) return difference;
    }
    return 0;
  });
  const total = isCounted ? [sorted.length] : [];
  return sorted.slice(0, limit).map((row) => [...[...keys, ...values].map((name) => row.get(name) ?? null), ...total]);
}

/** Values below their minimum fall to nothing, and a row without any other goes. */
function largeEnough({ minimumValues, measures }: Plan, groups: readonly PlanGroup[]): PlanGroup[] {
  const ruled = new Set(minimumValues.flatMap(({ columns }) => columns));
  const isRuled = measures.length > 0 && measures.every(({ as }) => ruled.has(as));
  return groups
    .filter(({ values }) => !isRuled || minimumValues.some((rule) => stands(rule, values)))
    .map((group) => {
      const values = new Map(group.values);
      for (const rule of minimumValues) {
        if (!stands(rule, group.values)) for (const column of rule.columns) values.set(column, rule.ofNothing);
      }
      return { ...group, values };
    });
}

function stands({ leading, minimum }: MinimumValue, values: ReadonlyMap<string, Cell>): boolean {
  const value = values.get(leading) ?? null;
  return value === null ? minimum <= 0 : Number(value) >= minimum;
}

/** What the tables hold, as the reference evaluator takes it. What day it is, and where, a plan knows already. */
function worldOf(state: MemoryState): World {
  const rows = <R>(table: Table) => rowsIn(state, table) as unknown as readonly R[];
  return {
    timeZone: 'UTC',
    now: new Date(0),
    people: rows(peopleCopy),
    personEmails: rows(personEmailsCopy),
    teams: rows(teamsCopy),
    teamMembers: rows(teamMembersCopy),
    squads: rows(squadsCopy),
    squadMembers: rows(squadMembersCopy),
    lastActivity: rows(lastActivity),
    surveys: rows(surveys),
    reportedAnswers: rows(reportedAnswers),
    facts: Object.fromEntries(factTableNames.map((name) => [name, rows<Row>(factTables[name])])) as Record<
      FactTable,
      readonly Row[]
    >,
  };
}
