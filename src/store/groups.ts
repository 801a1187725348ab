import type { Reading, Writing } from './store.ts';
import { type RowOf, type StoreTable, squadMembers, squads, teamManagers, teamMembers, teams } from './tables.ts';

export type TeamRow = RowOf<typeof teams>;
export type SquadRow = RowOf<typeof squads>;

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
}

/** Makes the members of one group members of another, and the group itself disappear. */
export async function foldGroup(
  session: Writing,
  kind: GroupKind,
  organisationId: string,
  from: string,
  into: string,
): Promise<void> {
  for (const { table, column } of kind.memberships) {
    await session.run(
      `DELETE FROM ${table.name} WHERE organisation_id = $1 AND ${column} = $2 AND person_id IN (
         SELECT person_id FROM ${table.name} WHERE organisation_id = $1 AND ${column} = $3)`,
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

export interface TeamMemberRow {
  readonly team_id: string;
  readonly team_name: string;
  readonly department: string | null;
  readonly person_id: string | null;
  readonly person_name: string | null;
}

/** Every team with its onboarded members, a row each; a team without any has one row without a person. */
export function teamsWithOnboardedMembers(session: Reading, organisationId: string): Promise<TeamMemberRow[]> {
  return session.rows(
    `WITH members AS (
       SELECT DISTINCT m.team_id, e.id, e.name
       FROM team_members m
       JOIN people p ON p.organisation_id = m.organisation_id AND p.id = m.person_id
       JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
       WHERE m.organisation_id = $1 AND e.onboarded)
     SELECT t.id AS team_id, t.name AS team_name, t.department, m.id AS person_id, m.name AS person_name
     FROM teams t LEFT JOIN members m ON m.team_id = t.id
     WHERE t.organisation_id = $1
     ORDER BY t.name, t.id, m.name, m.id`,
    [organisationId],
  );
}
