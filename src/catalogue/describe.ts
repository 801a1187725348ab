import { directoryRecords } from './directory-records.ts';
import { postedShape, postedTableNames } from './posted-tables.ts';
import type { Field, RecordShape } from './record.ts';
import { type Column, originOf, recordShapeOf, type Table } from './table.ts';
import { factTables } from './tables/all-tables.ts';
import { userMetrics } from './tables/user-metrics.ts';

/** The documentation of all records and of what is derived from them, made from their declarations. */
export function recordsDocument(): string {
  const parts = [
    heading,
    peopleHeading,
    ...Object.values(directoryRecords).map(recordSection),
    factsHeading,
    ...Object.values(factTables).map(tableSection),
    peopleTable,
    hookHeading,
    ...postedTableNames.map((name) => recordSection(postedShape(name))),
  ];
  return `${parts.join('\n\n')}\n`;
}

const heading = `# Records

What \`plumb import\`, \`POST /ingest/{table}\` and connectors bring, and what is derived from it. Made from the catalogue by
\`npm run docs\`; [how records arrive](ingest.md) stands on a page of its own.

Writing a record again replaces it. A field left out keeps its old value, an explicit \`null\` clears it, and
\`"_deleted": true\` removes what the record names, with everything that is part of it. Unknown fields are refused. In CSV
files lists are written as \`a;b\` or as JSON text and JSON as JSON text; an empty cell means that the field is left out.

| Type | Written as |
|---|---|
| text | text |
| integer, number | a number |
| boolean | \`true\` or \`false\` |
| timestamp | ISO 8601 such as \`2024-01-31T14:05:00Z\`; UTC where no zone is given, cut to whole seconds |
| date | \`2024-01-31\` |
| duration | seconds |
| text[] | a list of texts |
| json | any JSON |`;

const peopleHeading = '## People and groups';

const factsHeading = `## What happened

Each table shows what its records bring, and then the columns that the service adds. Of what both bring and add, the
record wins unless it is said otherwise. The key stands in **bold**.`;

const peopleTable = `### ${userMetrics.name}

${userMetrics.meaning} No records bring it: it is put together from people, teams and activity when it is read.

${columnTable(Object.entries(userMetrics.columns))}`;

const hookHeading = `## What the coding-agent hook sends

The tables of \`POST /posthook/ingest\`, each a list of rows. Sessions, prompts and commits become rows of the
\`posthook_…\` tables above; ranges of lines and files of commits are summed up on the sessions and their files.`;

function recordSection({ name, fields, required = [], aliases = {} }: RecordShape): string {
  const same = aliasFacts(aliases);
  return [
    `### ${name}`,
    '',
    ...(same.length > 0 ? [same.join(' '), ''] : []),
    fieldTable(Object.entries(fields), required),
  ].join('\n');
}

const aliasFacts = (aliases: Readonly<Record<string, string>>): string[] =>
  Object.entries(aliases).map(([alias, field]) => `\`${alias}\` is the same as \`${field}\`.`);

const formerNameFacts = (names: NonNullable<RecordShape['formerNames']>): string[] =>
  Object.entries(names).map(([name, field]) => `A record without \`${field}\` may call it \`${name}\`.`);

const ignoredFieldFacts = (names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [`Records may carry ${names.map((name) => `\`${name}\``).join(', ')} as well: the session says whose it is.`];

function tableSection(table: Table): string {
  const { name, meaning, person, parent, publicKey, aliases = {}, ignoredFields = {} } = table;
  const { fields, key = [], required = [], composedKey, formerNames = {} } = recordShapeOf(table);
  const added = Object.entries(table.columns).filter(([, column]) => !column.hidden && isAdded(column));
  const facts = [
    meaning,
    ...(person === undefined ? [] : [`Its person is the ${person}.`]),
    ...(publicKey === undefined
      ? []
      : [
          `Its key is the person as the record names them, with ${publicKey
            .filter((part) => key.includes(part))
            .map((part) => `\`${part}\``)
            .join(' and ')}.`,
        ]),
    ...(parent === undefined ? [] : [`Part of \`${parent.table}\`: removed with it.`]),
    ...(composedKey === undefined
      ? []
      : [
          `Without \`${composedKey.field}\`, ${composedKey.from} make it, as connectors do: \`${composedKey.example}\`.`,
        ]),
    ...aliasFacts(aliases),
    ...formerNameFacts(formerNames),
    ...ignoredFieldFacts(Object.keys(ignoredFields)),
  ];
  const sections = [
    `### ${name}`,
    facts.join(' '),
    fieldTable(
      Object.entries(fields),
      required.filter((field) => field !== composedKey?.field),
      key,
    ),
  ];
  if (added.length > 0) sections.push('Added by the service:', columnTable(added));
  return sections.join('\n\n');
}

const isAdded = (column: Column): boolean => !['given', 'completed'].includes(originOf(column));

function fieldTable(
  fields: readonly (readonly [string, Field])[],
  required: readonly string[],
  key: readonly string[] = [],
): string {
  const rows = fields.map(([name, field]) => {
    const shown = key.includes(name) ? `**\`${name}\`**` : `\`${name}\``;
    const needed = required.includes(name) ? ' Required.' : '';
    return `| ${shown} | ${field.type} | ${meaningOf(field)}${needed} |`;
  });
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function columnTable(columns: readonly (readonly [string, Column])[]): string {
  const rows = columns.map(([name, column]) => `| \`${name}\` | ${column.type} | ${meaningOf(column)} |`);
  return ['| Column | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function meaningOf({ meaning, oneOf }: Field): string {
  return oneOf ? `${meaning} One of ${oneOf.map((value) => `\`${value}\``).join(', ')}.` : meaning;
}
