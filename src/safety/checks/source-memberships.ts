import type { Reading } from '../../store/store.ts';
import { Findings, type HealthFinding } from '../finding.ts';

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
