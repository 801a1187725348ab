import type { FastifyInstance } from 'fastify';
import type { CatalogueDocument } from '../../catalogue/catalogue-document.ts';
import { catalogue } from '../../query/date-details.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { jsonType } from '../errors.ts';
import { answered, keyNeeded, noQuery, refused } from '../openapi.ts';
import { named } from '../reference/named-schemas.ts';

const list = (
  title: string,
  description: string,
  fields: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): object => ({ type: 'array', description, items: named(title, fields, optional) });
const text = (description: string): object => ({ type: 'string', description });
const textOrNull = (description: string): object => ({ type: ['string', 'null'], description });
const texts = (description: string): object => ({ type: 'array', items: { type: 'string' }, description });
const dateFields = list('DateField', 'Names of date fields, each with its column.', {
  name: text('Name.'),
  column: text('Column.'),
});
const groupColumns = list('GroupColumn', 'What metrics of the table can be grouped by.', {
  name: text('Name.'),
  label: text('Name for people.'),
  type: text('Type.'),
  meaning: text('Meaning.'),
});

/** Typed by the document, so that a field cannot be forgotten here. */
const properties: Readonly<Record<keyof CatalogueDocument, object>> = {
  tables: list('CatalogueTable', 'Every table.', {
    name: text('Name.'),
    meaning: text('What its rows are.'),
    key: texts('Columns that make a record one.'),
    person: textOrNull('Whose rows they are.'),
    date_fields: dateFields,
    columns: list(
      'CatalogueColumn',
      'Columns.',
      {
        name: text('Name.'),
        label: text('Name for people.'),
        type: text('Type.'),
        meaning: text('Meaning.'),
        origin: text('Where its value comes from: given, completed, derived, inherited or read.'),
        one_of: { type: 'array', items: {}, description: 'The only values that it has, where it is a closed list.' },
        value_labels: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'The names of these values for people.',
        },
      },
      ['one_of', 'value_labels'],
    ),
    group_columns: groupColumns,
    metrics: texts('Metrics that are asked of it.'),
  }),
  metrics: list('CatalogueMetric', 'Every metric.', {
    name: text('Name.'),
    label: text('Name for people.'),
    title: text('Name of its series in answers in chart form.'),
    domain: text('What it is about.'),
    table: textOrNull('Table that it is asked of.'),
    kind: text('count, aggregated, fixed, text, share or calendar.'),
    meaning: text('What it tells.'),
    unit: textOrNull('What it is measured in.'),
    better: textOrNull('Whether lower or higher is better.'),
    columns: texts('Columns of a flat answer. {aggregation} stands for the one that is asked for.'),
    needs_aggregation: { type: 'boolean', description: 'Whether the caller has to pick an aggregation.' },
    date_fields: dateFields,
    default_date_field: textOrNull('Column that the window is about by default.'),
    filters: texts('Filters that it takes.'),
    gate: textOrNull('Who may ask it, besides what they may see.'),
    group_columns_of: textOrNull('Table whose group columns it has.'),
    always_grouped_by: texts('Columns that it is always grouped by.'),
  }),
  filters: list('CatalogueFilter', 'Every filter.', {
    name: text('Name.'),
    label: text('Name for people.'),
    meaning: text('What it chooses.'),
    form: text('How its values are written: date, text, texts, integers or repositories.'),
    one_of: { type: ['array', 'null'], items: {}, description: 'The only values that make sense.' },
    aliases: texts('Other names.'),
  }),
  aggregations: list('CatalogueAggregation', 'Every aggregation.', { name: text('Name.'), meaning: text('Meaning.') }),
  date_levels: texts('Every date level.'),
  units: list('CatalogueUnit', 'Every unit.', { name: text('Name.'), meaning: text('Meaning.') }),
  gates: list('CatalogueGate', 'Every gate.', { name: text('Name.'), meaning: text('Who passes it.') }),
};

/** The catalogue for anyone with a key: it includes metrics that they may not ask, with the gate before them. */
export function catalogueRoutes(app: FastifyInstance, { long }: { readonly long: LongAnswers }): void {
  const document = catalogue();
  const bytes = Buffer.from(JSON.stringify(document));
  const first = Object.fromEntries(
    Object.entries(document).map(([name, entries]) => [name, (entries as readonly unknown[]).slice(0, 1)]),
  );

  app.get(
    '/catalogue',
    {
      schema: {
        operationId: 'catalogue',
        summary: 'Everything that can be asked',
        description:
          'Every table with its columns, every metric with its definition, unit, filters and date fields, every filter, aggregation and date level: the declarations that the service itself works by, as data. Any valid key may ask.',
        tags: ['Catalogue'],
        security: keyNeeded,
        querystring: noQuery,
        response: {
          200: answered('The catalogue.', named('Catalogue', properties), { 'the first of everything': first }),
          ...refused([400, 401, 405, 429, 500, 503], {
            400: "This operation takes no query parameters, but 'table' was sent.",
            405: "'/catalogue' does not take POST. It takes GET, HEAD.",
          }),
        },
      },
    },
    // Everyone gets the same bytes: they take no memory of any organisation.
    async (request, reply) =>
      long.sendBytes(request, reply.type(jsonType), bytes, { organisationId: '', isHeld: true }),
  );
}
