import type { FilterDeclaration } from '../../catalogue/filters.ts';
import {
  benchmarkFields,
  multipleFields,
  type RequestField,
  type RequestFields,
  singleFields,
  windowFields,
} from '../../catalogue/request-fields.ts';
import { questionQuery } from '../question-parameters.ts';
import { eachFilter } from './metric-bodies.ts';

/** Parameters of an address that asks a question: the fields of the body of the same question, each by its name. */
const addressOf = (fields: RequestFields, beside: object = questionQuery.properties): object => ({
  type: 'object',
  required: Object.keys(fields).filter((name) => fields[name]?.isRequired && fields[name]?.kind !== 'filters'),
  properties: {
    ...described(fields),
    ...(Object.values(fields).some(({ kind }) => kind === 'per-metric') ? { per_metric: perMetric } : {}),
    ...described(windowFields),
    ...eachFilter(filterSchema),
    ...beside,
  },
});

/** An object whose fields are parameters: their names depend on the metrics. */
const perMetric = {
  type: 'object',
  description:
    'A value for each metric by name, as in `aggregation.cycle-time=AVG`, `date_field.cycle-time=created_at` and `metric_min_value.cycle-time=60`. These are parameters of their own.',
  additionalProperties: { type: 'string' },
};

const described = (fields: RequestFields): Record<string, object> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { kind }]) => kind !== 'filters' && kind !== 'per-metric')
      .map(([name, field]) => [name, fieldSchema(field)]),
  );

function fieldSchema({ kind, meaning, names, words, spellings, minimum, maximum, default: usual }: RequestField) {
  const given = Object.entries({ description: meaning, minimum, maximum, default: usual });
  const more = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const closed = names ? { enum: names } : {};
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

function filterSchema({ meaning, form, oneOf }: FilterDeclaration): object {
  if (form === 'text') return { type: 'string', description: meaning };
  const item = { type: form === 'integers' ? 'integer' : 'string', ...(oneOf ? { enum: oneOf } : {}) };
  return { type: 'array', items: item, description: meaning };
}

const { time_series_data: _form, ...withoutForm } = singleFields;
export const singleAddress: object = addressOf(singleFields);
/** A picture has one form and one format. */
export const chartAddress: object = addressOf(withoutForm, {
  durations: questionQuery.properties.durations,
  n: questionQuery.properties.n,
});
export const multipleAddress: object = addressOf(multipleFields);
export const benchmarkAddress: object = addressOf(benchmarkFields);
