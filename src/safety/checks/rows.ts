import { problemOfRow } from '../../directory/stored-rows.ts';
import type { Reading } from '../../store/store.ts';
import type { StoreTable } from '../../store/tables.ts';
import { exampleOf, Findings, type HealthFinding } from '../finding.ts';
import { misfitsOf } from '../row-shape.ts';
import { pagesOf } from '../table-pages.ts';

/** Reads every row of a table, which also makes the engine check its own checksums. */
export async function inspectRows(
  session: Reading,
  table: StoreTable,
): Promise<{ readonly rows: number; readonly findings: readonly HealthFinding[] }> {
  const findings = new Findings();
  let rows = 0;
  for await (const page of pagesOf(session, table)) {
    rows += page.length;
    for (const row of page) {
      const misfits = misfitsOf(table, row).map((column) => `${column} does not hold what its type says`);
      const problem = misfits.length > 0 ? undefined : problemOfRow(table.name, row);
      const problems = problem ? [problem.problem] : misfits;
      for (const problem of problems) findings.add('rows', `${table.name}.${problem}`, exampleOf(table, row));
    }
  }
  return { rows, findings: findings.all() };
}
