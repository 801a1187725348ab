import type { Reading } from '../../store/store.ts';
import { keyOf } from '../../text-comparison.ts';
import { Findings, type HealthFinding, maxExamples } from '../finding.ts';

interface CheckedPerson {
  readonly id: string;
  readonly main_email: string | null;
  readonly merged_into: string | null;
  readonly effective_id: string;
  readonly merge_survivor: string | null;
}

/** Whether everyone is who the merges say, and owns the address they are shown with. One organisation at a time. */
export async function brokenPeople(session: Reading): Promise<HealthFinding[]> {
  const findings = new Findings();
  const organisations = await session.rows<{ id: string }>(
    'SELECT DISTINCT organisation_id AS id FROM people ORDER BY organisation_id',
  );
  for (const { id: organisationId } of organisations) {
    const people = await session.rows<CheckedPerson>(
      `SELECT p.id, p.main_email, p.merged_into, p.effective_id, m.survivor_id AS merge_survivor
       FROM people p LEFT JOIN merges m ON m.organisation_id = p.organisation_id AND m.absorbed_id = p.id
       WHERE p.organisation_id = $1 ORDER BY p.id`,
      [organisationId],
    );
    const emails = await session.rows<{ key: string; person_id: string }>(
      "SELECT key, person_id FROM identities WHERE organisation_id = $1 AND kind = 'email'",
      [organisationId],
    );
    const byId = new Map(people.map((person) => [person.id, person]));
    const owners = new Map(emails.map(({ key, person_id }) => [key, byId.get(person_id)?.effective_id]));
    for (const person of people) {
      for (const problem of problemsOf(person, byId, owners)) {
        findings.add('people', problem, `${organisationId}/${person.id}`);
      }
    }
  }
  return findings.all();
}

function problemsOf(
  person: CheckedPerson,
  byId: ReadonlyMap<string, CheckedPerson>,
  owners: ReadonlyMap<string, string | undefined>,
): string[] {
  const problems: string[] = [];
  const end = endOfChain(person, byId);
  if (end === undefined) problems.push('merges lead round in a circle');
  else if (end !== person.effective_id) problems.push('effective_id is not the end of the chain of merges');
  if (person.merged_into !== person.merge_survivor) problems.push('merged_into and the record of the merge differ');
  if (person.main_email !== null && owners.get(keyOf(person.main_email)) !== person.effective_id) {
    problems.push('main_email is not among the addresses of the person');
  }
  return problems;
}

/** Undefined when there is no end. */
function endOfChain(person: CheckedPerson, byId: ReadonlyMap<string, CheckedPerson>): string | undefined {
  const seen = new Set<string>();
  let at = person;
  while (at.merged_into !== null) {
    if (seen.has(at.id)) return undefined;
    seen.add(at.id);
    const next = byId.get(at.merged_into);
    // Missing people are reported by the check of references.
    if (!next) return at.merged_into;
    at = next;
  }
  return at.id;
}

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

/** The checks of each organisation as a whole. */
export async function brokenRules(session: Reading): Promise<HealthFinding[]> {
  const findings: HealthFinding[] = [];
  for (const { check, problem, sql } of rules) {
    const rows = await session.rows<{ example: string; total: number }>(
      `SELECT example, (count(*) OVER ())::int AS total FROM (${sql}) AS breaches ORDER BY example LIMIT ${maxExamples}`,
    );
    const [first] = rows;
    if (first) findings.push({ check, problem, count: first.total, examples: rows.map(({ example }) => example) });
  }
  return findings;
}

interface CheckedSquad {
  readonly organisation_id: string;
  readonly id: string;
  readonly name_key: string;
  readonly parent: string | null;
}

/** Squads that are above themselves. A parent that is not known yet is no mistake. */
export async function circularSquads(session: Reading): Promise<HealthFinding[]> {
  const findings = new Findings();
  const squads = await session.rows<CheckedSquad>(
    'SELECT organisation_id, id, name_key, parent FROM squads ORDER BY organisation_id, id',
  );
  // An identifier wins over a name, as in the directory.
  const known = new Map<string, CheckedSquad>();
  for (const squad of squads) known.set(`${squad.organisation_id} name ${squad.name_key}`, squad);
  for (const squad of squads) known.set(`${squad.organisation_id} id ${squad.id}`, squad);
  const above = ({ organisation_id, parent }: CheckedSquad): CheckedSquad | undefined =>
    parent === null
      ? undefined
      : (known.get(`${organisation_id} id ${parent}`) ?? known.get(`${organisation_id} name ${keyOf(parent)}`));
  for (const squad of squads) {
    const seen = new Set<CheckedSquad>();
    for (let at = above(squad); at !== undefined && !seen.has(at); at = above(at)) seen.add(at);
    if (seen.has(squad)) findings.add('squads', 'a squad is above itself', `${squad.organisation_id}/${squad.id}`);
  }
  return findings.all();
}

/** Memberships that a source is said to have brought, and that are not there. */
export async function strayMemberships(session: Reading): Promise<HealthFinding[]> {
  const findings = new Findings();
  const rows = await session.rows<{ source_id: string; team_id: string; person_id: string }>(
    `SELECT s.source_id, s.team_id, s.person_id FROM source_memberships s
     LEFT JOIN team_members m ON m.organisation_id = s.organisation_id AND m.team_id = s.team_id
       AND m.person_id = s.person_id
     WHERE m.person_id IS NULL ORDER BY s.source_id, s.team_id, s.person_id`,
  );
  for (const { source_id, team_id, person_id } of rows) {
    findings.add(
      'memberships',
      'a source brought a membership that is not there',
      [source_id, team_id, person_id].join('/'),
    );
  }
  return findings.all();
}
