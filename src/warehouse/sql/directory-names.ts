import {
  peopleCopy,
  personEmailsCopy,
  squadsCopy,
  teamsCopy,
} from '../../catalogue/directory-copies/directory-copies.ts';
import type { Table } from '../../catalogue/table.ts';
import { keyOf } from '../../name-key.ts';
import { joined, raw, type Sql, sql, texts } from './sql.ts';
import type { NamedQueries, SqlContext } from './sql-context.ts';

/** Where something of the directory is found by its identifier, and by other names. */
interface NamePlaces {
  readonly id: string;
  readonly table: Table;
  /** Columns with names as they are matched, each in a table that also has the identifier. */
  readonly names: readonly (readonly [table: Table, column: string])[];
}

export const peoplePlaces: NamePlaces = {
  id: 'merged_user_id',
  table: peopleCopy,
  names: [
    [peopleCopy, 'name_key'],
    [personEmailsCopy, 'email_key'],
  ],
};
export const teamPlaces: NamePlaces = { id: 'team_id', table: teamsCopy, names: [[teamsCopy, 'team_name_key']] };
export const squadPlaces: NamePlaces = { id: 'squad_id', table: squadsCopy, names: [[squadsCopy, 'squad_name_key']] };

/**
 * Everything that some values mean: an identifier, or a name where no identifier is the same. Names are matched as the
 * directory matches them. A name that several share means all of them.
 */
export function chosen(
  context: SqlContext,
  named: NamedQueries,
  as: string,
  { id, table, names }: NamePlaces,
  values: readonly string[],
): Sql {
  const { dialect } = context;
  const list = texts(values);
  const no = sql`SELECT n.${raw(id)} FROM ${context.table(table)} AS n`;
  const keyed = dialect.eachKeyed(list, texts(values.map(keyOf)));
  const others = sql`SELECT v.key FROM (${keyed}) AS v WHERE v.value NOT IN (${no})`;
  const ways = names.map(
    ([place, column]) =>
      sql`SELECT n.${raw(id)} FROM ${context.table(place)} AS n WHERE n.${raw(column)} IN (${others})`,
  );
  const byId = sql`${no} WHERE ${dialect.isAmong(raw(`n.${id}`), list)}`;
  return sql`SELECT ${raw(id)} FROM ${named.add(as, joined([byId, ...ways], '\nUNION '))}`;
}
