import { peopleCopy, personEmailsCopy, squadsCopy, teamsCopy } from '../../catalogue/dimensions/dimensions.ts';
import type { Table } from '../../catalogue/table.ts';
import type { Ground, Named } from './ground.ts';
import { joined, raw, type Sql, sql, texts } from './sql.ts';

/** Where something of the directory is found by its identifier, and by other names. */
export interface NamePlaces {
  readonly id: string;
  readonly table: Table;
  /** Columns with names, each in a table that also has the identifier. */
  readonly names: readonly (readonly [table: Table, column: string])[];
}

export const peoplePlaces: NamePlaces = {
  id: 'merged_user_id',
  table: peopleCopy,
  names: [
    [peopleCopy, 'name'],
    [personEmailsCopy, 'email'],
  ],
};
export const teamPlaces: NamePlaces = { id: 'team_id', table: teamsCopy, names: [[teamsCopy, 'team_name']] };
export const squadPlaces: NamePlaces = { id: 'squad_id', table: squadsCopy, names: [[squadsCopy, 'squad_name']] };

/**
 * Everything that some values mean: an identifier, or a name without regard to case where no identifier is the same. A
 * name that several share means all of them.
 */
export function chosen(
  ground: Ground,
  named: Named,
  as: string,
  { id, table, names }: NamePlaces,
  values: readonly string[],
): Sql {
  const { dialect } = ground;
  const list = texts(values);
  const no = sql`SELECT n.${raw(id)} FROM ${ground.table(table)} AS n`;
  const others = sql`SELECT ${dialect.folded(raw('v.value'))} AS value FROM (${dialect.each(list)}) AS v WHERE v.value NOT IN (${no})`;
  const ways = names.map(
    ([place, column]) =>
      sql`SELECT n.${raw(id)} FROM ${ground.table(place)} AS n WHERE ${dialect.folded(raw(`n.${column}`))} IN (SELECT o.value FROM (${others}) AS o)`,
  );
  const byId = sql`${no} WHERE ${dialect.isAmong(raw(`n.${id}`), list)}`;
  return sql`SELECT ${raw(id)} FROM ${named.add(as, joined([byId, ...ways], '\nUNION '))}`;
}
