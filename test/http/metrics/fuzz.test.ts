import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metrics as allMetrics } from '../../../src/catalogue/metrics/all-metrics.ts';
import { Metrics } from '../../../src/query/answer-metric.ts';
import type { MetricAnswer, StreamedAnswer } from '../../../src/query/collect-answer.ts';
import type { Query, QuerySession } from '../../../src/query/plan.ts';
import type { QuestionPort } from '../../../src/query/question-port.ts';
import { Refusal } from '../../../src/refusal.ts';
import { sqlContextOf, statementFor } from '../../../src/warehouse/duckdb/query-session.ts';
import { renderLookup } from '../../../src/warehouse/sql/lookup-sql.ts';
import {
  hasTexts,
  objectOf,
  renderAnswer,
  renderAnswerWithin,
  renderCount,
  renderRows,
  renderRowsRead,
  renderShortGroups,
  renderSuppressed,
} from '../../../src/warehouse/sql/query-sql.ts';
import type { Sql } from '../../../src/warehouse/sql/sql.ts';
import { principalOf, putWorld } from '../../query/asked-world.ts';
import { type AskedRequest, multipleRequests, singleRequests } from '../../query/random-request.ts';
import { randomWorlds, rowsIn } from '../../query/random-world.ts';
import { times } from '../../setup/how-long.ts';
import { alwaysPublished } from '../../setup/metrics-over.ts';
import { seed } from '../../setup/seed.ts';
import { fewRows, type SomeWarehouse, someWarehouse } from '../../warehouse/some-warehouse.ts';
import { mark, pick, randomFrom, spoiled } from './hostile-bodies.ts';

const bodies = times(300, 400_000);
const random = randomFrom(seed);

/** What nobody may read who did not ask for it: it stands in every row. */
const secret = 'wvsecretvw';

let some: SomeWarehouse;
let parser: DuckDBConnection;
let organisationId: string;
let metrics: Metrics;
const statements = new Map<string, string | undefined>();
let run = 0;

beforeAll(async () => {
  some = await someWarehouse(fewRows);
  parser = await (await DuckDBInstance.create()).connect();
  const [world] = fc.sample(randomWorlds, { seed, numRuns: 1 });
  if (!world) throw new Error('there is no world');
  const [pullRequests = []] = fc.sample(rowsIn('pull_requests', 60), { seed, numRuns: 1 });
  const titled = pullRequests.map((row) => ({ ...row, pr_title: secret, person_name: secret, repository: secret }));
  const facts = { ...world.facts, pull_requests: titled as never };
  const people = world.people.map((person) => ({ ...person, location: secret, main_email: `${secret}@example.org` }));
  ({ organisationId } = await putWorld(some.warehouse, { ...world, facts, people }));
  metrics = new Metrics({
    tables: watched(some.warehouse),
    directory: alwaysPublished,
    benchmarks: { organisations: async () => [organisationId, 'another'] },
    now: () => world.now,
  });
});
afterAll(() => some.close());

/** The same tables, with an eye on everything that is put to them. */
function watched(tables: QuestionPort): QuestionPort {
  const context = sqlContextOf('o');
  const watch = (piece: Sql) => {
    run += 1;
    const { sql, values } = statementFor(piece);
    if (!statements.has(sql)) statements.set(sql, undefined);
    const places = new Set([...sql.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
    if (places.size !== values.length) statements.set(sql, `${values.length} values for ${places.size} places`);
  };
  const eyed = (session: QuerySession): QuerySession => ({
    rows: (query) => {
      watch(renderAnswer(context, query));
      return session.rows(query);
    },
    rowsWithin: (query, maxBytes) => {
      watch(hasTexts(query) ? renderAnswerWithin(context, query, maxBytes) : renderAnswer(context, query));
      const short = renderShortGroups(context, query, 600);
      if (short) watch(short);
      return session.rowsWithin(query, maxBytes);
    },
    count: (query) => {
      watch(renderCount(context, query));
      return session.count(query);
    },
    suppressed: (plan) => {
      watch(renderSuppressed(context, plan));
      return session.suppressed(plan);
    },
    rowsRead: (plan) => {
      watch(renderRowsRead(context, plan));
      return session.rowsRead(plan);
    },
    found: (lookup) => {
      watch(renderLookup(context, lookup));
      return session.found(lookup);
    },
  });
  return {
    ask: (id, work, options) => tables.ask(id, (session) => work(eyed(session)), options),
    answers: (id, query: Query, options) => {
      watch(renderAnswer(context, query));
      return tables.answers(id, query, options);
    },
    lines: (id, query: Query, columns, options) => {
      const object = objectOf(context, query, columns);
      if (object) watch(renderRows(context, query, object));
      return tables.lines(id, query, columns, options);
    },
    explainSql: (id, query) => tables.explainSql(id, query),
    versionOf: (id) => tables.versionOf(id),
    changedAt: (id) => tables.changedAt(id),
  };
}

/** What an answer takes to be sent, without keeping it. */
async function taken({ form, ...answer }: MetricAnswer | StreamedAnswer): Promise<void> {
  if (form === 'stream' && 'batches' in answer) for await (const _ of answer.lines ?? answer.batches);
}

async function ask({ seeing, metric }: AskedRequest, body: unknown): Promise<void> {
  const owner = principalOf(organisationId, seeing, 'UTC');
  const principal =
    random() < 0.7 ? owner : { ...owner, role: 'Engineer' as const, permissions: [], salaryVisibility: false };
  const way = random();
  if (metric === 'get-multiple-metrics') return taken((await metrics.multiple(principal, body)).answer);
  if (way < 0.05) return taken((await metrics.explain(principal, metric, body)).answer);
  if (way < 0.1) return taken((await metrics.benchmark(principal, body)).answer);
  return taken((await metrics.single(principal, metric, body)).answer);
}

/** The trouble with a request that failed, if it is not one that its sender can put right. */
function troubleWith(error: unknown, body: unknown): string | undefined {
  if (!(error instanceof Refusal)) return `fault: ${error instanceof Error ? error.stack : error}`;
  if (!['bad-input', 'not-found', 'forbidden'].includes(error.reason)) return `${error.reason}: ${error.message}`;
  if (error.message.length > 8_000) return `a detail of ${error.message.length} characters`;
  if (error.message.includes(secret) && !JSON.stringify(body).includes(secret)) return `revealed: ${error.message}`;
  return undefined;
}

test(`None of ${bodies} odd bodies is a fault, and none changes what a statement is (seed ${seed})`, async () => {
  const good = fc.sample(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...allMetrics.values()).chain(singleRequests) },
      { weight: 1, arbitrary: multipleRequests },
    ),
    { seed, numRuns: Math.ceil(bodies / 25) },
  );
  const troubles: string[] = [];
  let [left, refused, answered] = [bodies, 0, 0];
  const askNext = async (): Promise<void> => {
    while (left > 0 && troubles.length < 5) {
      left -= 1;
      const request = pick(random, good);
      const body = spoiled(random, request.body as never);
      try {
        await ask(request, body);
        answered += 1;
      } catch (error) {
        refused += 1;
        const trouble = troubleWith(error, body);
        if (trouble !== undefined) troubles.push(`${request.metric} ${JSON.stringify(body).slice(0, 600)}: ${trouble}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 4 }, askNext));
  expect(troubles).toEqual([]);
  // Both happen often, or nothing was tried.
  expect(refused).toBeGreaterThan(bodies / 4);
  expect(answered).toBeGreaterThan(bodies / 10);
  expect(run).toBeGreaterThan(bodies / 20);
  const wrong: string[] = [];
  for (const [sql, trouble] of statements) {
    const found = trouble ?? (await wrongWith(sql));
    if (found !== undefined) wrong.push(`${found}: ${sql.slice(0, 500)}`);
  }
  expect(wrong.slice(0, 3)).toEqual([]);
});

/** A statement is one question, and nothing that somebody sent is part of it. */
async function wrongWith(sql: string): Promise<string | undefined> {
  if (!/^\s*(SELECT|WITH)\b/i.test(sql)) return 'no question';
  if (
    /\b(INSERT|UPDATE|DELETE|DROP|ATTACH|COPY|PRAGMA|INSTALL|LOAD|CREATE|read_\w+)\b/.test(sql.replace(/'[^']*'/g, ''))
  ) {
    return 'more than a question';
  }
  if (sql.includes(mark)) return 'somebody’s words';
  const { count } = await parser.extractStatements(sql);
  return count === 1 ? undefined : `${count} statements`;
}
