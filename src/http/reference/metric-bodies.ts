import { type FilterDeclaration, filters, textSchema } from '../../catalogue/filters.ts';
import { type Metric, takesAggregation } from '../../catalogue/metric.ts';
import { dateDetails, metricDomains, metrics } from '../../catalogue/metrics/all-metrics.ts';
import {
  benchmarkFields,
  multipleFields,
  periodFields,
  type RequestField,
  type RequestFields,
  windowFields,
} from '../../catalogue/request-fields.ts';
import { maxNameLength } from '../../text-limits.ts';
import { benchmarkQuestions, multipleQuestions, singleQuestions } from './sample-questions.ts';

/** The names of metrics that a path may have. */
const metricNames: readonly string[] = [...metrics.keys(), dateDetails];

/** Every metric in a line, by domain: Markdown, as descriptions are. */
export const metricList: string = [
  ...Object.entries(metricDomains).map(([domain, some]) => `**${domain}**\n\n${some.map(metricLine).join('\n')}`),
  `**Periods**\n\n- \`${dateDetails}\`: the periods of a window, and whether the data of a metric are complete in them.`,
].join('\n\n');

function metricLine(metric: Metric): string {
  const { name, meaning, unit, gate } = metric;
  const notes = [
    ...(takesAggregation(metric) ? ['needs an aggregation'] : []),
    ...(unit ? [unit] : []),
    ...(gate ? [`gate: ${gate}`] : []),
  ];
  return `- \`${name}\`: ${meaning}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

const nullable = (type: string): string[] => [type, 'null'];

function filterSchema(declaration: FilterDeclaration): object {
  const { meaning, form, oneOf } = declaration;
  const closed = oneOf ? { enum: oneOf } : {};
  const text = textSchema(declaration);
  switch (form) {
    case 'text':
      return { ...text, type: nullable('string'), description: meaning };
    case 'integers':
      return { type: ['array', 'integer', 'null'], items: { type: 'integer', ...closed }, description: meaning };
    case 'texts':
      return { ...text, type: ['array', 'string', 'null'], items: { ...text, ...closed }, description: meaning };
    case 'repositories':
      return {
        type: ['array', 'object', 'string', 'null'],
        items: {
          anyOf: [
            {
              type: 'object',
              required: ['repository_name'],
              additionalProperties: false,
              properties: { repository_name: text },
            },
            text,
          ],
        },
        description: meaning,
      };
  }
}

/** A field of a request as a schema. Fields that may be left out may also be null. */
function fieldSchema({ kind, meaning, isRequired, ...rest }: RequestField): object {
  const type = (name: string) => (isRequired ? name : nullable(name));
  const described = meaning === undefined ? {} : { description: meaning };
  switch (kind) {
    case 'filters':
      return { $ref: 'Filters#' };
    case 'text':
      return { type: type('string'), ...textOf(rest.names), ...described };
    case 'texts': {
      const least = isRequired ? { minItems: 1 } : {};
      return { type: type('array'), ...least, items: { type: 'string', ...textOf(rest.names) }, ...described };
    }
    case 'word':
      return { type: type('string'), enum: [...(rest.spellings ?? rest.words ?? []), null], ...described };
    case 'per-metric':
      return { type: type('object'), additionalProperties: fieldSchema(rest.each ?? { kind: 'text' }), ...described };
    default: {
      const { minimum, maximum, default: usual } = rest;
      const limits = Object.entries({ default: usual, minimum, maximum }).filter(([, limit]) => limit !== undefined);
      return { type: type(kind), ...Object.fromEntries(limits), ...described };
    }
  }
}

const textOf = (names: readonly string[] | undefined) => (names ? { enum: names } : { maxLength: maxNameLength });

const schemasOf = (fields: RequestFields): Record<string, object> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]));

/** Every filter by each of its names, described in the form that bodies or addresses give it. */
export const eachFilter = (schemaOf: (declaration: FilterDeclaration) => object): Record<string, object> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, declaration]): [string, object][] => [
      [name, schemaOf(declaration)],
      ...(declaration.aliases ?? []).map((alias): [string, object] => [
        alias,
        { ...schemaOf(declaration), description: `The same as ${name}.` },
      ]),
    ]),
  );

/** One component of the document. Which metric takes which filter stands in the catalogue. */
export const filtersSchema = {
  $id: 'Filters',
  type: 'object',
  description:
    'Which rows. Rows match any value of a filter and every filter. Null or an empty list is no filter. Unknown names and ids match no rows and cause no error. A metric takes the filters of its table. `GET /catalogue` lists them.',
  additionalProperties: false,
  properties: {
    ...schemasOf(windowFields),
    ...eachFilter(filterSchema),
  },
};

const bodyOf = (title: string, fields: RequestFields, examples: Readonly<Record<string, object>>): object => ({
  content: {
    'application/json': {
      schema: {
        title,
        type: 'object',
        required: Object.keys(fields).filter((name) => fields[name]?.isRequired),
        additionalProperties: false,
        properties: schemasOf(fields),
        'x-examples': Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
    },
  },
});

/** The body of a question about one metric. */
export const singleBody: object = bodyOf('MetricQuestion', periodFields, singleQuestions);

/** The body of a question about several metrics. */
export const multipleBody: object = bodyOf('MultipleMetricsQuestion', multipleFields, multipleQuestions);

/** The body of a comparison with other organisations. */
export const benchmarkBody: object = bodyOf('BenchmarkQuestion', benchmarkFields, benchmarkQuestions);

export const metricParameter = (names: readonly string[] = metricNames): object => ({
  type: 'object',
  required: ['metric'],
  properties: { metric: { type: 'string', enum: names, description: 'Name of the metric.' } },
});
