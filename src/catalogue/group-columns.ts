import { type Field, type FieldType, integer, text, textList } from './record.ts';
import { originOf, type Table } from './table.ts';

/**
 * Where the value of a column is found that rows are grouped by.
 * - `row`: in the table itself.
 * - `person`: in the directory's copy of the row's person.
 * - `team`, `squad`: in the person's memberships. A row is there once for each.
 * - `contents`: in the pull requests that a deployment carried or a release brought, as far as the caller may see them.
 */
type GroupColumnPlace = 'row' | 'person' | 'team' | 'squad' | 'contents';

export interface GroupColumn {
  readonly name: string;
  readonly type: FieldType;
  readonly meaning: string;
  readonly from: GroupColumnPlace;
}

/** The columns by which every table with a person can be grouped as well. */
interface PersonColumn extends Field {
  readonly from: GroupColumnPlace;
}
const namedOfPerson = {
  merged_user_id: { ...text('Identifier of the person.'), from: 'person' },
  name: { ...text('Name of the person.'), from: 'person' },
  role: { ...text('Job title of the person.'), from: 'person' },
  level: { ...text('Seniority level of the person.'), from: 'person' },
  location: { ...text('Place of work of the person.'), from: 'person' },
  team_id: { ...text('Team of the person. One row for each.'), from: 'team' },
  team_name: { ...text('Name of the person’s team. One row for each.'), from: 'team' },
  team_names: { ...textList('Names of all teams of the person, sorted.'), from: 'person' },
  department: { ...text('Department of a team of the person. One row for each.'), from: 'team' },
  departments: { ...textList('Departments of all teams of the person, sorted.'), from: 'person' },
  manager_name: { ...text('Name of the person’s manager.'), from: 'person' },
  squad_name: { ...text('Squad of the person. One row for each.'), from: 'squad' },
  squad_level: { ...integer('Level of the person’s squad. One row for each.'), from: 'squad' },
} as const satisfies Readonly<Record<string, PersonColumn>>;
export type GroupColumnName = keyof typeof namedOfPerson;
const ofPerson: Readonly<Record<string, PersonColumn>> = namedOfPerson;

const kept = new WeakMap<Table, ReadonlyMap<string, GroupColumn>>();

/** Every column that a table's metrics can be grouped by, its own first. */
export function groupColumnsOf(table: Table): ReadonlyMap<string, GroupColumn> {
  const known = kept.get(table);
  if (known) return known;
  const columns = new Map<string, GroupColumn>();
  for (const [name, column] of Object.entries(table.columns)) {
    if (column.hidden || table.neverGrouped?.includes(name)) continue;
    columns.set(name, { name, type: column.type, meaning: column.meaning, from: foundIn(table, name) });
  }
  for (const [name, { type, meaning, from }] of Object.entries(ofPerson)) {
    const isShown = hasPerson(table) && (!table.anonymous || name === 'team_names');
    if (isShown && !columns.has(name)) columns.set(name, { name, type, meaning, from });
  }
  kept.set(table, columns);
  return columns;
}

/** Whether the rows of a table belong to people, shown or not. */
export const hasPerson = (table: Table): boolean => 'merged_user_id' in table.columns;

function foundIn(table: Table, name: string): GroupColumnPlace {
  const shared = ofPerson[name];
  if (table.isPeople) return shared?.from ?? 'person';
  if (name === 'merged_user_id') return 'person';
  const column = table.columns[name];
  if (!column || originOf(column) !== 'read') return 'row';
  return shared ? shared.from : 'contents';
}
