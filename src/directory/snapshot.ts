import {
  identities,
  people,
  repositories,
  type StoreRowOf,
  type StoreTable,
  squadMembers,
  teamMembers,
} from '../store/all-store-tables.ts';
import { listGroups, type SquadRow, squadKind, type TeamRow, teamKind } from '../store/group-rows.ts';
import { findOrganisation, type OrganisationRow } from '../store/organisation-rows.ts';
import type { IdentityRow, PersonRow } from '../store/people-rows.ts';
import { selectList } from '../store/put-rows.ts';
import type { Reading } from '../store/store.ts';

export type RepositoryRow = StoreRowOf<typeof repositories>;

/** Everything that an organisation's tables depend on, in one state. */
export interface DirectorySnapshot {
  readonly organisation: OrganisationRow;
  readonly people: readonly PersonRow[];
  readonly identities: readonly IdentityRow[];
  readonly teams: readonly TeamRow[];
  readonly squads: readonly SquadRow[];
  readonly teamMembers: readonly { readonly team_id: string; readonly person_id: string }[];
  readonly squadMembers: readonly { readonly squad_id: string; readonly person_id: string }[];
  readonly repositories: readonly RepositoryRow[];
}

/** Undefined when there is no such organisation. */
export async function readSnapshot(session: Reading, organisationId: string): Promise<DirectorySnapshot | undefined> {
  const organisation = await findOrganisation(session, organisationId);
  if (!organisation) return undefined;
  const all = <T extends StoreTable>(table: T) =>
    session.rows<StoreRowOf<T>>(`SELECT ${selectList(table, 't')} FROM ${table.name} t WHERE t.organisation_id = $1`, [
      organisationId,
    ]);
  return {
    organisation,
    people: await all(people),
    identities: await all(identities),
    teams: await listGroups(session, teamKind, organisationId),
    squads: await listGroups(session, squadKind, organisationId),
    teamMembers: await all(teamMembers),
    squadMembers: await all(squadMembers),
    repositories: await all(repositories),
  };
}
