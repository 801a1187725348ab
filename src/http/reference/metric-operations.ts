import { plainFilterSchema } from '../../catalogue/filters.ts';
import { metrics as allMetrics } from '../../catalogue/metrics/all-metrics.ts';
import {
  benchmarkFields,
  multipleFields,
  periodFields,
  type RequestField,
  type RequestFields,
  singleFields,
  windowFields,
} from '../../catalogue/request-fields.ts';
import { rowFormats } from '../../formats/answer-formats.ts';
import { alternatives } from '../../nearest.ts';
import { maxNameLength } from '../../text-limits.ts';
import { answered, answeredRows, filterHeaders, keptHeaders, timingHeaders } from '../openapi.ts';
import { documentQuery, questionQuery } from '../question/question-parameters.ts';
import { benchmarkAnswer, explanation, multipleAnswer, singleAnswer } from './answer-schemas.ts';
import { benchmarkBody, eachFilter, metricList, metricParameter, multipleBody, singleBody } from './metric-bodies.ts';
import { benchmarkExamples, explanationExamples, multipleExamples, singleExamples } from './metric-examples.ts';
import { benchmarkQuestions, multipleQuestions, singleQuestions } from './sample-questions.ts';

type AddressSchemas = Readonly<Record<string, object>>;

/**
 * Parameters of an address that asks a question: the fields of the body of the same question, each by its name, and the
 * first example of such a body.
 */
function addressOf(fields: RequestFields, examples: AddressSchemas, beside: AddressSchemas): object {
  const parameters: AddressSchemas = {
    ...Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => parametersOf(name, field))),
    ...Object.fromEntries(Object.entries(windowFields).map(([name, field]) => [name, fieldSchema(field)])),
    ...eachFilter(plainFilterSchema),
    ...beside,
  };
  const [example = {}] = Object.values(examples);
  const values: ReadonlyMap<string, unknown> = new Map(valuesIn(example, fields));
  return {
    type: 'object',
    required: Object.keys(fields).filter((name) => fields[name]?.isRequired && fields[name]?.kind !== 'filters'),
    properties: Object.fromEntries(
      Object.entries(parameters).map(([name, schema]) => [
        name,
        values.has(name) ? { ...schema, examples: [values.get(name)] } : schema,
      ]),
    ),
  };
}

function parametersOf(name: string, field: RequestField): [string, object][] {
  switch (field.kind) {
    case 'filters':
      return [];
    case 'per-metric':
      return [[perMetricName(name), perMetricSchema(name, field)]];
    default:
      return [[name, fieldSchema(field)]];
  }
}

/** `aggregations` of a body is `aggregation.<metric>` in an address. */
const perMetricName = (field: string): string => `${field.slice(0, -1)}.<metric>`;

/** An object whose fields are parameters of their own, as OpenAPI sends objects in a query: their names depend on the metrics. */
function perMetricSchema(name: string, { meaning = '', each = { kind: 'text' } }: RequestField): object {
  const one = name.slice(0, -1);
  const { description: _, ...value } = fieldSchema(each) as { readonly description?: string };
  return {
    type: 'object',
    description: `${meaning} A parameter for each metric, with its name behind the dot: \`${one}.cycle-time=…\`.`,
    propertyNames: { enum: multipleFields.metrics.names.map((metric) => `${one}.${metric}`) },
    additionalProperties: value,
  };
}

function fieldSchema({ kind, meaning, names, words, spellings, minimum, maximum, default: usual }: RequestField) {
  const given = Object.entries({ description: meaning, minimum, maximum, default: usual });
  const more = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const closed = names ? { enum: names } : { maxLength: maxNameLength };
  switch (kind) {
    case 'texts':
      return { type: 'array', items: { type: 'string', ...closed }, ...more };
    case 'word':
      return { type: 'string', enum: [...(spellings ?? words ?? [])], ...more };
    case 'boolean':
    case 'number':
    case 'integer':
      return { type: kind, ...more };
    default:
      return { type: 'string', ...closed, ...more };
  }
}

/** The values of a body, by the parameter that says each of them in an address. */
function valuesIn(body: object, fields: RequestFields): [string, unknown][] {
  return Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    switch (fields[name]?.kind) {
      case 'filters':
        return Object.entries(value);
      case 'per-metric': {
        const each = Object.entries(value).map(([metric, one]) => [`${name.slice(0, -1)}.${metric}`, one]);
        return [[perMetricName(name), Object.fromEntries(each)]];
      }
      default:
        return [[name, value]];
    }
  });
}

const { durations, n, verdict } = questionQuery.properties;
const { time_series_data: _form, ...withoutForm } = singleFields;
const singleAddress: object = addressOf(periodFields, singleQuestions, questionQuery.properties);
const explanationAddress: object = addressOf(singleFields, singleQuestions, documentQuery.properties);
/** A picture has one form and one format. */
export const chartAddress: object = addressOf(withoutForm, singleQuestions, { durations, n, verdict });
const multipleAddress: object = addressOf(multipleFields, multipleQuestions, questionQuery.properties);
const benchmarkAddress: object = addressOf(benchmarkFields, benchmarkQuestions, documentQuery.properties);

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
    /** The description beyond what holds of every question in an address. */
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
      description: `One metric over a window of time: rows, at most 200 and 16 MiB, with \`include_previous_period\` a results object, and with \`time_series_data\` a chart. Rows come as ${alternatives(Object.values(rowFormats).map(({ label }) => label))}, as the header \`Accept\` asks. Everyone sees only the rows of the people that the key’s creator may see.\n\n${metricList}`,
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
