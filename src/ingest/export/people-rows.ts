import { lastActivity } from '../../catalogue/derivation-state.ts';
import { peopleCopy, teamMembersCopy, teamsCopy } from '../../catalogue/directory-copies.ts';
import type { Row } from '../../catalogue/table.ts';
import { compareTexts } from '../../text-order.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';

interface TeamNames {
  readonly team_name: string | null;
  readonly department: string | null;
}

/** The teams of everybody, each person's by name. */
async function teamsOfPeople(session: TableReader): Promise<Map<string, TeamNames[]>> {
  const known = await session.select(teamsCopy, ['team_id', 'team_name', 'department']);
  const teams = new Map(known.map(({ team_id, ...team }) => [team_id, team]));
  const theirs = new Map<string, TeamNames[]>();
  for (const { team_id, merged_user_id } of await session.select(teamMembersCopy, ['team_id', 'merged_user_id'])) {
    const team = teams.get(team_id);
    if (!team || merged_user_id === null) continue;
    const some = theirs.get(merged_user_id) ?? [];
    theirs.set(merged_user_id, some);
    some.push(team);
  }
  for (const some of theirs.values()) some.sort((a, b) => compareTexts(a.team_name ?? '', b.team_name ?? ''));
  return theirs;
}

/** Whose answers they are is never shown; their teams are. */
export async function withTeamNames(session: TableReader): Promise<(rows: readonly Row[]) => Row[]> {
  const teams = await teamsOfPeople(session);
  return (rows) =>
    rows.map((row) => ({
      ...row,
      team_names: JSON.stringify((teams.get(String(row.merged_user_id)) ?? []).map(({ team_name }) => team_name)),
    }));
}

/** Everybody who counts in metrics, one row each. */
export async function peopleRows(session: TableReader): Promise<Row[]> {
  const people = await session.select(peopleCopy, [
    'merged_user_id',
    'name',
    'main_email',
    'github_username',
    'role',
    'level',
    'location',
    'manager_id',
    'salary',
    'is_bot',
    'onboarded',
    'user_created_date',
    'sources',
  ]);
  const names = new Map(people.map(({ merged_user_id, name }) => [merged_user_id, name]));
  const teams = await teamsOfPeople(session);
  const seen = await session.select(lastActivity, ['merged_user_id', 'last_active_at']);
  const activity = new Map(seen.map(({ merged_user_id, last_active_at }) => [merged_user_id, last_active_at]));
  return people
    .filter(({ onboarded }) => onboarded === true)
    .map(({ manager_id, onboarded: _, ...person }) => {
      const theirs = teams.get(person.merged_user_id ?? '') ?? [];
      const departments = [...new Set(theirs.flatMap(({ department }) => department ?? []))].sort(compareTexts);
      return {
        ...person,
        team_name: theirs[0]?.team_name ?? null,
        team_names: JSON.stringify(theirs.map(({ team_name }) => team_name)),
        departments: JSON.stringify(departments),
        manager_name: (manager_id === null ? null : names.get(manager_id)) ?? null,
        last_active_at: activity.get(person.merged_user_id) ?? null,
      };
    })
    .sort((a, b) => compareTexts(a.merged_user_id ?? '', b.merged_user_id ?? ''));
}
