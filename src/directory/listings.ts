import { codeHosts } from '../catalogue/record-ids.ts';
import { listGroups, onboardedMembers, teamKind } from '../store/group-rows.ts';
import { type OnboardedUser, onboardedUsers } from '../store/people-rows.ts';
import type { Store } from '../store/store.ts';
import { VersionedCache } from '../store/versioned-cache.ts';

export type { OnboardedUser } from '../store/people-rows.ts';

export interface ListedTeam {
  readonly team_id: string;
  readonly team_name: string;
  readonly department: string | null;
  /** Null, not empty, when nobody in the team is onboarded. */
  readonly members: readonly { readonly merged_user_id: string; readonly name: string }[] | null;
}

const maxOrganisations = 500;

/** The two listings that anybody with a key may read, kept until the organisation changes. */
export class Listings {
  readonly #teams: VersionedCache<readonly ListedTeam[]>;
  readonly #users: VersionedCache<readonly OnboardedUser[]>;

  constructor(store: Store) {
    this.#teams = new VersionedCache<readonly ListedTeam[]>(
      store,
      maxOrganisations,
      async (session, organisationId) => {
        const members = new Map<string, Map<string, { readonly merged_user_id: string; readonly name: string }>>();
        for (const { team_id, id, name } of await onboardedMembers(session, organisationId)) {
          // Once only, however many of the people who became this one were in the team.
          const team = members.get(team_id) ?? new Map();
          if (!team.has(id)) team.set(id, { merged_user_id: id, name });
          members.set(team_id, team);
        }
        return (await listGroups(session, teamKind, organisationId)).map(({ id, name, department }) => ({
          team_id: id,
          team_name: name,
          department,
          members: members.has(id) ? [...(members.get(id)?.values() ?? [])] : null,
        }));
      },
    );
    this.#users = new VersionedCache<readonly OnboardedUser[]>(store, maxOrganisations, (session, organisationId) =>
      onboardedUsers(session, organisationId, codeHosts),
    );
  }

  /** Returns one array for as long as nothing changes, so that a caller may keep what it made of it. */
  teams(organisationId: string): Promise<readonly ListedTeam[]> {
    return this.#teams.get(organisationId);
  }

  onboardedUsers(organisationId: string): Promise<readonly OnboardedUser[]> {
    return this.#users.get(organisationId);
  }
}
