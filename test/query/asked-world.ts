import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import type { Principal } from '../../src/access/principal.ts';
import { lastActivity, reportedAnswers, surveys } from '../../src/catalogue/derivation-state.ts';
import {
  organisationCopy,
  peopleCopy,
  personEmailsCopy,
  reportsOfCopy,
  squadMembersCopy,
  squadsBelowCopy,
  squadsCopy,
  teamMembersCopy,
  teamsCopy,
} from '../../src/catalogue/directory-copies.ts';
import { type Row, storedColumns, type Table } from '../../src/catalogue/table.ts';
import { factTableNames, factTables } from '../../src/catalogue/tables/all-tables.ts';
import { rowsText, textPieces } from '../../src/formats/text.ts';
import type { Metrics } from '../../src/query/answer-metric.ts';
import type { AnswerOptions, MetricAnswer, StreamedAnswer } from '../../src/query/collect-answer.ts';
import type { QuestionPort } from '../../src/query/question-port.ts';
import { Refusal } from '../../src/refusal.ts';
import { keyOf } from '../../src/text-comparison.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import { reportsOf, withSquadsBelow } from '../reference/directory.ts';
import type { KnownHistory } from '../reference/judged-results.ts';
import type { QuestionBody } from '../reference/question.ts';
import type { Seeing, World } from '../reference/world.ts';
import { metricsOver } from '../setup/metrics-over.ts';
import { fewRows, type SomeWarehouse, someWarehouse } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

/** What the service says: the bytes of its answer, and how many rows there would be where some were left out. */
export interface ServiceAnswer {
  readonly text: string;
  readonly total: number | undefined;
  /** Values of filters that match nothing. */
  readonly unmatched: Readonly<Record<string, readonly unknown[]>> | undefined;
  /** How many answers to surveys are left out, where they are anonymous. */
  readonly suppressed: number | undefined;
}

/** A world in a warehouse of its own, with the service in front of it. */
export interface AskedWorld {
  readonly organisationId: string;
  ask(seeing: Seeing, metric: string, body: QuestionBody, options?: AnswerOptions): Promise<ServiceAnswer>;
}

/** A copy of the directory also has its names as they are matched. */
function keyed(table: Table, row: Row): Row {
  const keys = [...storedColumns(table).keys()].filter((column) => column.endsWith('_key'));
  const keyed = keys.map((column) => {
    const name = row[column.slice(0, -'_key'.length)];
    return [column, typeof name === 'string' ? keyOf(name) : null];
  });
  return { ...row, ...Object.fromEntries(keyed) };
}

/** Rows are written as they are: nothing is derived, nobody is looked up. Others than the warehouse may ask them. */
export async function putWorld(
  warehouse: Warehouse,
  world: World,
  organisationId: string = randomUUID(),
  tables: QuestionPort = warehouse,
): Promise<AskedWorld> {
  await warehouse.change(organisationId, async (session) => {
    const put = (table: Table, rows: readonly Row[]) => putRows(session, table, rows as never);
    await put(organisationCopy, [
      { organisation_id: organisationId, time_zone: world.timeZone, incident_window_days: 7, runner_prices: null },
    ]);
    await put(
      peopleCopy,
      world.people.map((row) => keyed(peopleCopy, row)),
    );
    const pairs = (
      ids: readonly (string | null)[],
      reached: (id: string) => Iterable<string>,
      columns: [string, string],
    ) => ids.flatMap((id) => [...reached(id ?? '')].map((other) => ({ [columns[0]]: id, [columns[1]]: other })));
    const people = world.people.map(({ merged_user_id }) => merged_user_id);
    await put(
      reportsOfCopy,
      pairs(people, (id) => reportsOf(world, [id]), ['manager_id', 'merged_user_id']),
    );
    const squads = world.squads.map(({ squad_id }) => squad_id);
    await put(
      squadsBelowCopy,
      pairs(squads, (id) => withSquadsBelow(world, [id]), ['squad_id', 'below_squad_id']),
    );
    await put(
      personEmailsCopy,
      world.personEmails.map((row) => keyed(personEmailsCopy, row)),
    );
    await put(
      teamsCopy,
      world.teams.map((row) => keyed(teamsCopy, row)),
    );
    await put(teamMembersCopy, world.teamMembers);
    await put(
      squadsCopy,
      world.squads.map((row) => keyed(squadsCopy, row)),
    );
    await put(squadMembersCopy, world.squadMembers);
    await put(lastActivity, world.lastActivity);
    await put(surveys, world.surveys ?? []);
    await put(reportedAnswers, world.reportedAnswers ?? []);
    for (const name of factTableNames) await put(factTables[name], world.facts[name]);
  });
  const now = () => world.now;
  const metrics = metricsOver(tables, now);
  const extent = { ...knownHistory(world), missing: [] };
  const judging = metricsOver(tables, now, { of: async () => extent, known: () => extent });
  return {
    organisationId,
    ask: (seeing, metric, body, options) => {
      const principal = principalOf(organisationId, seeing, world.timeZone);
      const asking = { ...principal, minRespondents: world.minRespondents };
      return untilTaken(() => said(options?.showsVerdict ? judging : metrics, asking, metric, body, options));
    },
  };
}

/** Where changes are judged: from a month on in which there were no rows yet, up to a moment after which more may come. */
export const knownHistory = ({ now }: World): KnownHistory => ({
  since: Date.parse('2023-09-20T00:00:00Z') / 1_000,
  through: now.getTime() / 1_000 - 3_600,
});

/** Tests ask several questions at once: who is told that there are too many asks again, as on a busy machine they are. */
async function untilTaken<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal && error.reason === 'unavailable')) throw error;
      await pause(50);
    }
  }
}

/** Somebody with every permission, so that only what they see is between them and an answer. */
export function principalOf(organisationId: string, visibility: Seeing, timeZone: string): Principal {
  return {
    organisationId,
    keyId: 'key',
    personId: visibility === 'organisation' ? 'owner' : visibility.self,
    role: visibility === 'organisation' ? 'Owner' : 'Manager',
    permissions: ['can-view-salaries'],
    visibility,
    timeZone,
    salaryVisibility: true,
  };
}

export async function said(
  metrics: Metrics,
  principal: Principal,
  metric: string,
  body: QuestionBody,
  options: AnswerOptions = {},
): Promise<ServiceAnswer> {
  const isMultiple = metric === 'get-multiple-metrics';
  const { answer, unmatched, suppressed } = isMultiple
    ? await metrics.multiple(principal, body, options)
    : await metrics.single(principal, metric, body, options);
  const total = answer.form === 'stream' ? undefined : answer.total;
  return { text: await textOf(answer), total, unmatched, suppressed };
}

async function textOf(answer: MetricAnswer | StreamedAnswer): Promise<string> {
  if (answer.form === 'document') return JSON.stringify(answer.document);
  if (answer.form === 'rows') return rowsText('json', answer.columns, answer.rows);
  let text = '';
  for await (const piece of textPieces('json', answer.columns, answer.batches)) text += piece;
  return text;
}

/** A world in an embedded warehouse, for all tests of a suite. */
export function askedWorld(world: World): () => AskedWorld {
  let some: SomeWarehouse;
  let asked: AskedWorld | undefined;
  beforeAll(async () => {
    some = await someWarehouse(fewRows);
    asked = await putWorld(some.warehouse, world);
  });
  afterAll(() => some.close());
  return () => {
    if (!asked) throw new Error('the world can be asked only while tests run');
    return asked;
  };
}
