import type { SourcePersonRow } from '../../store/source-people.ts';
import type { AccountLink } from './account-links.ts';
import type { CodeHost } from './code-host.ts';
import type { HostState } from './host-state.ts';

/** How the accounts of a code host are kept from now on, as far as that differs from before. */
interface AccountRows {
  /** New, come back, or with an address that has become or is no longer somebody else's. */
  readonly changed: readonly SourcePersonRow[];
  /** No longer listed, as they were. */
  readonly left: readonly SourcePersonRow[];
  /** No longer listed, and nobody's: there is no history to keep them for. */
  readonly forgotten: readonly SourcePersonRow[];
}

export function accountRows(
  organisationId: string,
  { host }: CodeHost,
  { owner, accounts, unlinked }: HostState,
  links: ReadonlyMap<string, AccountLink>,
  isSomebodys: (login: string) => boolean,
): AccountRows {
  const listed = [...links.values()].map(
    ({ key, login, emailOwner }): SourcePersonRow => ({
      source_id: owner.sourceId,
      owner_key: owner.ownerKey,
      login_key: key,
      organisation_id: organisationId,
      host,
      login,
      is_unlinked: unlinked.has(key),
      email_person_id: emailOwner?.id ?? null,
      left_at: null,
    }),
  );
  const unlisted = [...accounts.values()].filter(({ login_key }) => !links.has(login_key));
  const isForgotten = ({ login, is_unlinked }: SourcePersonRow) => !is_unlinked && !isSomebodys(login);
  return {
    changed: listed.filter((row) => !isSame(row, accounts.get(row.login_key))),
    left: unlisted.filter((row) => row.left_at === null && !isForgotten(row)),
    forgotten: unlisted.filter(isForgotten),
  };
}

const isSame = (row: SourcePersonRow, known: SourcePersonRow | undefined): boolean =>
  known !== undefined &&
  row.login === known.login &&
  row.is_unlinked === known.is_unlinked &&
  row.email_person_id === known.email_person_id &&
  known.left_at === null;
