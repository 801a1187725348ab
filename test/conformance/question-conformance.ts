import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { serviceTicket } from '../../src/admission/ticket.ts';
import { filters } from '../../src/catalogue/filters.ts';
import type { Metric } from '../../src/catalogue/metric.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import { singleFields } from '../../src/catalogue/request-fields.ts';
import { aggregations } from '../../src/expression/expression.ts';
import type { AnswerOptions } from '../../src/query/collect-answer.ts';
import type { QuestionPort } from '../../src/query/question-port.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import { differenceOf } from '../query/agreement.ts';
import { type AskedWorld, knownHistory, putWorld } from '../query/asked-world.ts';
import { withDividedSurveys } from '../query/divided-surveys.ts';
import {
  type AskedRequest,
  filterNames,
  judgedRequests,
  multipleRequests,
  requestsOfSeveral,
  singleRequests,
} from '../query/random-request.ts';
import { firstDay, lastDay } from '../query/random-values.ts';
import { allMetrics, seed, seededWorld, someMetric } from '../query/seeded-worlds.ts';
import { evaluate } from '../reference/evaluate.ts';
import type { QuestionBody } from '../reference/question.ts';
import { isLong, times } from '../setup/how-long.ts';
import { shortIdRequests, shortIdWorld } from './short-ids.ts';

export interface OpenedWarehouse {
  readonly warehouse: Warehouse;
  /** Who answers questions where statements are so slow that several are sent at once. */
  readonly batched?: QuestionPort;
  /** Whether reading a statement takes so long that outside the long run questions are few, and most of them plain. */
  readonly asksFew?: boolean;
  close(): Promise<void>;
}

const world = withDividedSurveys(seededWorld(0).world, 3);

interface ExpectedAnswer {
  readonly request: AskedRequest;
  readonly answer: ReturnType<typeof evaluate>;
}
const expectedOf = (request: AskedRequest): ExpectedAnswer => ({
  request,
  answer: evaluate(world, request.seeing, request.metric, request.body),
});

/** Of several requests the one with the longest answer: an empty answer shows little of an engine. */
function tellingRequest(requests: fc.Arbitrary<AskedRequest>, number: number): ExpectedAnswer {
  const drawn = fc.sample(requests, { seed: seed + number, numRuns: times(3, 6) }).map(expectedOf);
  const lengthOf = ({ answer }: ExpectedAnswer) => JSON.stringify(answer.answer).length;
  return drawn.reduce((longest, one) => (lengthOf(one) > lengthOf(longest) ? one : longest));
}

/** More metrics in one question are no cheaper, and leave fewer forms in which a table is asked. */
const maxMetrics = 9;

/**
 * Every metric, those of a table in one question: an engine takes most of its time for who is seen and for reading a
 * statement, so that one metric is as expensive as nine.
 */
function requestsOfEveryMetric(): ExpectedAnswer[] {
  const tables = [...new Set(allMetrics.map(({ table }) => table))];
  const groups = tables.flatMap((table) => {
    const own = allMetrics.filter((metric) => metric.table === table);
    return Array.from({ length: Math.ceil(own.length / maxMetrics) }, (_, i) =>
      own.slice(i * maxMetrics, (i + 1) * maxMetrics),
    );
  });
  return groups.map((group, i) => tellingRequest(requestsOfSeveral(group), i));
}

/** The same metrics as plainly as can be, of all that there is, in every aggregation. */
function plainRequests(): ExpectedAnswer[] {
  return ofEveryMetric().flatMap(({ request: { metric, body } }, i) => {
    if (body.metrics === undefined) return [];
    const own = allMetrics.filter(({ name }) => body.metrics?.includes(name));
    const hasDates = own.every(({ dates }) => dates.length > 0);
    const aggregationOf = (at: number) => aggregations[(i + at) % aggregations.length];
    const chosen = own.flatMap(({ name, kind }, at) => (kind === 'aggregated' ? [[name, aggregationOf(at)]] : []));
    const plain: QuestionBody = {
      metrics: body.metrics,
      filters: { start_date: firstDay, end_date: lastDay },
      ...(hasDates ? { date_level: 'quarter' } : {}),
      aggregations: Object.fromEntries(chosen),
    };
    return [expectedOf({ seeing: 'organisation', metric, body: plain })];
  });
}

/** A metric of each kind, in a question of its own. */
function requestsOfEveryKind(): ExpectedAnswer[] {
  const kinds = [...new Set(allMetrics.map(({ kind }) => kind))];
  const first = kinds.map((kind) => allMetrics.filter((metric) => metric.kind === kind).slice(0, 1));
  return first.flat().map((metric, i) => tellingRequest(singleRequests(metric), i));
}

/**
 * So few requests that each filter and each field is in one of them or of those that are asked besides: always the one that
 * brings most of what is missing.
 */
function requestsOfEveryName(besides: readonly ExpectedAnswer[]): ExpectedAnswer[] {
  const drawn = fc.sample(
    someMetric.chain((metric) => singleRequests(metric)),
    { seed, numRuns: times(1_000, 12_000) },
  );
  const missing = new Set([...Object.keys(filters), ...Object.keys(singleFields)]);
  for (const { request } of besides) for (const name of namesIn(request.body)) missing.delete(name);
  // Some filters are of so few metrics that chance alone may leave them out.
  const isDrawn = new Set(drawn.flatMap(({ body }) => namesIn(body)));
  for (const name of [...missing].filter((one) => !isDrawn.has(one))) {
    const having = allMetrics.filter((metric) => filterNames(metric).some((one) => one === name));
    if (having.length === 0) continue;
    const ofThese = fc.constantFrom(...having).chain((metric) => singleRequests(metric));
    drawn.push(...fc.sample(ofThese, { seed, numRuns: 100 }));
  }
  const chosen: ExpectedAnswer[] = [];
  while (missing.size > 0) {
    const found = drawn.map(({ body }) => namesIn(body).filter((name) => missing.has(name)).length);
    const most = Math.max(...found);
    const request = drawn[found.indexOf(most)];
    if (most === 0 || request === undefined) throw new Error(`no request has ${[...missing].join(', ')}`);
    for (const name of namesIn(request.body)) missing.delete(name);
    chosen.push(expectedOf(request));
  }
  return chosen;
}

/** Drawn and evaluated once, for all engines. */
function once<T>(draw: () => T): () => T {
  let drawn: { readonly value: T } | undefined;
  return () => {
    drawn ??= { value: draw() };
    return drawn.value;
  };
}
const ofEveryMetric = once(() => [...requestsOfEveryMetric(), ...requestsOfEveryKind()]);
const ofSeveralTables = once(() => fc.sample(multipleRequests, { seed, numRuns: 6 }).map(expectedOf));
const ofEveryMetricPlainly = once(plainRequests);
const ofEveryVerdict = once(judgedOfEveryKind);
const ofEveryName = once(() => requestsOfEveryName(isLong ? [] : [...ofEveryMetric(), ...ofSeveralTables()]));
/** Where only plain questions are asked besides. */
const ofEveryNameAlone = once(() => requestsOfEveryName(ofSomeTables()));
const ofSomeTables = () => ofSeveralTables().slice(0, 2);

/** So few questions about changes that each verdict is in one of them, of a count, of a rate and of a percentile. */
function judgedOfEveryKind(): ExpectedAnswer[] {
  const chosen: ExpectedAnswer[] = [];
  const seen = new Set<string>();
  for (const request of fc.sample(judgedRequests, { seed, numRuns: times(120, 600) })) {
    const answer = evaluate(world, request.seeing, request.metric, request.body, { history: knownHistory(world) });
    const { results } = answer.answer as { readonly results: readonly { readonly verdict: string | null }[] };
    const { kind } = metrics.get(request.metric) as Metric;
    const said = results.map(({ verdict }) => JSON.stringify([verdict, kind]));
    if (said.every((one) => seen.has(one))) continue;
    for (const one of said) seen.add(one);
    chosen.push({ request, answer });
  }
  return chosen;
}

/** The filters and the fields of a request. */
const namesIn = (body: AskedRequest['body']): string[] => [...Object.keys(body), ...Object.keys(body.filters ?? {})];

/** Every engine gives the answers that loops over the same rows give. */
export function questionConformance(opened: () => OpenedWarehouse): void {
  describe('a question', () => {
    let asked: AskedWorld;
    beforeAll(async () => {
      asked = await putWorld(opened().warehouse, world, undefined, opened().batched);
    });

    async function agree({ request, answer: expected }: ExpectedAnswer, options: AnswerOptions = {}): Promise<void> {
      const said = await asked.ask(request.seeing, request.metric, request.body, options);
      expect(differenceOf(said.text, expected.answer)).toBeUndefined();
      expect(said.total).toBe(expected.total);
      expect(said.suppressed).toBe(expected.suppressed);
      expect(differenceOf(JSON.stringify(said.unmatched ?? {}), expected.unmatched ?? {})).toBeUndefined();
    }
    async function agreeAll(requests: readonly ExpectedAnswer[], options?: AnswerOptions): Promise<void> {
      if (opened().batched) await Promise.all(requests.map((request) => agree(request, options)));
      else for (const request of requests) await agree(request, options);
    }
    const agrees = (requests: fc.Arbitrary<AskedRequest>, numRuns: number) =>
      fc.assert(
        fc.asyncProperty(requests, (request) => agree(expectedOf(request))),
        { seed, numRuns },
      );

    const asksFew = () => !isLong && opened().asksFew === true;

    test('A question about any metric has the answer that loops over rows give', async () => {
      await agreeAll(asksFew() ? ofEveryMetricPlainly() : ofEveryMetric());
      if (isLong) for (const metric of allMetrics) await agrees(singleRequests(metric), 40);
    });

    test('A question about metrics of several tables at once has it, too', async () => {
      if (isLong) await agrees(multipleRequests, 600);
      else await agreeAll(asksFew() ? ofSomeTables() : ofSeveralTables());
    });

    test('A question with any filter and of any form has it, too', () =>
      agreeAll(asksFew() ? ofEveryNameAlone() : ofEveryName()));

    test('A question about changes has the ranges and verdicts that follow from the rows', async () => {
      const verdicts = ofEveryVerdict().flatMap(({ answer }) =>
        JSON.stringify(answer.answer).match(/"verdict":[^,]*/g),
      );
      expect(new Set(verdicts).size).toBe(7);
      await agreeAll(ofEveryVerdict(), { showsVerdict: true });
    });

    test('A question by everything that lists the groups of a person has it, too, for whoever asks', async () => {
      const body = {
        filters: { start_date: '2023-10-21', end_date: '2024-04-18' },
        group_by: ['team_names', 'departments', 'squad_level', 'manager_name'],
      };
      const some = { self: 'fay', teamIds: [], hasReports: false, leadsSquads: false };
      const requests = (['organisation', some] as const).map((seeing) => ({
        seeing,
        metric: 'pull-requests-count',
        body,
      }));
      await agreeAll(requests.map(expectedOf));
    });

    test('A question means by a short id every row of that repository and number', async () => {
      const some = shortIdWorld(world);
      const { ask } = await putWorld(opened().warehouse, some, undefined, opened().batched);
      const agreeOn = async ({ metric, body, ids, unmatched }: (typeof shortIdRequests)[number]) => {
        const said = await ask('organisation', metric, body);
        const { answer, ...expected } = evaluate(some, 'organisation', metric, body);
        expect(differenceOf(said.text, answer)).toBeUndefined();
        const key = body.group_by?.[0] ?? '';
        const rows = JSON.parse(said.text) as readonly Readonly<Record<string, string>>[];
        expect(rows.map((row) => row[key]).sort()).toEqual(ids);
        expect([said.unmatched, expected.unmatched]).toEqual([unmatched, unmatched]);
      };
      if (opened().batched) await Promise.all(shortIdRequests.map(agreeOn));
      else for (const request of shortIdRequests) await agreeOn(request);
    });

    test('A question is not asked for somebody who is gone', async () => {
      const asking = opened().warehouse.ask(asked.organisationId, async () => 1, {
        ticket: serviceTicket(asked.organisationId, AbortSignal.abort()),
      });
      await expect(asking).rejects.toThrow();
    });
  });
}
