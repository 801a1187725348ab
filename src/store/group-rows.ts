import {
  type StoreRowOf,
  type StoreTable,
  squadMembers,
  squads,
  teamManagers,
  teamMembers,
  teams,
} from './all-store-tables.ts';
import { renameTeamInDocuments } from './document-rows.ts';
import { sourceMemberships } from './source-tables.ts';
import type { Reading, Writing } from './store.ts';

export type TeamRow = StoreRowOf<typeof teams>;
export type SquadRow = StoreRowOf<typeof squads>;

/** A kind of group that people belong to by name, and the tables that say who belongs. */
export interface GroupKind<R extends TeamRow | SquadRow = TeamRow | SquadRow> {
  readonly table: StoreTable & { readonly row?: R };
  readonly memberships: readonly { readonly table: StoreTable; readonly column: 'team_id' | 'squad_id' }[];
}

export const teamKind: GroupKind<TeamRow> = {
  table: teams,
  memberships: [
    { table: teamMembers, column: 'team_id' },
    { table: teamManagers, column: 'team_id' },
    { table: sourceMemberships, column: 'team_id' },
  ],
};
export const squadKind: GroupKind<SquadRow> = {
  table: squads,
  memberships: [{ table: squadMembers, column: 'squad_id' }],
};

export function listGroups<R extends TeamRow | SquadRow>(
  session: Reading,
  kind: GroupKind<R>,
  organisationId: string,
): Promise<R[]> {
  return session.rows(`SELECT * FROM ${kind.table.name} WHERE organisation_id = $1 ORDER BY name, id`, [
    organisationId,
  ]);
}

/** Gives a group another identifier, and takes its members along. */
export async function renumberGroup(
  session: Writing,
  kind: GroupKind,
  organisationId: string,
  from: string,
  to: string,
): Promise<void> {
  await session.run(`UPDATE ${kind.table.name} SET id = $3 WHERE organisation_id = $1 AND id = $2`, [
    organisationId,
    from,
    to,
  ]);
  for (const { table, column } of kind.memberships) {
    await session.run(`UPDATE ${table.name} SET ${column} = $3 WHERE organisation_id = $1 AND ${column} = $2`, [
      organisationId,
      from,
      to,
    ]);
  }
  if (kind.table === teams) await renameTeamInDocuments(session, organisationId, from, to);
}

/** Makes the members of one group members of another, and the group itself disappear. */
export async function mergeGroup(
  session: Writing,
  kind: GroupKind,
  organisationId: string,
  from: string,
  into: string,
): Promise<void> {
  if (kind.table === teams) await keepMadeByHand(session, organisationId, [from, into]);
  for (const { table, column } of kind.memberships) {
    const others = table.key.filter((name) => name !== column && name !== 'organisation_id');
    const isSame = others.map((name) => `same.${name} = ${table.name}.${name}`).join(' AND ');
    await session.run(
      `DELETE FROM ${table.name} WHERE organisation_id = $1 AND ${column} = $2 AND EXISTS (
         SELECT 1 FROM ${table.name} same WHERE same.organisation_id = $1 AND same.${column} = $3 AND ${isSame})`,
      [organisationId, from, into],
    );
  }
  await session.run(`DELETE FROM ${kind.table.name} WHERE organisation_id = $1 AND id = $2`, [organisationId, from]);
  for (const { table, column } of kind.memberships) {
    await session.run(`UPDATE ${table.name} SET ${column} = $3 WHERE organisation_id = $1 AND ${column} = $2`, [
      organisationId,
      from,
      into,
    ]);
  }
  if (kind.table === teams) await renameTeamInDocuments(session, organisationId, from, into);
}

/** People who belong to one of these teams by hand belong by hand to the team that takes its place. */
async function keepMadeByHand(session: Writing, organisationId: string, teamIds: readonly string[]): Promise<void> {
  await session.run(
    `DELETE FROM source_memberships WHERE organisation_id = $1 AND team_id IN (SELECT unnest($2::text[]))
     AND person_id IN (
       SELECT m.person_id FROM team_members m
       LEFT JOIN source_memberships s ON s.organisation_id = m.organisation_id AND s.team_id = m.team_id
         AND s.person_id = m.person_id
       WHERE m.organisation_id = $1 AND m.team_id IN (SELECT unnest($2::text[])) AND s.source_id IS NULL)`,
    [organisationId, teamIds],
  );
}

export async function removeGroups(
  session: Writing,
  kind: GroupKind,
  organisationId: string,
  ids: readonly string[],
): Promise<void> {
  for (const { table, column } of [{ table: kind.table, column: 'id' }, ...kind.memberships]) {
    await session.run(
      `DELETE FROM ${table.name} WHERE organisation_id = $1 AND ${column} IN (SELECT unnest($2::text[]))`,
      [organisationId, ids],
    );
  }
}

interface MemberRow {
  readonly team_id: string;
  readonly id: string;
  readonly name: string;
}

/** The onboarded members of all teams, by name; a merged person as often as parts of them are in a team. */
export function onboardedMembers(session: Reading, organisationId: string): Promise<MemberRow[]> {
  return session.rows(
    `SELECT m.team_id, e.id, e.name
     FROM team_members m
     JOIN people p ON p.organisation_id = m.organisation_id AND p.id = m.person_id
     JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
     WHERE m.organisation_id = $1 AND e.onboarded
     ORDER BY e.name, e.id`,
    [organisationId],
  );
}
