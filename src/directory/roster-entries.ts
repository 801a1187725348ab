import { keyOf } from '../text-comparison.ts';
/** A thing or a person that a page names and links to. */
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

/** The people whose details a caller may see: those whose rows they see. */
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
  /** People by name. */
  readonly people: readonly RosterPerson[];
  readonly byId: ReadonlyMap<string, RosterPerson>;
  readonly teams: readonly RosterTeam[];
  readonly squads: readonly RosterSquad[];
  /** Whether a caller sees more of a person than name and teams. */
  seenBy(visibility: RosterVisibility): (personId: string) => boolean;
}

export const rosterStates = ['onboarded', 'not-onboarded', 'bots'] as const;
type RosterState = (typeof rosterStates)[number];

interface RosterQuestion {
  readonly search?: string | undefined;
  readonly state?: RosterState | undefined;
  /** Identifier of a team. */
  readonly team?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

interface RosterPage {
  readonly total: number;
  readonly people: readonly SeenPerson[];
}

interface SeenPerson {
  readonly person: RosterPerson;
  /** Whether more than the name and the teams may be shown. */
  readonly isSeen: boolean;
}

/** Part of a roster, by name. Nobody finds others by what they may not see of them. */
export function searchRoster(
  roster: OrganisationRoster,
  visibility: RosterVisibility,
  { search = '', state, team, limit, offset }: RosterQuestion,
): RosterPage {
  const sees = roster.seenBy(visibility);
  const words = keyOf(search).split(/\s+/).filter(Boolean);
  const found = roster.people.filter(
    (person) =>
      (state === undefined || isIn(state, person)) &&
      (team === undefined || person.teams.some(({ id }) => id === team)) &&
      (words.length === 0 || isFound(words, person, sees(person.id))),
  );
  return {
    total: found.length,
    people: found.slice(offset, offset + limit).map((person) => ({ person, isSeen: sees(person.id) })),
  };
}

function isIn(state: RosterState, { onboarded, isBot }: RosterPerson): boolean {
  switch (state) {
    case 'onboarded':
      return onboarded;
    case 'not-onboarded':
      return !onboarded && !isBot;
    case 'bots':
      return isBot;
  }
}

function isFound(words: readonly string[], person: RosterPerson, isSeen: boolean): boolean {
  const { open, seen } = searchedOf(person);
  const isIn = (word: string) => (text: string) => text.includes(word);
  return words.every((word) => open.some(isIn(word)) || (isSeen && seen.some(isIn(word))));
}

interface SearchedTexts {
  /** Fields for every caller. */
  readonly open: readonly string[];
  /** Fields for callers who see more of the person. */
  readonly seen: readonly string[];
}

/** Made once for each state of a roster: folding the letters of fifty thousand people takes a while. */
const searched = new WeakMap<RosterPerson, SearchedTexts>();

function searchedOf(person: RosterPerson): SearchedTexts {
  const kept = searched.get(person);
  if (kept) return kept;
  const { name, teams, squads, emails, logins } = person;
  const made = {
    open: [name, ...teams.map((team) => team.name)].map(keyOf),
    seen: [...emails, ...logins.map(({ login }) => login), ...squads.map((squad) => squad.name)].map(keyOf),
  };
  searched.set(person, made);
  return made;
}
