import { teamsWithOnboardedMembers } from '../store/groups.ts';
import { type OnboardedUser, onboardedUsers } from '../store/people.ts';
import type { Store } from '../store/store.ts';
import { VersionedCache } from '../store/versioned-cache.ts';
import { codeHosts } from './identifier.ts';

export type { OnboardedUser } from '../store/people.ts';

export interface Team {
  readonly team_id: string;
  readonly team_name: string;
  readonly department: string | null;
  /** Null, not empty, when nobody in the team is onboarded. */
  readonly members: readonly { readonly merged_user_id: string; readonly name: string }[] | null;
}

const organisationsMost = 500;

/** The two listings that anybody with a key may read, kept until the organisation changes. */
export class Listings {
  readonly #teams: VersionedCache<readonly Team[]>;
  readonly #users: VersionedCache<readonly OnboardedUser[]>;

  constructor(store: Store) {
    this.#teams = new VersionedCache<readonly Team[]>(store, organisationsMost, async (session, organisationId) => {
      const rows = await teamsWithOnboardedMembers(session, organisationId);
      const teams = new Map<string, Team & { members: { merged_user_id: string; name: string }[] | null }>();
      for (const { team_id, team_name, department, person_id, person_name } of rows) {
        const team = teams.get(team_id) ?? { team_id, team_name, department, members: null };
        if (person_id !== null) {
          team.members ??= [];
          team.members.push({ merged_user_id: person_id, name: person_name ?? '' });
        }
        teams.set(team_id, team);
      }
      return [...teams.values()];
    });
    this.#users = new VersionedCache<readonly OnboardedUser[]>(store, organisationsMost, (session, organisationId) =>
      onboardedUsers(session, organisationId, codeHosts),
    );
  }

  /** The same array for as long as nothing changes, so that a caller may keep what it made of it. */
  teams(organisationId: string): Promise<readonly Team[]> {
    return this.#teams.get(organisationId);
  }

  onboardedUsers(organisationId: string): Promise<readonly OnboardedUser[]> {
    return this.#users.get(organisationId);
  }
}
