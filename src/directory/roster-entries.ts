/** Something or somebody that a page names and leads to. */
export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** Somebody as pages show them. Salaries are not here: they are asked for like a metric, and that is written down. */
export interface RosterPerson extends NamedThing {
  readonly email: string | null;
  readonly emails: readonly string[];
  readonly logins: readonly { readonly source: string; readonly login: string }[];
  readonly teams: readonly NamedThing[];
  readonly managedTeams: readonly NamedThing[];
  readonly squads: readonly NamedThing[];
  readonly manager: NamedThing | null;
  readonly managerEmail: string | null;
  readonly accessRole: string;
  readonly permissions: readonly string[];
  readonly jobTitle: string | null;
  readonly level: string | null;
  readonly location: string | null;
  readonly onboarded: boolean;
  readonly isBot: boolean;
  readonly createdDate: string;
  /** Everyone who was merged into them, as they were before. */
  readonly mergedFrom: readonly (NamedThing & { readonly email: string | null })[];
}

interface RosterTeam extends NamedThing {
  readonly department: string | null;
  readonly members: readonly NamedThing[];
}

interface RosterSquad extends NamedThing {
  readonly level: number | null;
  readonly parent: NamedThing | null;
  readonly lead: NamedThing | null;
  readonly members: readonly NamedThing[];
}

/** Whose details somebody may see; the same as whose rows. */
export type RosterVisibility =
  | 'organisation'
  | {
      readonly self: string;
      readonly teamIds: readonly string[];
      readonly hasReports: boolean;
      readonly leadsSquads: boolean;
    };

/** Everyone in an organisation, in one state of the directory. */
export interface OrganisationRoster {
  /** By name. */
  readonly people: readonly RosterPerson[];
  readonly byId: ReadonlyMap<string, RosterPerson>;
  readonly teams: readonly RosterTeam[];
  readonly squads: readonly RosterSquad[];
  /** Whether somebody sees more of a person than name and teams. */
  seenBy(visibility: RosterVisibility): (personId: string) => boolean;
}
