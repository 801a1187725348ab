import { Roster } from '../directory/roster.ts';
import type { PersonRow } from '../store/people-rows.ts';
import type { Store } from '../store/store.ts';

/** A person as a command names them. */
export type PersonView = ReturnType<typeof personView>;

export const personView = ({ id, name, main_email, access_role, onboarded, is_bot }: PersonRow) => ({
  merged_user_id: id,
  name,
  email: main_email,
  access_role,
  onboarded,
  is_bot,
});

/** Everyone of an organisation by name, each person once, however many accounts were merged into them. */
export async function listedPeople(store: Store, organisationId: string) {
  const { people } = await new Roster(store).of(organisationId);
  return people.map(({ id, name, email, accessRole, onboarded, isBot, teams, logins }) => ({
    merged_user_id: id,
    name,
    email,
    access_role: accessRole,
    onboarded,
    is_bot: isBot,
    teams: teams.map((team) => team.name),
    logins: logins.map(({ source, login }) => `${source}:${login}`),
  }));
}
