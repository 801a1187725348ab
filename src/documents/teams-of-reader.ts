import type { Principal } from '../access/principal.ts';
import { peopleFilters } from '../catalogue/filters.ts';
import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { listGroups, teamKind } from '../store/group-rows.ts';
import type { Reading } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';

interface NamedTeam {
  readonly id: string;
  readonly name: string;
}

/** The teams of an organisation for one reader: documents hold identifiers, and people read and write names. */
export class TeamsOfReader {
  readonly #teams: readonly NamedTeam[];
  readonly #seen: ReadonlySet<string> | 'all';

  /** `seen`: the teams that the reader may see. */
  constructor(teams: readonly NamedTeam[], seen: ReadonlySet<string> | 'all') {
    this.#teams = teams;
    this.#seen = seen;
  }

  static async of(session: Reading, principal: Principal): Promise<TeamsOfReader> {
    const { organisationId } = principal;
    return new TeamsOfReader(
      await listGroups(session, teamKind, organisationId),
      await teamsSeenBy(session, principal),
    );
  }

  isSeen(id: string): boolean {
    return this.#seen === 'all' || this.#seen.has(id);
  }

  /** Every team that has this name or identifier. */
  idsNamed(text: string): readonly string[] {
    const id = text.trim();
    const named = this.#teams.filter((team) => team.id === id || keyOf(team.name) === keyOf(text));
    return named.map((team) => team.id);
  }

  /** The refusal of a name that no team has. */
  unknown(text: string): string {
    const names = this.#teams.map(({ name }) => name);
    return `there is no team '${text.slice(0, 60)}'.${didYouMean(text, names)}`;
  }

  /** The name of a team, where it has one of its own and the reader may see the team; else its identifier. */
  shown(id: string): string {
    const name = this.#teams.find((team) => team.id === id)?.name;
    return name !== undefined && this.isSeen(id) && this.idsNamed(name).length === 1 ? name : id;
  }
}

/** Members see their team, managers those that they manage, and who sees everything sees every team. */
async function teamsSeenBy(session: Reading, principal: Principal): Promise<ReadonlySet<string> | 'all'> {
  const { organisationId, personId, visibility } = principal;
  if (visibility === 'organisation') return 'all';
  const rows = await session.rows<{ readonly team_id: string }>(
    `SELECT DISTINCT m.team_id FROM team_members m
     JOIN people p ON p.organisation_id = m.organisation_id AND p.id = m.person_id
     WHERE m.organisation_id = $1 AND p.effective_id = $2`,
    [organisationId, personId],
  );
  return new Set([...visibility.teamIds, ...rows.map(({ team_id }) => team_id)]);
}

type WrittenFilters = Readonly<Record<string, unknown>>;

/** The filter that chooses teams, under all its names. */
export const teamFilterNames: readonly string[] = ['team', ...peopleFilters.team.aliases];

/**
 * Filters with identifiers in place of names of teams; a name that several teams share is all of them. `known` are
 * identifiers that stand in the document already: their teams may have been removed since.
 */
export function filtersByTeamId(
  filters: WrittenFilters,
  teams: TeamsOfReader,
  known: ReadonlySet<string> = new Set(),
): WrittenFilters {
  const idsOf = (value: unknown): readonly unknown[] => {
    if (typeof value !== 'string') return [value];
    const ids = teams.idsNamed(value);
    if (ids.length > 0) return ids;
    if (known.has(value)) return [value];
    throw new Refusal('bad-input', `filters.team: ${teams.unknown(value)}`);
  };
  return withTeams(filters, idsOf);
}

/** Filters as people read them. */
export const filtersByTeamName = (filters: WrittenFilters, teams: TeamsOfReader): WrittenFilters =>
  withTeams(filters, (value) => [typeof value === 'string' ? teams.shown(value) : value]);

/** A single value that means one team stays a single value. */
function withTeams(filters: WrittenFilters, change: (value: unknown) => readonly unknown[]): WrittenFilters {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => {
      if (!teamFilterNames.includes(name) || value === null || (typeof value === 'object') !== Array.isArray(value))
        return [name, value];
      const changed = [...new Set((Array.isArray(value) ? value : [value]).flatMap(change))];
      return [name, !Array.isArray(value) && changed.length === 1 ? changed[0] : changed];
    }),
  );
}

/** Every identifier of a team in a document as it is stored. */
export function teamIdsIn(document: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (teamFilterNames.includes(name)) for (const id of [inner].flat()) if (typeof id === 'string') found.add(id);
      look(inner);
    }
  };
  look(document);
  return found;
}
