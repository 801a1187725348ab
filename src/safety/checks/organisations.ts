import type { Reading } from '../../store/store.ts';
import { examplesMost, type HealthFinding } from '../finding.ts';

interface OrganisationRule {
  readonly check: string;
  readonly problem: string;
  /** Selects an `example` for each breach. */
  readonly sql: string;
}

const rules: readonly OrganisationRule[] = [
  {
    check: 'owners',
    problem: 'an organisation has no Owner',
    sql: `SELECT o.id AS example FROM organisations o WHERE NOT EXISTS (
            SELECT 1 FROM people p WHERE p.organisation_id = o.id AND p.access_role = 'Owner' AND p.merged_into IS NULL)`,
  },
  {
    check: 'audit',
    problem: 'an audit entry is of a later version than its organisation',
    sql: `SELECT a.organisation_id || '/' || a.version AS example FROM audit_log a
          JOIN organisations o ON o.id = a.organisation_id WHERE a.version > o.version`,
  },
  ...['teams', 'squads', 'sources'].map((table) => ({
    check: 'names',
    problem: `two ${table} of an organisation have the same name`,
    sql: `SELECT organisation_id || '/' || min(id) AS example FROM ${table}
          GROUP BY organisation_id, name_key HAVING count(*) > 1`,
  })),
  {
    check: 'keys',
    problem: 'two API keys have the same hash',
    sql: 'SELECT min(id) AS example FROM api_keys GROUP BY hash HAVING count(*) > 1',
  },
];

/** What has to hold for each organisation as a whole. */
export async function brokenRules(session: Reading): Promise<HealthFinding[]> {
  const findings: HealthFinding[] = [];
  for (const { check, problem, sql } of rules) {
    const rows = await session.rows<{ example: string; total: number }>(
      `SELECT example, (count(*) OVER ())::int AS total FROM (${sql}) AS breaches ORDER BY example LIMIT ${examplesMost}`,
    );
    const [first] = rows;
    if (first) findings.push({ check, problem, count: first.total, examples: rows.map(({ example }) => example) });
  }
  return findings;
}
