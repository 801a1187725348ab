import { randomUUID } from 'node:crypto';
import { unlinkAccount } from '../../../src/directory/code-host/account-links.ts';
import { previewHostDirectories, takeHostDirectory } from '../../../src/directory/code-host/take-host-directory.ts';
import type { HostDirectory, HostPerson, HostTeam } from '../../../src/sources/source.ts';
import { type ListedAccount, listAccounts } from '../../../src/store/source-people-rows.ts';
import { addSource, removeSource } from '../../../src/store/source-rows.ts';
import type { Store } from '../../../src/store/store.ts';
import { organisation } from '../../conformance/organisation.ts';
import { noon } from '../../conformance/stores.ts';

/** Members by login, or with all that the host says of them; teams by name, with their logins. */
export interface OnHost {
  readonly owner?: string;
  readonly people: readonly (string | HostPerson)[];
  readonly teams?: Readonly<Record<string, readonly string[]>>;
}

const directoryOnHost = ({ owner = 'acme', people, teams = {} }: OnHost): HostDirectory => ({
  owner,
  people: people.map((person) => (typeof person === 'string' ? { login: person } : person)),
  teams: Object.entries(teams).map(([name, logins]): HostTeam => ({ name, logins })),
});

/** An organisation whose code hosts are read by sources, and short words for what the tests do. */
export async function acmeOnHost(store: Store) {
  const acme = await organisation(store);
  const source = async ({ offboardLeavers = false, host = 'github' } = {}) => {
    const sourceId = randomUUID();
    await store.change(acme.id, (session) =>
      addSource(session, {
        id: sourceId,
        organisation_id: acme.id,
        kind: host,
        name: sourceId,
        name_key: sourceId,
        added_by: 'command',
        settings: '{}',
        secrets: null,
        webhook_secret: null,
        created_at: noon,
      }),
    );
    const codeHost = { sourceId, host, offboardLeavers };
    const context = { organisationId: acme.id, actor: { via: 'source', sourceId } } as const;
    return {
      id: sourceId,
      take: (members: OnHost) => takeHostDirectory(acme.directory, context, codeHost, directoryOnHost(members)),
      /** Logins by the slug of each team, of which `names` may have the name. */
      report: (teams: Readonly<Record<string, readonly string[]>>, names: Readonly<Record<string, string>> = {}) => {
        const reported = Object.entries(teams).map(([slug, logins]) => ({
          slug,
          logins,
          ...(names[slug] !== undefined && { name: names[slug] }),
        }));
        return takeHostDirectory(acme.directory, context, codeHost, { owner: 'acme', reported });
      },
      preview: (...all: readonly OnHost[]) =>
        previewHostDirectories(acme.directory, context, codeHost, all.map(directoryOnHost)),
      unlink: (login: string) => unlinkAccount(acme.directory, acme.context, codeHost, login),
      remove: () => store.change(acme.id, (session) => removeSource(session, sourceId)),
    };
  };
  return {
    ...acme,
    source,
    accounts: (sourceId?: string): Promise<ListedAccount[]> =>
      store.read((session) => listAccounts(session, acme.id, sourceId)),
    version: () =>
      store.read(async (session) => {
        const [row] = await session.rows<{ version: number }>('SELECT version FROM organisations WHERE id = $1', [
          acme.id,
        ]);
        return row?.version;
      }),
    /** `team: person`, sorted. */
    memberships: () =>
      store.read(async (session) => {
        const rows = await session.rows<{ team: string; person: string }>(
          `SELECT t.name AS team, p.name AS person FROM team_members m
           JOIN teams t ON t.organisation_id = m.organisation_id AND t.id = m.team_id
           JOIN people p ON p.organisation_id = m.organisation_id AND p.id = m.person_id
           WHERE m.organisation_id = $1`,
          [acme.id],
        );
        return rows.map(({ team, person }) => `${team}: ${person}`).sort();
      }),
  };
}
