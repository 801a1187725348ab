import { problemOfRow } from '../../directory/backed-up-rows.ts';
import {
  apiKeys,
  auditEvents,
  auditLog,
  identities,
  merges,
  organisations,
  people,
  type StoreTable,
  squadMembers,
  squads,
  storeTables,
  teamManagers,
  teamMembers,
  teams,
} from '../../store/all-store-tables.ts';
import { documents, pinnedBoards } from '../../store/document-tables.ts';
import {
  givenEmails,
  openidSubjects,
  passwords,
  sessions,
  sourceMemberships,
  sourcePeople,
  sourceStreams,
  sourceSyncs,
  sources,
  webhookDeliveries,
} from '../../store/source-tables.ts';
import type { Reading } from '../../store/store.ts';
import { exampleColumns, exampleOf, Findings, type HealthFinding, maxExamples } from '../finding.ts';
import { misfitsOf, pagesOf } from '../row-pages.ts';

interface Reference {
  readonly from: StoreTable;
  readonly column: string;
  readonly to: StoreTable;
}

const within = (from: StoreTable, column: string, to: StoreTable): Reference => ({ from, column, to });

/**
 * The references between tables. The stores enforce none of it: DuckDB checks foreign keys too eagerly for updates.
 * Keys, sign-ins and audit entries outlive the person they name, so only their organisation has to exist.
 */
const references: readonly Reference[] = [
  ...storeTables
    .filter(({ columns }) => 'organisation_id' in columns)
    .map((from) => within(from, 'organisation_id', organisations)),
  within(people, 'merged_into', people),
  within(people, 'effective_id', people),
  within(identities, 'person_id', people),
  within(teamMembers, 'team_id', teams),
  within(teamMembers, 'person_id', people),
  within(teamManagers, 'team_id', teams),
  within(teamManagers, 'person_id', people),
  within(squadMembers, 'squad_id', squads),
  within(squadMembers, 'person_id', people),
  within(merges, 'absorbed_id', people),
  within(merges, 'survivor_id', people),
  ...[sessions, passwords, openidSubjects, givenEmails].map((from) => within(from, 'person_id', people)),
  within(apiKeys, 'rotated_from', apiKeys),
  within(auditLog, 'key_id', apiKeys),
  within(auditEvents, 'key_id', apiKeys),
  within(sourceSyncs, 'source_id', sources),
  within(sourceStreams, 'source_id', sources),
  within(webhookDeliveries, 'source_id', sources),
  within(sourcePeople, 'source_id', sources),
  within(sourceMemberships, 'source_id', sources),
  within(sourceMemberships, 'team_id', teams),
  within(sourceMemberships, 'person_id', people),
  within(documents, 'owner_id', people),
  within(pinnedBoards, 'person_id', people),
];

/** Rows that refer to something that is not there. */
export async function danglingReferences(session: Reading): Promise<HealthFinding[]> {
  const findings: HealthFinding[] = [];
  for (const { from, column, to } of references) {
    const sameOrganisation = to === organisations ? '' : ' AND t.organisation_id = f.organisation_id';
    const shown = [...new Set([...exampleColumns(from), ...from.key])].map((name) => `f.${name}`);
    const rows = await session.rows<Record<string, unknown> & { total: number }>(
      `SELECT ${shown.join(', ')}, (count(*) OVER ())::int AS total
       FROM ${from.name} f LEFT JOIN ${to.name} t ON t.id = f.${column}${sameOrganisation}
       WHERE f.${column} IS NOT NULL AND t.id IS NULL
       ORDER BY ${from.key.map((name) => `f.${name}`).join(', ')} LIMIT ${maxExamples}`,
    );
    const [first] = rows;
    if (!first) continue;
    findings.push({
      check: 'references',
      problem: `${from.name}.${column} names something that is not in ${to.name}`,
      count: first.total,
      examples: rows.map((row) => exampleOf(from, row)),
    });
  }
  return findings;
}

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
