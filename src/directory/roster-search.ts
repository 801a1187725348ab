import { keyOf } from '../name-key.ts';
import type { OrganisationRoster, RosterPerson, RosterVisibility } from './roster-entries.ts';

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
  /** For everybody. */
  readonly open: readonly string[];
  /** For those who see more of the person. */
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
