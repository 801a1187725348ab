import { listsByKey } from '../../lists-by-key.ts';
import type { ReportedTeam, ReportedTeams } from '../../sources/source.ts';
import { type Actor, audit } from '../../store/audit.ts';
import { addSourceMemberships, removeSourceMemberships } from '../../store/source-people-rows.ts';
import { findSource, SourceRemoved } from '../../store/source-rows.ts';
import type { OrganisationWriting } from '../../store/store.ts';
import { keyOf } from '../../text-comparison.ts';
import { changedRows } from '../changed-rows.ts';
import { PeopleDraft } from '../people-draft.ts';
import { type CodeHost, loginIdentity } from './code-host.ts';
import { namedIn, placeMembers, type TakenDirectory, teamNameProblem, teamsMadeIn } from './host-changes.ts';
import { type HostState, type Membership, readHostState } from './host-state.ts';

/**
 * Lets memberships follow a report of teams, inside one change. The report leaves out people and teams, so it makes nobody
 * and nobody leaves: people of the directory are placed in teams, and a membership goes only where the report names both
 * the person and the team, and not together.
 */
export async function applyReportedTeams(
  session: OrganisationWriting,
  { at, actor }: { readonly at: Date; readonly actor: Actor },
  host: CodeHost,
  { owner, reported }: ReportedTeams,
): Promise<{ readonly taken: TakenDirectory; readonly isNews: boolean }> {
  // Memberships of a removed source could not be taken away again.
  if (!(await findSource(session, host.sourceId))) throw new SourceRemoved();
  const state = await readHostState(session, host, owner);
  const logins = new Set(reported.flatMap((team) => team.logins));
  const draft = await PeopleDraft.load(session, at, [
    ...[...logins].map((login) => ({ logins: { [host.host]: login } })),
    ...state.brought.map(({ personId }) => ({ merged_user_id: personId })),
  ]);
  const problems: string[] = [];
  // A source that reads the members themselves knows all of them, and of today.
  const wanted = state.isListedByOthers ? [] : wantedMemberships(draft, host, state, reported, problems);
  const memberships = placeMembers(draft, state, wanted);
  const auditedActions = await draft.save();
  await removeSourceMemberships(session, state.owner, memberships.noLongerBrought);
  await addSourceMemberships(session, state.owner, memberships.nowBrought);
  const written = [memberships.nowBrought, memberships.noLongerBrought, auditedActions];
  const isNews = written.some((one) => one.length > 0);
  if (isNews) {
    const summary = {
      action: 'source.teams',
      subject: host.sourceId,
      details: { owner, teams: reported.length },
    } as const;
    await audit(session, actor, at, [...auditedActions, summary]);
  }
  const taken: TakenDirectory = {
    owner,
    accounts: [],
    teamsMade: teamsMadeIn(auditedActions),
    membershipsAdded: namedIn(draft, memberships.added),
    membershipsRemoved: namedIn(draft, memberships.removed),
    left: [],
    offboarded: [],
    rows: changedRows(auditedActions),
    problems,
  };
  return { taken, isNews };
}

function wantedMemberships(
  draft: PeopleDraft,
  { host }: CodeHost,
  { brought }: HostState,
  reported: readonly ReportedTeam[],
  problems: string[],
): readonly Membership[] {
  const stored = teamsBySlug(draft.teamNames);
  const names = new Set(draft.teamNames.map(keyOf));
  const [teams, people, replaced] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const named: Membership[] = [];
  for (const { slug, name = stored.get(keyOf(slug)) ?? slug, logins } of reported) {
    const problem = teamNameProblem(name);
    if (problem !== undefined) problems.push(problem);
    const ids = logins.flatMap((login) => draft.ownerOf(loginIdentity(host, login))?.row.id ?? []);
    // Of people whom nobody knows here no team is made.
    if (problem !== undefined || ids.length === 0) continue;
    const teamId = draft.teamNamed(name);
    teams.add(teamId);
    // While names could not be read, the team was called by its slug.
    if (names.has(keyOf(slug)) && draft.teamNamed(slug) !== teamId) replaced.add(draft.teamNamed(slug));
    for (const personId of ids) {
      people.add(personId);
      named.push({ teamId, personId });
    }
  }
  const isSilent = ({ teamId, personId }: Membership) =>
    !replaced.has(teamId) && (!teams.has(teamId) || !people.has(personId));
  return [...named, ...brought.filter(isSilent)];
}

/** Names of teams by their slugs, as GitHub makes them. Of several of one slug none is known by it. */
function teamsBySlug(names: readonly string[]): ReadonlyMap<string, string> {
  const bySlug = listsByKey(names, slugOf);
  return new Map(
    [...bySlug].flatMap(([slug, [name, ...others]]) => (name && others.length === 0 ? [[slug, name]] : [])),
  );
}

const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
