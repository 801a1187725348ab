import { keyOf } from '../../name-key.ts';
import type { Reading } from '../../store/store.ts';
import { Findings, type HealthFinding } from '../finding.ts';

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
