import type { FastifyInstance } from 'fastify';
import { metrics as allMetrics } from '../../catalogue/metrics/metrics.ts';
import type { MetricQuestions, MetricRoute } from '../metric-questions.ts';
import {
  answered,
  answeredRows,
  type ErrorStatus,
  filterHeaders,
  keptHeaders,
  keyNeeded,
  refused,
  timingHeaders,
  unchanged,
  validatorHeaders,
} from '../openapi.ts';
import { benchmarkAddress, multipleAddress, singleAddress } from '../reference/metric-addresses.ts';
import { benchmarkAnswer, explanation, multipleAnswer, singleAnswer } from '../reference/metric-answers.ts';
import { metricParameter } from '../reference/metric-bodies.ts';
import {
  benchmarkExamples,
  explanationExamples,
  multipleExamples,
  singleExamples,
} from '../reference/metric-examples.ts';

const statuses: readonly ErrorStatus[] = [400, 401, 403, 404, 405, 414, 429, 500, 503, 504];
const ownErrors: Partial<Record<ErrorStatus, string>> = {
  400: "'repostories' is not a query parameter. Did you mean 'repositories'?",
  403: 'Survey metrics need a key that was created by an Owner or a Manager.',
  404: "Metric 'cycle-tme' does not exist. Did you mean 'cycle-time'?",
};

const inAddress =
  'The same answer as POST gives, byte for byte, to a question in the address: every field of the body and every filter is a parameter. A parameter that is sent once is split at commas; `name[]=` and parameters that are sent again are taken whole. The key goes into its header, never into the address.';

/** Questions in the address of a GET: for links, notebooks, spreadsheets and dashboards. */
export function metricsByAddressRoutes(app: FastifyInstance, questions: MetricQuestions): void {
  app.get<MetricRoute>(
    '/metrics/:metric',
    {
      onRequest: questions.admitted,
      schema: {
        operationId: 'askMetricByAddress',
        summary: 'Ask one metric by its address',
        description: inAddress,
        tags: ['Metrics'],
        security: keyNeeded,
        response: {
          200: answeredRows(
            'The answer, in the form that was asked for.',
            singleAnswer,
            singleExamples,
            validatorHeaders,
          ),
          304: unchanged,
          ...refused(statuses, ownErrors),
        },
      },
      // Described, and not checked by the framework: the question is read in one place, with words of its own.
      config: {
        isTimed: true,
        swaggerTransform: ({ schema, url }) => ({
          schema: { ...schema, params: metricParameter(), querystring: singleAddress },
          url,
        }),
      },
    },
    questions.single,
  );

  app.get<MetricRoute>(
    '/metrics/:metric/explain',
    {
      onRequest: questions.admitted,
      schema: {
        operationId: 'explainMetricByAddress',
        summary: 'Explain one metric by its address',
        description: `How the number comes about that the same address asks without \`/explain\`. ${inAddress}`,
        tags: ['Metrics'],
        security: keyNeeded,
        response: {
          200: answered('The explanation.', explanation, explanationExamples, {
            ...filterHeaders,
            ...timingHeaders,
            ...validatorHeaders,
          }),
          304: unchanged,
          ...refused(statuses, ownErrors),
        },
      },
      config: {
        isTimed: true,
        swaggerTransform: ({ schema, url }) => ({
          schema: { ...schema, params: metricParameter([...allMetrics.keys()]), querystring: singleAddress },
          url,
        }),
      },
    },
    questions.explain,
  );

  app.get(
    '/metrics/get-multiple-metrics',
    {
      schema: {
        operationId: 'askMultipleMetricsByAddress',
        summary: 'Ask several metrics by their address',
        description: `${inAddress} \`aggregation.cycle-time=AVG\`, \`date_field.…\` and \`metric_min_value.…\` are for one of the metrics. A long answer comes piece by piece, without an \`ETag\`.`,
        tags: ['Metrics'],
        security: keyNeeded,
        response: {
          200: answeredRows(
            'The answer, in the form that was asked for.',
            multipleAnswer,
            multipleExamples,
            validatorHeaders,
          ),
          304: unchanged,
          ...refused(statuses, ownErrors),
        },
      },
      config: {
        isTimed: true,
        swaggerTransform: ({ schema, url }) => ({ schema: { ...schema, querystring: multipleAddress }, url }),
      },
    },
    questions.multiple,
  );

  app.get(
    '/metrics/benchmark',
    {
      schema: {
        operationId: 'benchmarkMetricByAddress',
        summary: 'Compare a metric by its address',
        description: `The value of one metric beside those of the other organisations. ${inAddress}`,
        tags: ['Metrics'],
        security: keyNeeded,
        response: {
          200: answered('The comparison.', benchmarkAnswer, benchmarkExamples, {
            ...keptHeaders,
            ...filterHeaders,
            ...timingHeaders,
            ...validatorHeaders,
          }),
          304: unchanged,
          ...refused(statuses, { ...ownErrors, 400: 'salary cannot be benchmarked.' }),
        },
      },
      config: {
        isTimed: true,
        swaggerTransform: ({ schema, url }) => ({ schema: { ...schema, querystring: benchmarkAddress }, url }),
      },
    },
    questions.benchmark,
  );
}
