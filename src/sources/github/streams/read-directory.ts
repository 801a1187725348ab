import { directoryPage } from '../../code-host/directory-stream.ts';
import { type GraphqlAsking, GraphqlMissing } from '../../host-port.ts';
import { refuseCircle } from '../../paging.ts';
import { Payload } from '../../payload.ts';
import { type HostDirectory, type Page, SourceProblem } from '../../source.ts';
import { completeList, connectionOf, type GithubApi } from '../api.ts';
import { convertMember, convertTeam } from '../convert/account.ts';

const hiddenAddresses =
  'Addresses of members are shown only where they are of a verified domain of the organisation, by GraphQL';

/** Members and teams of an organisation, as they are now. */
export async function readDirectory(api: GithubApi, organization: string): Promise<Page> {
  const { directory, at } = await read(api, organization);
  return directoryPage(directory, at, hiddenAddresses);
}

type Read = { readonly directory: HostDirectory; readonly at: number };

async function read(api: GithubApi, organization: string): Promise<Read> {
  if (api.hasGraphqlFor('members and teams')) {
    try {
      return await readByGraphql(api, organization);
    } catch (error) {
      // GraphQL refuses everything where the token may not see one field, such as addresses.
      const isRefused = error instanceof SourceProblem && !error.mayPass && !(error instanceof OrganizationUnseen);
      if (error instanceof GraphqlMissing) api.noteMissing('members and teams', error);
      else if (!isRefused) throw error;
    }
  }
  return readByRest(api, organization);
}

const organizationQuery = (list: string): string => `
query ($organization: String!, $after: String) {
  rateLimit { limit remaining resetAt }
  organization(login: $organization) { ${list} }
}`;

const membersQuery = organizationQuery(`membersWithRole(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor } nodes { login name organizationVerifiedDomainEmails(login: $organization) }
}`);

/** Members of the teams below included, as REST has them. */
const teamsQuery = organizationQuery(`teams(first: 50, after: $after) {
  pageInfo { hasNextPage endCursor } nodes {
    id name parentTeam { name }
    members(first: 100, membership: ALL) { pageInfo { hasNextPage endCursor } nodes { login } }
  }
}`);

const moreTeamMembersQuery = `
query ($id: ID!, $after: String!) {
  rateLimit { limit remaining resetAt }
  node(id: $id) {
    ... on Team { members(first: 100, after: $after, membership: ALL) { pageInfo { hasNextPage endCursor } nodes { login } } }
  }
}`;

/** Lists of names, than which little is smaller. */
const asking: GraphqlAsking = { isSmallest: true };

async function readByGraphql(api: GithubApi, organization: string): Promise<Read> {
  const members = await allOf(api, organization, 'membersWithRole', membersQuery);
  const teams = await allOf(api, organization, 'teams', teamsQuery);
  const converted = [];
  for (const team of teams.nodes) {
    const members = await completeList(api, team, 'members', moreTeamMembersQuery, asking);
    converted.push(convertTeam(team, members));
  }
  return {
    directory: { owner: organization, people: members.nodes.map(convertMember), teams: converted },
    at: members.at,
  };
}

async function allOf(api: GithubApi, organization: string, name: string, query: string) {
  const nodes: Payload[] = [];
  const asked = new Set<string>();
  for (let after: string | undefined; ; ) {
    const { data, at } = await api.requests.graphql(query, { organization, after: after ?? null }, asking);
    const found = Payload.of(data, 'answer').objectOrNull('organization');
    if (found === null) throw noOrganization(organization);
    const page = connectionOf(found.object(name));
    nodes.push(...page.nodes);
    if (page.endCursor === undefined) return { nodes, at };
    refuseCircle(asked, page.endCursor);
    after = page.endCursor;
  }
}

async function readByRest(api: GithubApi, organization: string): Promise<Read> {
  const path = `/orgs/${organization}`;
  const members = await api.list(`${path}/members`, { alsoGood: [404] });
  if (!members) throw noOrganization(organization);
  const teams = await api.list(`${path}/teams`);
  const converted = [];
  for (const team of Payload.listOf(teams?.items, 'team')) {
    // A team that was deleted meanwhile has nobody.
    const inTeam = await api.list(`${path}/teams/${team.text('slug')}/members`, { alsoGood: [404] });
    converted.push(convertTeam(team, Payload.listOf(inTeam?.items ?? [], 'member')));
  }
  const people = Payload.listOf(members.items, 'member').map(convertMember);
  return { directory: { owner: organization, people, teams: converted }, at: members.at };
}

/** The token does not see the organisation by any interface. */
class OrganizationUnseen extends SourceProblem {}

const noOrganization = (organization: string): OrganizationUnseen =>
  new OrganizationUnseen(
    `The members of ${organization} cannot be seen`,
    'Give the token the scope read:org (a fine-grained token: Members, read), or correct the setting organization.',
  );
