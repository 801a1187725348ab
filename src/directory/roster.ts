import { Refusal } from '../refusal.ts';
import type { Reading, Store } from '../store/store.ts';
import { VersionedCache } from '../store/versioned-cache.ts';
import type { OrganisationRoster } from './roster-entries.ts';
import { rosterOf } from './roster-of-snapshot.ts';
import { readSnapshot } from './snapshot.ts';

const organisationsMost = 50;

/** Who is in an organisation, kept until it changes. */
export class Roster {
  readonly #kept: VersionedCache<OrganisationRoster>;

  constructor(store: Store) {
    this.#kept = new VersionedCache<OrganisationRoster>(store, organisationsMost, readRoster);
  }

  of(organisationId: string): Promise<OrganisationRoster> {
    return this.#kept.get(organisationId);
  }
}

async function readRoster(session: Reading, organisationId: string): Promise<OrganisationRoster> {
  const snapshot = await readSnapshot(session, organisationId);
  if (!snapshot) throw new Refusal('not-found', `There is no organisation ${organisationId}.`);
  const managed = await session.rows<{ team_id: string; person_id: string }>(
    'SELECT team_id, person_id FROM team_managers WHERE organisation_id = $1 ORDER BY team_id',
    [organisationId],
  );
  return rosterOf(snapshot, managed);
}
