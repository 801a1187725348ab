import { keyOf } from '../../name-key.ts';
import type { Reading } from '../../store/store.ts';
import { Findings, type HealthFinding } from '../finding.ts';

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
