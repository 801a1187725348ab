import type { FastifyInstance } from 'fastify';
import { metrics as allMetrics } from '../../catalogue/metrics/metrics.ts';
import { acceptUnreadJson } from '../json-body.ts';
import type { MetricQuestions, MetricRoute } from '../metric-questions.ts';
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
import { benchmarkQuery, questionQuery } from '../question-parameters.ts';
import { benchmarkAnswer, explanation, multipleAnswer, singleAnswer } from '../reference/metric-answers.ts';
import { benchmarkBody, metricList, metricParameter, multipleBody, singleBody } from '../reference/metric-bodies.ts';
import {
  benchmarkExamples,
  explanationExamples,
  multipleExamples,
  singleExamples,
} from '../reference/metric-examples.ts';

const statuses: readonly ErrorStatus[] = [400, 401, 403, 404, 405, 413, 415, 429, 500, 503, 504];
const ownErrors: Partial<Record<ErrorStatus, string>> = {
  400: 'filters.start_date is missing: the first day, such as 2024-01-31.',
  403: 'Survey metrics need a key that was created by an Owner or a Manager.',
  404: "Metric 'cycle-tme' does not exist. Did you mean 'cycle-time'?",
};

/** Questions in the body of a POST. For a scope of its own: its bodies come unread. */
export function metricsRoutes(app: FastifyInstance, questions: MetricQuestions): void {
  acceptUnreadJson(app);

  app.post<MetricRoute>(
    '/metrics/:metric',
    {
      onRequest: questions.admitted,
      preParsing: questions.repeatedSingle,
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
    questions.single,
  );

  app.post<MetricRoute>(
    '/metrics/:metric/explain',
    {
      onRequest: questions.admitted,
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
    questions.explain,
  );

  app.post(
    '/metrics/get-multiple-metrics',
    {
      preParsing: questions.repeatedMultiple,
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
    questions.multiple,
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
    questions.benchmark,
  );
}
