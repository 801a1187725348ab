import { lastActivity } from '../../src/catalogue/derivation-state.ts';
import {
  peopleCopy,
  personEmailsCopy,
  squadMembersCopy,
  squadsCopy,
  teamMembersCopy,
  teamsCopy,
} from '../../src/catalogue/directory-copies.ts';
import { type Row, type RowOf, storedColumns, type Table } from '../../src/catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../src/catalogue/tables/all-tables.ts';
import type { World } from './world.ts';

/** A row as a person writes it down: times as `2024-01-31T10:00:00Z`, lists as lists, the rest left out. */
export type WrittenRow = Readonly<Record<string, unknown>>;

export interface WrittenWorld {
  readonly timeZone?: string;
  readonly now?: string;
  readonly people?: readonly WrittenRow[];
  /** Addresses besides the primary ones. */
  readonly personEmails?: readonly WrittenRow[];
  readonly teams?: readonly WrittenRow[];
  readonly teamMembers?: readonly WrittenRow[];
  readonly squads?: readonly WrittenRow[];
  readonly squadMembers?: readonly WrittenRow[];
  readonly lastActivity?: readonly WrittenRow[];
  readonly facts?: Readonly<Partial<Record<FactTable, readonly WrittenRow[]>>>;
}

export function worldOf(given: WrittenWorld): World {
  const facts = Object.fromEntries(
    factTableNames.map((name) => [name, (given.facts?.[name] ?? []).map((row) => keptRow(factTables[name], row))]),
  ) as Record<FactTable, Row[]>;
  const people = (given.people ?? []).map((row) => ({
    onboarded: true,
    onboarded_by_name: false,
    is_bot: false,
    sources: '[]',
    ...row,
  }));
  return {
    timeZone: given.timeZone ?? 'UTC',
    now: new Date(given.now ?? '2024-12-31T12:00:00Z'),
    people: keptRows(peopleCopy, people),
    personEmails: keptRows(personEmailsCopy, [
      ...people.flatMap(({ main_email, merged_user_id }: WrittenRow) =>
        typeof main_email === 'string' ? [{ email: main_email, merged_user_id }] : [],
      ),
      ...(given.personEmails ?? []),
    ]),
    teams: keptRows(teamsCopy, given.teams),
    teamMembers: keptRows(teamMembersCopy, given.teamMembers),
    squads: keptRows(squadsCopy, given.squads),
    squadMembers: keptRows(squadMembersCopy, given.squadMembers),
    lastActivity: keptRows(lastActivity, given.lastActivity),
    facts,
  };
}

const keptRows = <T extends Table>(table: T, rows: readonly WrittenRow[] = []): RowOf<T>[] =>
  rows.map((row) => keptRow(table, row) as RowOf<T>);

/** A whole row: what is not written is missing. Whose it is stands in for who did it. */
export function keptRow(table: Table, row: WrittenRow): Row {
  const all: WrittenRow = { is_bot: false, actor: row.merged_user_id ?? row.person_login ?? null, ...row };
  return Object.fromEntries(
    [...storedColumns(table)].map(([name, type]) => {
      const value = all[name] ?? null;
      if (type === 'timestamp' && typeof value === 'string') return [name, Date.parse(value) / 1_000];
      return [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value];
    }),
  ) as Row;
}
