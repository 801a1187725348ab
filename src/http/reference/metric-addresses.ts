import { plainFilterSchema } from '../../catalogue/filters.ts';
import {
  benchmarkFields,
  multipleFields,
  periodFields,
  type RequestField,
  type RequestFields,
  singleFields,
  windowFields,
} from '../../catalogue/request-fields.ts';
import { maxNameLength } from '../../catalogue/text-limits.ts';
import { documentQuery, questionQuery } from '../question/question-parameters.ts';
import { eachFilter } from './metric-bodies.ts';
import { benchmarkQuestions, multipleQuestions, singleQuestions } from './question-examples.ts';

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

/** What a body has, by the parameter that says it in an address. */
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

const { durations, n } = questionQuery.properties;
const { time_series_data: _form, ...withoutForm } = singleFields;
export const singleAddress: object = addressOf(periodFields, singleQuestions, questionQuery.properties);
export const explanationAddress: object = addressOf(singleFields, singleQuestions, documentQuery.properties);
/** A picture has one form and one format. */
export const chartAddress: object = addressOf(withoutForm, singleQuestions, { durations, n });
export const multipleAddress: object = addressOf(multipleFields, multipleQuestions, questionQuery.properties);
export const benchmarkAddress: object = addressOf(benchmarkFields, benchmarkQuestions, documentQuery.properties);
