import { Roster } from '../directory/roster.ts';
import type { Store } from '../store/store.ts';

/** A person as a command names them. */
export interface PersonView {
  readonly merged_user_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly access_role: string;
  readonly onboarded: boolean;
  readonly is_bot: boolean;
}

/** A person as the list of people shows them. */
export interface ListedPerson extends PersonView {
  readonly teams: readonly string[];
  readonly logins: readonly string[];
}

/** Everyone of an organisation by name, each person once, however many accounts were merged into them. */
export async function listedPeople(store: Store, organisationId: string): Promise<ListedPerson[]> {
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
