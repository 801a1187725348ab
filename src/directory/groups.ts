import type { PersonRecord } from '../catalogue/directory-records.ts';
import { Refusal } from '../refusal.ts';
import { type AuditedAction, audit } from '../store/audit.ts';
import { type GroupKind, listGroups, type SquadRow, squadKind, type TeamRow, teamKind } from '../store/group-rows.ts';
import { mergedWith } from '../store/people-rows.ts';
import type { OrganisationWriting } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import type { ChangeContext, Directory } from './directory.ts';
import { SquadsDraft, TeamsDraft } from './group-records.ts';
import { PeopleDraft } from './people-draft.ts';

export type GroupOfPeople = 'team' | 'squad';

/** The fields of a team or a squad. A field left out stays as it is, null clears it. */
export interface GroupChanges {
  readonly name?: string;
  /** Of a team. */
  readonly department?: string | null;
  /** Of a squad: its level, the identifier of the squad above, and that of who leads it. */
  readonly level?: number | null;
  readonly parent?: string | null;
  readonly lead?: string | null;
  /** Identifiers of people who come and go. */
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

interface FoundGroup {
  readonly kind: GroupOfPeople;
  readonly id: string;
  readonly name: string;
}

/** Makes a team or a squad. */
export function createGroup(
  { store, now }: Directory,
  context: ChangeContext,
  kind: GroupOfPeople,
  changes: GroupChanges & { readonly name: string },
): Promise<FoundGroup> {
  const change = async (session: OrganisationWriting) => {
    const namesake = (await groupsIn(session)).find(
      (one) => one.kind === kind && keyOf(one.name) === keyOf(changes.name),
    );
    if (namesake) throw new Refusal('conflict', `There is a ${kind} called '${namesake.name}' already.`);
    const actions = await putGroup(session, kind, changes);
    const made = (await groupsIn(session)).find((one) => one.kind === kind && keyOf(one.name) === keyOf(changes.name));
    if (!made) throw new Error('a group was made and is not there');
    const moved = await moveMembers(session, now(), made, changes);
    await audit(session, context.actor, now(), [...actions, ...moved]);
    return made;
  };
  return store.change(context.organisationId, change, context);
}

/** Changes a team or a squad, by its identifier. */
export function changeGroup(
  { store, now }: Directory,
  context: ChangeContext,
  id: string,
  changes: GroupChanges,
  kind?: GroupOfPeople,
): Promise<FoundGroup> {
  const change = async (session: OrganisationWriting) => {
    const group = await groupWith(session, id, kind);
    const actions = await putGroup(session, group.kind, changes, group.id);
    const renamed = await groupWith(session, id, group.kind);
    const moved = await moveMembers(session, now(), renamed, changes);
    await audit(session, context.actor, now(), [...actions, ...moved]);
    return renamed;
  };
  return store.change(context.organisationId, change, context);
}

/** Removes a team or a squad; the people in it stay. */
export function removeGroup(
  { store, now }: Directory,
  context: ChangeContext,
  id: string,
  kind?: GroupOfPeople,
): Promise<FoundGroup> {
  const change = async (session: OrganisationWriting) => {
    const group = await groupWith(session, id, kind);
    const draft = group.kind === 'team' ? await TeamsDraft.load(session) : await SquadsDraft.load(session);
    const gone = group.kind === 'team' ? { team_id: group.id } : { squad_id: group.id };
    const problem = draft.apply({ ...gone, _deleted: true });
    if (problem) throw new Refusal('bad-input', `${group.name} ${problem}.`);
    await audit(session, context.actor, now(), await draft.save());
    return group;
  };
  return store.change(context.organisationId, change, context);
}

async function groupsIn(session: OrganisationWriting): Promise<FoundGroup[]> {
  const of = async <R extends TeamRow | SquadRow>(kind: GroupOfPeople, table: GroupKind<R>) =>
    (await listGroups(session, table, session.organisationId)).map(({ id, name }) => ({ kind, id, name }));
  return [...(await of('team', teamKind)), ...(await of('squad', squadKind))];
}

async function groupWith(session: OrganisationWriting, id: string, kind?: GroupOfPeople): Promise<FoundGroup> {
  const found = (await groupsIn(session)).filter((one) => one.id === id && (kind === undefined || one.kind === kind));
  const [only] = found;
  if (!only) throw new Refusal('not-found', `There is no ${kind ?? 'team or squad'} with the identifier '${id}'.`);
  if (found.length > 1) {
    throw new Refusal(
      'conflict',
      `A team and a squad have the identifier '${id}'. Say which with kind=team or kind=squad.`,
    );
  }
  return only;
}

/** Through records, as an import would: everything that is checked there is checked here. */
async function putGroup(
  session: OrganisationWriting,
  kind: GroupOfPeople,
  { name, department, level, parent, lead }: GroupChanges,
  id?: string,
): Promise<AuditedAction[]> {
  const foreign = kind === 'team' ? { level, parent, lead } : { department };
  const wrong = Object.entries(foreign).find(([, value]) => value !== undefined)?.[0];
  if (wrong !== undefined) throw new Refusal('bad-input', `A ${kind} has no ${wrong}.`);
  if (parent != null) await groupWith(session, parent, 'squad');
  const given = <K extends string, V>(key: K, value: V | undefined) =>
    (value === undefined ? {} : { [key]: value }) as { readonly [N in K]?: V };
  const draft = kind === 'team' ? await TeamsDraft.load(session) : await SquadsDraft.load(session);
  const problem =
    draft instanceof TeamsDraft
      ? draft.apply({ ...given('team_id', id), ...given('team_name', name), ...given('department', department) })
      : draft.apply({
          ...given('squad_id', id),
          ...given('squad_name', name),
          ...given('squad_level', level),
          ...given('parent_squad', parent),
          ...given('lead_email', lead == null ? lead : await addressOf(session, lead)),
        });
  if (problem) throw new Refusal('bad-input', `This ${kind} cannot be kept: ${problem}.`);
  return draft.save();
}

/** Squads know who leads them by an address. */
async function addressOf(session: OrganisationWriting, personId: string): Promise<string> {
  const [person] = await peopleWith(session, [personId]);
  if (!person?.main_email) {
    throw new Refusal('bad-input', `${person?.name ?? personId} has no email address, and a squad lead needs one.`);
  }
  return person.main_email;
}

/** The people of these identifiers after all merges. */
async function peopleWith(session: OrganisationWriting, ids: readonly string[]) {
  const rows = await mergedWith(session, session.organisationId, ids);
  return ids.map((id) => {
    const own = rows.find((row) => row.id === id);
    const effective = rows.find((row) => row.id === own?.effective_id);
    if (!effective) throw new Refusal('not-found', `There is no person with the identifier '${id}'.`);
    return { ...effective, parts: rows.filter((row) => row.effective_id === effective.id) };
  });
}

/** New members join as themselves; members who go leave with everyone who was merged into them. */
async function moveMembers(
  session: OrganisationWriting,
  at: Date,
  { kind, id: groupId, name }: FoundGroup,
  { add = [], remove = [] }: GroupChanges,
): Promise<AuditedAction[]> {
  const both = add.find((id) => remove.includes(id));
  if (both !== undefined) throw new Refusal('bad-input', `'${both}' cannot come and go at once.`);
  const people = [
    ...(await peopleWith(session, [...new Set(add)])).map((person) => ({ ...person, comes: true })),
    ...(await peopleWith(session, [...new Set(remove)])).map((person) => ({ ...person, comes: false })),
  ];
  const memberships = await membershipsOf(
    session,
    kind,
    people.flatMap(({ parts }) => parts.map((part) => part.id)),
  );
  const field = kind === 'team' ? 'teams' : 'squads';
  const records = people.flatMap(({ id, parts, comes }): PersonRecord[] => {
    const isIn = (part: string) => memberships.some((one) => one.person_id === part && one.group_id === groupId);
    const names = (part: string) =>
      memberships.filter((one) => one.person_id === part && one.group_id !== groupId).map((one) => one.name);
    if (!comes)
      return parts.flatMap((part) => (isIn(part.id) ? [{ merged_user_id: part.id, [field]: names(part.id) }] : []));
    return parts.some((part) => isIn(part.id)) ? [] : [{ merged_user_id: id, [field]: [...names(id), name] }];
  });
  if (records.length === 0) return [];
  const draft = await PeopleDraft.load(session, at, records);
  for (const record of records) {
    const problem = draft.apply(record);
    if (problem) throw new Refusal('bad-input', `${problem}.`);
  }
  return draft.save();
}

interface MembershipRow {
  readonly person_id: string;
  readonly group_id: string;
  readonly name: string;
}

function membershipsOf(
  session: OrganisationWriting,
  kind: GroupOfPeople,
  people: readonly string[],
): Promise<MembershipRow[]> {
  return session.rows(
    `SELECT m.person_id, g.id AS group_id, g.name FROM ${kind}_members m
     JOIN ${kind}s g ON g.organisation_id = m.organisation_id AND g.id = m.${kind}_id
     WHERE m.organisation_id = $1 AND m.person_id IN (SELECT unnest($2::text[])) ORDER BY g.name, g.id`,
    [session.organisationId, people],
  );
}
