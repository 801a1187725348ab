import { roleMeanings } from './role-words.ts';

/** A person or a thing that a page names and links to. */
export interface NamedOne {
  readonly id: string;
  readonly name: string;
}

export interface PersonLogin {
  readonly source: string;
  readonly login: string;
}

/** A person in the list of people. Fields that this reader may not see are absent. */
export interface ListedPerson extends NamedOne {
  readonly teams: readonly NamedOne[];
  readonly onboarded: boolean;
  readonly is_bot: boolean;
  readonly email?: string | null;
  readonly logins?: readonly PersonLogin[];
  readonly squads?: readonly NamedOne[];
  readonly manager?: NamedOne | null;
  readonly access_role?: string;
  readonly job_title?: string | null;
}

/** One person with everything that the directory holds. */
export interface FullPerson extends ListedPerson {
  readonly emails?: readonly string[];
  readonly managed_teams?: readonly NamedOne[];
  readonly manager_email?: string | null;
  readonly permissions?: readonly string[];
  readonly level?: string | null;
  readonly location?: string | null;
  readonly created_date?: string;
  readonly merged_from?: readonly (NamedOne & { readonly email: string | null })[];
}

/** For people whose work the reader does not see, the answer holds only name and teams. */
export const isSeen = (person: ListedPerson): boolean => person.access_role !== undefined;

export interface PeoplePage {
  readonly total: number;
  readonly people: readonly ListedPerson[];
}

interface PeopleSearch {
  readonly search?: string;
  readonly state?: string;
  readonly team?: string;
  readonly limit?: number;
  readonly offset?: number;
}

export function peoplePath(search: PeopleSearch): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '' && value !== 0);
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return query === '' ? '/app/people' : `/app/people?${query}`;
}

export interface ListedTeamGroup extends NamedOne {
  readonly department: string | null;
  readonly members: readonly NamedOne[];
}

export interface ListedSquad extends NamedOne {
  readonly level: number | null;
  readonly parent: NamedOne | null;
  readonly lead: NamedOne | null;
  readonly members: readonly NamedOne[];
}

/** Teams and squads as `GET /app/groups` gives them. */
export interface Groups {
  readonly teams: readonly ListedTeamGroup[];
  readonly squads: readonly ListedSquad[];
}

export const accessRoles: readonly string[] = Object.keys(roleMeanings);
