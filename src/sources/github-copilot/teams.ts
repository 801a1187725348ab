import { addDays } from '../../calendar.ts';
import { listsByKey } from '../../lists-by-key.ts';
import type { GithubApi } from '../github/api.ts';
import type { NotSeen } from '../not-seen.ts';
import { convertEach, Payload } from '../payload.ts';
import type { Page, ReportedTeam, Stream, StreamPosition } from '../source.ts';
import { UserReports } from './reports.ts';

/** A report may come later than that of what people did: so many days back the newest is looked for. */
const maxDaysLate = 3;

/** Who has a seat and is in which team, by GitHub's newest report of it. */
export function teamsStream(api: GithubApi, organization: string): Stream {
  const reports = new UserReports(api, organization);
  return {
    id: `teams@${organization.toLowerCase()}`,
    name: 'teams of Copilot',
    feeds: [],
    scope: organization,
    read: (position) => readTeams(api, reports, organization, position),
  };
}

async function readTeams(
  api: GithubApi,
  reports: UserReports,
  organization: string,
  { mark }: StreamPosition,
): Promise<Page> {
  const latest = await reports.latest();
  if (!latest) return { records: [], count: 0, at: 0 };
  const { lastDay, at } = latest;
  for (let day = lastDay; day > addDays(lastDay, -maxDaysLate) && day !== mark; day = addDays(day, -1)) {
    const { report } = await reports.teamsOfDay(day);
    if (!report) continue;
    const entries: unknown[] = [];
    for (const link of report.links) entries.push(...(await reports.entriesOf(link)));
    const { records: rows, problems } = convertEach(entries, memberOf);
    // With a row less, a person may seem to have left a team.
    if (problems.length > 0) return { records: [], count: 0, at, problems };
    const names = await namesOf(api, organization);
    return {
      records: [],
      directory: { owner: organization, reported: teamsOf(rows, names) },
      count: rows.length,
      at,
      mark: day,
      notSeen: names ? [smallTeams] : [smallTeams, namesUnseen],
    };
  }
  return { records: [], count: 0, at, isUnchanged: true, ...(mark !== undefined && { mark }) };
}

const smallTeams: NotSeen = {
  why: 'hidden',
  what: 'Copilot’s report of teams leaves out people without a seat, and teams of fewer than five with one',
  toDo: 'Add a source of GitHub that reads the organisation: it brings all teams.',
};

export const teamsUnseen = 'Names of teams are not shown to the token: teams are found by their addresses at GitHub';
export const toSeeTeams = 'Give the token read:org. One that is fine-grained, or an app, needs "Members"';
const namesUnseen: NotSeen = { why: 'right', what: teamsUnseen, toDo: `${toSeeTeams}.` };

interface ReportedMember {
  readonly slug: string;
  /** Null of an account that is gone. */
  readonly login: string | null;
}

function memberOf(entry: unknown): ReportedMember {
  const row = Payload.of(entry, 'member of a team');
  return { slug: row.text('slug'), login: row.textOrNull('user_login') };
}

function teamsOf(
  rows: readonly ReportedMember[],
  names: ReadonlyMap<string, string> | undefined,
): readonly ReportedTeam[] {
  return [...listsByKey(rows, ({ slug }) => slug)].map(([slug, members]) => {
    const name = names?.get(slug);
    return { slug, ...(name !== undefined && { name }), logins: members.flatMap(({ login }) => login ?? []) };
  });
}

/** By slug, which is all that the report has. Undefined where the token may not see teams. */
async function namesOf(api: GithubApi, organization: string): Promise<ReadonlyMap<string, string> | undefined> {
  const list = await api.list(`/orgs/${organization}/teams`, { alsoGood: [403, 404] });
  if (!list) return undefined;
  return new Map(Payload.listOf(list.items, 'team').map((team) => [team.text('slug'), team.text('name')]));
}
