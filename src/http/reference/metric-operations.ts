import { metrics as allMetrics } from '../../catalogue/metrics/metrics.ts';
import { rowFormats } from '../../formats/answer-formats.ts';
import { alternatives } from '../../nearest.ts';
import { answered, answeredRows, filterHeaders, keptHeaders, timingHeaders } from '../openapi.ts';
import { documentQuery, questionQuery } from '../question/question-parameters.ts';
import { benchmarkAnswer, explanation, multipleAnswer, singleAnswer } from './answer-schemas.ts';
import { benchmarkAddress, explanationAddress, multipleAddress, singleAddress } from './metric-addresses.ts';
import { benchmarkBody, metricList, metricParameter, multipleBody, singleBody } from './metric-bodies.ts';
import { benchmarkExamples, explanationExamples, multipleExamples, singleExamples } from './metric-examples.ts';

/** A question that is asked in the body of a POST or in the address of a GET, and how both are described. */
export interface MetricOperation {
  readonly url: string;
  readonly params?: object;
  readonly inBody: {
    readonly operationId: string;
    readonly summary: string;
    readonly description: string;
    readonly body: object;
    readonly querystring: object;
  };
  readonly inAddress: {
    readonly operationId: string;
    readonly summary: string;
    /** What there is to say besides what holds of every question in an address. */
    readonly before?: string;
    readonly after?: string;
    readonly querystring: object;
  };
  /** The successful answer, with the headers that it has besides its own. */
  readonly answer: (headers: object) => object;
  /** An example of what is answered with 400. */
  readonly wrong?: string;
}

export const metricOperations = {
  single: {
    url: '/metrics/:metric',
    params: metricParameter(),
    inBody: {
      operationId: 'askMetric',
      summary: 'Ask one metric',
      description: `One metric over a window of time: rows, at most 200 and 16 MiB; with \`include_previous_period\` a results object; with \`time_series_data\` a chart. Rows come as ${alternatives(Object.values(rowFormats).map(({ label }) => label))}, as the header \`Accept\` asks. Everyone sees only the rows of the people that the key's creator may see.\n\n${metricList}`,
      body: singleBody,
      querystring: questionQuery,
    },
    inAddress: {
      operationId: 'askMetricByAddress',
      summary: 'Ask one metric by its address',
      querystring: singleAddress,
    },
    answer: (headers) =>
      answeredRows('The answer, in the form that was asked for.', singleAnswer, singleExamples, headers),
  },
  explain: {
    url: '/metrics/:metric/explain',
    params: metricParameter([...allMetrics.keys()]),
    inBody: {
      operationId: 'explainMetric',
      summary: 'Explain one metric',
      description:
        'How the number that the metric answers to the same body was computed: its definition, what is read step by step, the statement with the values bound to it, how many rows it is computed from, how fresh they are, and the request that lists them.',
      body: singleBody,
      querystring: documentQuery,
    },
    inAddress: {
      operationId: 'explainMetricByAddress',
      summary: 'Explain one metric by its address',
      before:
        'How the number that the same address gives without `/explain` was computed. An explanation is always JSON, whatever `Accept` asks for.',
      querystring: explanationAddress,
    },
    answer: (headers) =>
      answered('The explanation.', explanation, explanationExamples, {
        ...filterHeaders,
        ...timingHeaders,
        ...headers,
      }),
  },
  multiple: {
    url: '/metrics/get-multiple-metrics',
    inBody: {
      operationId: 'askMultipleMetrics',
      summary: 'Ask several metrics at once',
      description:
        'Several metrics over one window, with the same filters and columns: one row for each bucket and group, with a column for each metric. There is no limit on rows, nor on their bytes: many of them come piece by piece, and have to be read at 32 KiB a second at least. One metric that may not be asked refuses the whole call.',
      body: multipleBody,
      querystring: questionQuery,
    },
    inAddress: {
      operationId: 'askMultipleMetricsByAddress',
      summary: 'Ask several metrics by their address',
      after:
        'A value for one of the metrics has its name behind a dot: `aggregation.cycle-time=AVG`, `date_field.cycle-time=created_at`, `metric_min_value.cycle-time=60`.',
      querystring: multipleAddress,
    },
    answer: (headers) =>
      answeredRows('The answer, in the form that was asked for.', multipleAnswer, multipleExamples, headers),
  },
  benchmark: {
    url: '/metrics/benchmark',
    inBody: {
      operationId: 'benchmarkMetric',
      summary: 'Compare a metric with other organisations',
      description:
        'The value of one metric beside the distribution of the other organisations on the platform that take part: each over all of its records in the window, with at least 30 of them. Nothing is reported of fewer than five others.',
      body: benchmarkBody,
      querystring: documentQuery,
    },
    inAddress: {
      operationId: 'benchmarkMetricByAddress',
      summary: 'Compare a metric by its address',
      before: 'The value of one metric beside those of the other organisations.',
      querystring: benchmarkAddress,
    },
    answer: (headers) =>
      answered('The comparison.', benchmarkAnswer, benchmarkExamples, {
        ...keptHeaders,
        ...filterHeaders,
        ...timingHeaders,
        ...headers,
      }),
    wrong: 'salary cannot be benchmarked.',
  },
} as const satisfies Readonly<Record<string, MetricOperation>>;
