import { filters } from '../catalogue/filters.ts';
import { plainFilterSchema } from '../catalogue/plain-filter-schema.ts';
import { type RequestField, singleFields, windowFields } from '../catalogue/request-fields.ts';
import { maxNameLength } from '../catalogue/text-limits.ts';

type Schema = Readonly<Record<string, unknown>>;

function fieldSchema({ kind, meaning, words, spellings, minimum, maximum }: RequestField): Schema {
  const described = meaning === undefined ? {} : { description: meaning };
  switch (kind) {
    case 'filters':
      return filtersSchema;
    case 'texts':
      return { type: 'array', items: { type: 'string', maxLength: maxNameLength }, ...described };
    case 'word':
      return { type: 'string', enum: spellings ?? words, ...described };
    case 'integer':
      return { type: 'integer', minimum, maximum, ...described };
    case 'number':
    case 'boolean':
      return { type: kind, ...described };
    default:
      return { type: 'string', maxLength: maxNameLength, ...described };
  }
}

const filtersSchema: Schema = {
  type: 'object',
  description:
    'Which rows. Rows match any value of a filter and every filter. start_date is needed by every metric but those of people. describe_metric lists the filters of a metric.',
  additionalProperties: false,
  properties: {
    ...Object.fromEntries(Object.entries(windowFields).map(([name, field]) => [name, fieldSchema(field)])),
    ...Object.fromEntries(Object.entries(filters).map(([name, declaration]) => [name, plainFilterSchema(declaration)])),
  },
};

/** The fields of the body that one metric is asked with, by name: the same as over HTTP. */
export const questionProperties: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(singleFields).map(([name, field]) => [name, fieldSchema(field)]),
);
