import { type HostDirectory, SourceProblem } from '../../sources/source.ts';
import { type Actor, type AuditedAction, audit } from '../../store/audit.ts';
import { listPeople, type PersonRow, setOnboarded } from '../../store/people-rows.ts';
import {
  addSourceMemberships,
  listedPeople,
  putSourcePeople,
  removeSourceMemberships,
  removeSourcePeople,
  type SourcePersonRow,
} from '../../store/source-people-rows.ts';
import { findSource, SourceRemoved } from '../../store/source-rows.ts';
import type { OrganisationWriting } from '../../store/store.ts';
import { compareTexts, keyOf } from '../../text-comparison.ts';
import { type ChangedRows, changedRows } from '../changed-rows.ts';
import { isTooLong, maxIdentifierLength } from '../identifier.ts';
import { PeopleDraft } from '../people-draft.ts';
import { type AccountLink, accountRecord, type LinkRules, linkAccount } from './account-links.ts';
import { type CodeHost, loginIdentity } from './code-host.ts';
import {
  type HostState,
  type Membership,
  type MembershipChange,
  membershipChange,
  readHostState,
} from './host-state.ts';

/** The changes that members and teams of a code host have made, or would make. */
export interface TakenDirectory {
  /** The organisation on the host. */
  readonly owner: string;
  readonly accounts: readonly AccountLink[];
  readonly teamsMade: readonly string[];
  readonly membershipsAdded: readonly NamedMembership[];
  readonly membershipsRemoved: readonly NamedMembership[];
  /** Accounts that the host no longer lists. */
  readonly left: readonly { readonly login: string; readonly name: string | undefined }[];
  readonly offboarded: readonly { readonly id: string; readonly name: string }[];
  readonly rows: ChangedRows;
  /** The entries that could not be taken, and why. */
  readonly problems: readonly string[];
}

interface NamedMembership {
  readonly team: string;
  readonly person: string;
}

/**
 * Lets people, teams and memberships follow a code host, inside one change.
 *
 *     known before ─▸ link accounts ─▸ place in teams ─▸ write ─▸ offboard leavers
 */
export async function applyHostDirectory(
  session: OrganisationWriting,
  { at, actor }: { readonly at: Date; readonly actor: Actor },
  host: CodeHost,
  members: HostDirectory,
): Promise<{ readonly taken: TakenDirectory; readonly isNews: boolean }> {
  // People from a removed source could not be removed again.
  if (!(await findSource(session, host.sourceId))) throw new SourceRemoved();
  const state = await readHostState(session, host, members.owner);
  // Every organisation has people: a host that lists none hides them.
  if (members.people.length === 0 && state.accounts.size > 0) throw nobodyListed(members.owner);
  const problems: string[] = [];
  const { draft, links } = await linkAccounts(session, at, host, state, members, problems);
  const memberships = placeInTeams(draft, state, links, members, problems);
  const whose = (login: string) => draft.ownerOf(loginIdentity(host.host, login))?.row;
  const rows = accountRows(session.organisationId, host, state, links, (login) => whose(login) !== undefined);

  const auditedActions = await draft.save();
  await putSourcePeople(session, [...rows.changed, ...rows.left.map((row) => ({ ...row, left_at: at }))]);
  await removeSourcePeople(
    session,
    state.owner,
    rows.forgotten.map(({ login_key }) => login_key),
  );
  await removeSourceMemberships(session, state.owner, memberships.noLongerBrought);
  await addSourceMemberships(session, state.owner, memberships.nowBrought);
  const left = rows.left.map(({ login }) => ({ login, person: whose(login) }));
  const leavers = left.flatMap(({ person }) => person?.effective_id ?? []);
  const offboarding = host.offboardLeavers
    ? await offboardLeavers(session, leavers)
    : { people: [], auditedActions: [] };

  const written = [...Object.values(rows), memberships.nowBrought, memberships.noLongerBrought, auditedActions];
  const isNews = written.some((one) => one.length > 0);
  if (isNews) {
    const details = { owner: members.owner, accounts: links.size, left: left.length };
    const summary = { action: 'source.people', subject: host.sourceId, details } as const;
    await audit(session, actor, at, [...auditedActions, ...offboarding.auditedActions, summary]);
  }
  const taken: TakenDirectory = {
    owner: members.owner,
    accounts: [...links.values()],
    teamsMade: teamsMadeIn(auditedActions),
    membershipsAdded: namedIn(draft, memberships.added),
    membershipsRemoved: namedIn(draft, memberships.removed),
    left: left.map(({ login, person }) => ({ login, name: person?.name })),
    offboarded: offboarding.people.map(({ id, name }) => ({ id, name })),
    rows: changedRows([...auditedActions, ...offboarding.auditedActions]),
    problems,
  };
  return { taken, isNews };
}

export const teamsMadeIn = (auditedActions: readonly AuditedAction[]): string[] =>
  auditedActions.flatMap(({ action, details }) => (action === 'team.create' ? [String(details?.name)] : []));

export const namedIn = (draft: PeopleDraft, all: readonly Membership[]): NamedMembership[] =>
  all
    .map(({ teamId, personId }) => ({
      team: draft.teamName(teamId) ?? teamId,
      person: draft.person(personId)?.row.name ?? personId,
    }))
    .toSorted((a, b) => compareTexts(a.team, b.team) || compareTexts(a.person, b.person));

async function linkAccounts(
  session: OrganisationWriting,
  at: Date,
  { host }: CodeHost,
  { accounts, unlinked, brought }: HostState,
  { people }: HostDirectory,
  problems: string[],
): Promise<{ readonly draft: PeopleDraft; readonly links: Map<string, AccountLink> }> {
  const rules: LinkRules = {
    host,
    isUnlinked: (key) => unlinked.has(key),
    isKnown: (key) => accounts.get(key)?.left_at === null,
  };
  const wanted = people
    .map((person) => ({ login: person.login, record: accountRecord(person, rules) }))
    .toSorted((a, b) => compareTexts(keyOf(a.login), keyOf(b.login)));
  const draft = await PeopleDraft.load(session, at, [
    ...wanted.flatMap(({ record }) => (typeof record === 'string' ? [] : [record])),
    ...[...accounts.values()].map(({ login }) => ({ logins: { [host]: login } })),
    ...[...new Set(brought.map(({ personId }) => personId))].map((merged_user_id) => ({ merged_user_id })),
  ]);
  const links = new Map<string, AccountLink>();
  for (const { login, record } of wanted) {
    if (links.has(keyOf(login))) continue;
    const link = typeof record === 'string' ? record : linkAccount(draft, record, login, rules);
    if (typeof link === 'string') problems.push(link);
    else links.set(link.key, link);
  }
  return { draft, links };
}

/** Teams are found by name or made. Only people who are listed themselves are placed in them. */
function placeInTeams(
  draft: PeopleDraft,
  state: HostState,
  links: ReadonlyMap<string, AccountLink>,
  { teams }: HostDirectory,
  problems: string[],
): MembershipChange {
  const wanted = teams.flatMap(({ name, logins }) => {
    const problem = teamNameProblem(name);
    if (problem !== undefined) {
      problems.push(problem);
      return [];
    }
    const teamId = draft.teamNamed(name);
    return logins.flatMap((login) => {
      const link = links.get(keyOf(login));
      return link ? [{ teamId, personId: link.personId }] : [];
    });
  });
  return placeMembers(draft, state, wanted);
}

/** Lets the memberships that a source brings be these. */
export function placeMembers(
  draft: PeopleDraft,
  { brought, isBroughtByOthers }: HostState,
  wanted: readonly Membership[],
): MembershipChange {
  const isThere = ({ teamId, personId }: Membership) => draft.person(personId)?.teams.includes(teamId) ?? false;
  const change = membershipChange({ wanted, isThere, brought, isBroughtByOthers });
  for (const { teamId, personId } of change.removed) {
    draft.placeInTeams(
      personId,
      (draft.person(personId)?.teams ?? []).filter((id) => id !== teamId),
    );
  }
  for (const { teamId, personId } of change.added) {
    draft.placeInTeams(personId, [...(draft.person(personId)?.teams ?? []), teamId]);
  }
  return change;
}

export function teamNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'a team has a blank name';
  return isTooLong(name) ? `the name of a team must have at most ${maxIdentifierLength} characters` : undefined;
}

const nobodyListed = (owner: string): SourceProblem =>
  new SourceProblem(
    `${owner} lists no members any more`,
    'No one is taken to have left. Check that the token may still read the members of the organisation.',
    { mayPass: true },
  );

interface Offboarding {
  readonly people: readonly Pick<PersonRow, 'id' | 'name'>[];
  readonly auditedActions: readonly AuditedAction[];
}

/**
 * Offboards people who have just left a code host. A person whom another host still lists, or the same one under
 * another login, has not left. An organisation keeps an Owner who is onboarded, whatever a code host says.
 */
export async function offboardLeavers(
  session: OrganisationWriting,
  personIds: readonly string[],
): Promise<Offboarding> {
  if (personIds.length === 0) return { people: [], auditedActions: [] };
  const leaving = new Set(personIds);
  const listed = await listedPeople(session, session.organisationId);
  const everybody = await listPeople(session, session.organisationId);
  let ownersLeft = everybody.filter((person) => person.onboarded && isOwner(person)).length;
  const people = everybody.filter((person) => {
    if (!person.onboarded || !leaving.has(person.id) || listed.has(person.id)) return false;
    if (!isOwner(person)) return true;
    if (ownersLeft === 1) return false;
    ownersLeft -= 1;
    return true;
  });
  const ids = people.map(({ id }) => id);
  await setOnboarded(session, session.organisationId, ids, false);
  return { people, auditedActions: ids.map((subject) => ({ action: 'person.offboard', subject })) };
}

const isOwner = ({ access_role }: PersonRow): boolean => access_role === 'Owner';

/** How the accounts of a code host are kept from now on, as far as that differs from before. */
interface AccountRows {
  /** The person is new, has come back, or their address has become, or is no longer, that of another person. */
  readonly changed: readonly SourcePersonRow[];
  /** No longer listed, as they were. */
  readonly left: readonly SourcePersonRow[];
  /** No longer listed, and nobody's: there is no history to keep them for. */
  readonly forgotten: readonly SourcePersonRow[];
}

function accountRows(
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
