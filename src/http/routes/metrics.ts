import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import { metrics as allMetrics } from '../../catalogue/metrics/metrics.ts';
import { collected } from '../../formats/collected.ts';
import { jsonPieces } from '../../formats/json-pieces.ts';
import type { Metrics } from '../../query/answer-metric.ts';
import { Refusal } from '../../refusal.ts';
import { abortOnDisconnect } from '../abort-on-disconnect.ts';
import { principalOf } from '../admission.ts';
import { jsonType } from '../errors.ts';
import { acceptUnreadJson, readBody } from '../json-body.ts';
import { MetricsAnswers, type MetricsAnswersParts } from '../metrics-answers.ts';
import {
  answered,
  answeredRows,
  type ErrorStatus,
  filterHeaders,
  keptHeaders,
  keyNeeded,
  noQuery,
  refused,
  timingHeaders,
} from '../openapi.ts';
import { benchmarkQuery, parametersIn, questionQuery } from '../question-parameters.ts';
import {
  benchmarkAnswer,
  benchmarkExamples,
  explanation,
  explanationExamples,
  multipleAnswer,
  multipleExamples,
  singleAnswer,
  singleExamples,
} from '../reference/metric-answers.ts';
import { benchmarkBody, metricList, metricParameter, multipleBody, singleBody } from '../reference/metric-bodies.ts';
import { setSuppressedHeader } from '../suppressed-header.ts';
import { setUnmatchedHeader, unmatchedHeader } from '../unmatched-header.ts';

export interface MetricsParts extends MetricsAnswersParts {
  readonly metrics: Pick<Metrics, 'admit' | 'single' | 'multiple' | 'benchmark' | 'explain'>;
}

interface MetricRoute {
  Params: { readonly metric: string };
}

const statuses: readonly ErrorStatus[] = [400, 401, 403, 404, 405, 413, 415, 429, 500, 503, 504];
const ownErrors: Partial<Record<ErrorStatus, string>> = {
  400: 'filters.start_date is missing: the first day, such as 2024-01-31.',
  403: 'Survey metrics need a key that was created by an Owner or a Manager.',
  404: "Metric 'cycle-tme' does not exist. Did you mean 'cycle-time'?",
};

/**
 * For a scope of its own: its bodies come unread. The order in which a request is looked at: the metric and who may ask
 * it, then the body.
 */
export function metricsRoutes(app: FastifyInstance, parts: MetricsParts): void {
  const { metrics, long } = parts;
  const answers = new MetricsAnswers(parts);
  acceptUnreadJson(app);

  /** Before the body is read: a caller who may not ask a metric learns nothing about its fields. */
  const admitted = (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    try {
      metrics.admit(principalOf(request), (request.params as MetricRoute['Params']).metric);
      done();
    } catch (error) {
      done(error as Error);
    }
  };

  app.post<MetricRoute>(
    '/metrics/:metric',
    {
      onRequest: admitted,
      schema: {
        operationId: 'askMetric',
        summary: 'Ask one metric',
        description: `One metric over a window of time: rows, at most 200 and 16 MiB; with \`include_previous_period\` a results object; with \`time_series_data\` a chart. Rows come as JSON, NDJSON, CSV or Parquet, as the header \`Accept\` asks. Everyone sees only the rows of the people that the key's creator may see.\n\n${metricList}`,
        tags: ['Metrics'],
        security: keyNeeded,
        response: {
          200: answeredRows('The answer, in the form that was asked for.', singleAnswer, singleExamples),
          ...refused(statuses, ownErrors),
        },
      },
      // Described, and not checked by the framework: the question is read in one place, with words of its own.
      config: {
        isTimed: true,
        swaggerTransform: ({ schema, url }) => ({
          schema: { ...schema, params: metricParameter(), body: singleBody, querystring: questionQuery },
          url,
        }),
      },
    },
    (request, reply) => {
      const { metric } = request.params;
      return answers.answer(request, reply, `${metric}${queryOf(request)}`, (principal, body, signal) =>
        metrics.single(principal, metric, body, signal, {
          ...parametersIn(request),
          timings: request.timings ?? undefined,
        }),
      );
    },
  );

  app.post<MetricRoute>(
    '/metrics/:metric/explain',
    {
      onRequest: admitted,
      schema: {
        operationId: 'explainMetric',
        summary: 'Explain one metric',
        description:
          'How the number comes about that the same body asks of the metric: its definition, what is read step by step, the statement with the values bound to it, how many rows it is computed from, how fresh they are, and the request that lists them.',
        tags: ['Metrics'],
        security: keyNeeded,
        querystring: noQuery,
        response: {
          200: answered('The explanation.', explanation, explanationExamples, { ...filterHeaders, ...timingHeaders }),
          ...refused(statuses, ownErrors),
        },
      },
      config: {
        isTimed: true,
        swaggerTransform: ({ schema, url }) => ({
          schema: { ...schema, params: metricParameter([...allMetrics.keys()]), body: singleBody },
          url,
        }),
      },
    },
    (request, reply) =>
      abortOnDisconnect(reply, async (signal) => {
        const { metric } = request.params;
        const principal = principalOf(request);
        const asked = await readBody(request);
        const { answer, unmatched, suppressed } = await metrics.explain(principal, metric, asked, signal, {
          timings: request.timings ?? undefined,
        });
        setUnmatchedHeader(reply, unmatchedHeader(unmatched));
        setSuppressedHeader(reply, suppressed);
        // It repeats what was sent, which may be a mebibyte.
        const bytes = await collected(jsonPieces(answer.document), Number.POSITIVE_INFINITY);
        request.timings?.enter('send');
        return long.sendBytes(request, reply.type(jsonType), bytes ?? Buffer.alloc(0), principal);
      }),
  );

  app.post(
    '/metrics/get-multiple-metrics',
    {
      schema: {
        operationId: 'askMultipleMetrics',
        summary: 'Ask several metrics at once',
        description:
          'Several metrics over one window, with the same filters and columns: one row for each bucket and group, with a column for each metric. There is no limit on rows, nor on their bytes: many of them come piece by piece, and have to be read at 32 KiB a second at least. One metric that may not be asked refuses the whole call.',
        tags: ['Metrics'],
        security: keyNeeded,
        response: {
          200: answeredRows('The answer, in the form that was asked for.', multipleAnswer, multipleExamples),
          ...refused(statuses, ownErrors),
        },
      },
      config: {
        isTimed: true,
        swaggerTransform: ({ schema, url }) => ({
          schema: { ...schema, body: multipleBody, querystring: questionQuery },
          url,
        }),
      },
    },
    (request, reply) =>
      answers.answer(request, reply, `get-multiple-metrics${queryOf(request)}`, async (principal, body, signal) => {
        const asked = fieldOf(body, 'metrics');
        admitAll(metrics, principal, Array.isArray(asked) ? asked : []);
        return metrics.multiple(principal, body, signal, {
          ...parametersIn(request),
          timings: request.timings ?? undefined,
        });
      }),
  );

  app.post(
    '/metrics/benchmark',
    {
      schema: {
        operationId: 'benchmarkMetric',
        summary: 'Compare a metric with other organisations',
        description:
          'The value of one metric beside the distribution of the other organisations on the platform that take part: each over all of its records in the window, with at least 30 of them. Nothing is reported of fewer than five others.',
        tags: ['Metrics'],
        security: keyNeeded,
        response: {
          200: answered('The comparison.', benchmarkAnswer, benchmarkExamples, {
            ...keptHeaders,
            ...filterHeaders,
            ...timingHeaders,
          }),
          ...refused(statuses, { ...ownErrors, 400: 'salary cannot be benchmarked.' }),
        },
      },
      config: {
        isTimed: true,
        swaggerTransform: ({ schema, url }) => ({
          schema: { ...schema, body: benchmarkBody, querystring: benchmarkQuery },
          url,
        }),
      },
    },
    (request, reply) =>
      answers.compare(request, reply, async (principal, body, signal) => {
        admitAll(metrics, principal, [fieldOf(body, 'benchmark_metric')]);
        const { showsN } = parametersIn(request, ['n']);
        return metrics.benchmark(principal, body, signal, { showsN, timings: request.timings ?? undefined });
      }),
  );
}

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>)[name] : undefined;

/** Checks metrics that the body names: first whether they exist, then whether the caller may ask them. */
function admitAll(metrics: MetricsParts['metrics'], principal: Principal, names: readonly unknown[]): void {
  let forbidden: Refusal | undefined;
  for (const name of new Set(names)) {
    if (typeof name !== 'string') continue;
    try {
      metrics.admit(principal, name);
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason !== 'forbidden') throw error;
      forbidden ??= error;
    }
  }
  if (forbidden) throw forbidden;
}

/** The query string is part of the request: the cache must not mix it up with a request without one. */
const queryOf = ({ raw }: FastifyRequest): string => /\?.*/s.exec(raw.url ?? '')?.[0] ?? '';
