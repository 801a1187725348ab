import { keyOf } from '../../directory/identifier.ts';
import type { Reading } from '../../store/store.ts';
import type { StoreTable } from '../../store/tables.ts';
import { exampleOf, type Finding, Findings } from '../finding.ts';
import { misfitsOf } from '../row-shape.ts';
import { type PlainRow, pagesOf } from '../table-pages.ts';

const text = (row: PlainRow, column: string): string => String(row[column]);
const matches = (row: PlainRow, key: string, value: string) =>
  text(row, key) === keyOf(text(row, value)) ? [] : [`${key} is not how ${value} is matched`];
const isSha256 = (row: PlainRow) => (/^[0-9a-f]{64}$/.test(text(row, 'hash')) ? [] : ['hash is not a SHA-256']);

function isJson(row: PlainRow, column: string): string[] {
  if (row[column] === null) return [];
  try {
    JSON.parse(text(row, column));
    return [];
  } catch {
    return [`${column} is not JSON`];
  }
}

/** What has to hold for a row by itself, beyond the types of its columns. */
const rowRules: Readonly<Record<string, (row: PlainRow) => readonly string[]>> = {
  organisations: (row) => isJson(row, 'runner_prices'),
  people: (row) => isJson(row, 'permissions'),
  identities: (row) => matches(row, 'key', 'value'),
  teams: (row) => matches(row, 'name_key', 'name'),
  squads: (row) => matches(row, 'name_key', 'name'),
  repositories: (row) => [...matches(row, 'key', 'name'), ...isJson(row, 'deploy_workflows')],
  api_keys: isSha256,
  sign_ins: isSha256,
  audit_log: (row) => isJson(row, 'details'),
};

/** Reads every row of a table, which also makes the engine check its own checksums. */
export async function inspectRows(
  session: Reading,
  table: StoreTable,
): Promise<{ readonly rows: number; readonly findings: readonly Finding[] }> {
  const findings = new Findings();
  let rows = 0;
  for await (const page of pagesOf(session, table)) {
    rows += page.length;
    for (const row of page) {
      const misfits = misfitsOf(table, row).map((column) => `${column} does not hold what its type says`);
      const problems = misfits.length > 0 ? misfits : (rowRules[table.name]?.(row) ?? []);
      for (const problem of problems) findings.add('rows', `${table.name}.${problem}`, exampleOf(table, row));
    }
  }
  return { rows, findings: findings.all() };
}
