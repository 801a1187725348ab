import { directoryRecords } from './directory-records.ts';
import type { RecordShape } from './record.ts';

/** The documentation of all records, made from their declarations. */
export function recordsDocument(): string {
  const parts = Object.values(directoryRecords).map(recordSection);
  return `${[heading, ...parts].join('\n\n')}\n`;
}

const heading = `# Records

What \`plumb import --table TABLE FILE…\` takes. Made from the catalogue by \`npm run docs\`.

Writing a record again replaces it. A field left out keeps its old value, an explicit \`null\` clears it, and
\`"_deleted": true\` removes what the record names. Unknown fields are refused. Lists and JSON are written as JSON text
in CSV files, where an empty cell means that the field is left out.`;

function recordSection({ name, fields }: RecordShape): string {
  const rows = Object.entries(fields).map(([field, { type, meaning, oneOf }]) => {
    const values = oneOf ? ` One of ${oneOf.map((value) => `\`${value}\``).join(', ')}.` : '';
    return `| \`${field}\` | ${type} | ${meaning}${values} |`;
  });
  return [`## ${name}`, '', '| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}
