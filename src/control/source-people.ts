import type { ConfiguredSources } from '../configured-sources/configured-sources.ts';
import { unlinkAccount } from '../directory/code-host/account-links.ts';
import { codeHostOf } from '../directory/code-host/code-host.ts';
import type { TakenDirectory } from '../directory/code-host/host-changes.ts';
import { previewHostDirectories } from '../directory/code-host/take-host-directory.ts';
import type { Actor, Directory } from '../directory/directory.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import { Refusal } from '../refusal.ts';
import { openSource, readDirectories } from '../sources/open-source.ts';
import { type HostDirectory, SourceProblem } from '../sources/source.ts';
import { type ListedAccount, listAccounts } from '../store/source-people-rows.ts';
import type { SourceRow } from '../store/source-rows.ts';
import type { NamedSource } from './source-operations.ts';

interface SourcePeopleParts {
  readonly directory: Directory;
  readonly sources: ConfiguredSources;
}

const readingMs = 300_000;

/** The operations on the people whom a source brings. */
export function sourcePeopleOperationsOf({ directory, sources }: SourcePeopleParts, actor: Actor) {
  const { store } = directory;
  const sourceNamed = async (org: string, source: string): Promise<SourceRow> => {
    const { id } = await store.read((session) => resolveOrganisation(session, org));
    return sources.named(id, source);
  };
  const contextOf = ({ organisation_id }: SourceRow) => ({ organisationId: organisation_id, actor });

  return {
    /** The accounts that a source has listed, and whose they are. */
    async listSourcePeople({ org, source }: NamedSource) {
      const row = await sourceNamed(org, source);
      const accounts = await store.read((session) => listAccounts(session, row.organisation_id, row.id));
      return accounts.map(accountView);
    },
    /** Reads members and teams now, and says what a sync would change. */
    async previewSourcePeople({ org, source }: NamedSource) {
      const row = await sourceNamed(org, source);
      const { host, members } = await readMembers(sources, row);
      return (await previewHostDirectories(directory, contextOf(row), host, members)).map(previewOf);
    },
    /** Takes an account from the person that it was linked to. */
    async unlinkAccount({ org, source, login }: NamedSource & { login: string }) {
      const row = await sourceNamed(org, source);
      const { personId, ...unlinked } = await unlinkAccount(directory, contextOf(row), codeHostOf(row, {}), login);
      return { login: unlinked.login, merged_user_id: personId, name: unlinked.name };
    },
  };
}

async function readMembers(sources: ConfiguredSources, row: SourceRow) {
  const signal = AbortSignal.timeout(readingMs);
  let members: HostDirectory[];
  try {
    // Without a memory: a dry look must not decide under which name a repository is first seen.
    const { kind, settings, mayBePrivate } = await sources.prepare(row);
    const opened = openSource(kind, settings, { mayBePrivate, isShort: true, signal });
    try {
      members = await readDirectories(opened.source);
    } finally {
      opened.close();
    }
    if (members.length > 0) return { host: codeHostOf(row, settings), members };
  } catch (error) {
    if (error instanceof SourceProblem) throw new Refusal('conflict', `${error.message}. ${error.toDo}`);
    if (!signal.aborted) throw error;
    throw new Refusal('too-slow', `Reading the members took more than ${readingMs / 60_000} minutes. Try again later.`);
  }
  throw new Refusal('conflict', `The source '${row.name}' has no members and teams that it can see.`);
}

export type AccountView = ReturnType<typeof accountView>;

const accountView = (account: ListedAccount) => ({
  login: account.login,
  /** The organisation on the code host. */
  owner: account.owner_key,
  /** The person of the account; null where it belongs to no one until the next sync. */
  merged_user_id: account.person_id,
  name: account.name,
  onboarded: account.onboarded,
  /** Since when the code host no longer lists it. */
  left_at: account.left_at?.toISOString() ?? null,
  is_unlinked: account.is_unlinked,
  /** Another person who has its verified email address. */
  email_belongs_to: account.email_person_name,
});

export type DirectoryPreview = ReturnType<typeof previewOf>;
export type LinkView = DirectoryPreview['people'][number];

const previewOf = (taken: TakenDirectory) => ({
  owner: taken.owner,
  people: taken.accounts.map(({ login, linkedBy, personId, name, emailOwner }) => ({
    login,
    linked_by: linkedBy,
    /** Null for a new person. */
    merged_user_id: linkedBy === 'new' ? null : personId,
    name,
    email_belongs_to: emailOwner?.name ?? null,
  })),
  new_teams: taken.teamsMade,
  memberships_added: taken.membershipsAdded,
  memberships_removed: taken.membershipsRemoved,
  left: taken.left.map(({ login, name }) => ({ login, name: name ?? null })),
  offboarded: taken.offboarded.map(({ id, name }) => ({ merged_user_id: id, name })),
  problems: taken.problems,
});
