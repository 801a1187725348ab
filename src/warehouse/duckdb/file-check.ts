import { inheritedColumns, storedColumns, type Table } from '../../catalogue/table.ts';
import { derivationRules, storedTables } from '../schema.ts';
import { findDamage } from './digests.ts';
import { schemaOf } from './organisation-file.ts';
import { keptTypes, quoted, tableIn } from './statement.ts';
import type { Task } from './task.ts';

/** Everything that can be wrong with the file of an organisation. Where it cannot be read, nothing is compared in it. */
export async function examineFile(task: Task, organisationId: string): Promise<string[]> {
  const schema = schemaOf(organisationId);
  const others = await findOtherColumns(task, schema);
  if (others.length > 0) return others;
  const damage = await findDamage(task, schema);
  return damage.length > 0 || !(await isOfToday(task, schema)) ? damage : findStrays(task, schema);
}

/** Whether everything was derived by today's rules. What is inherited may not be there yet where it was not. */
async function isOfToday(task: Task, schema: string): Promise<boolean> {
  const sql = `SELECT json_array(derivation_version) FROM ${schema}.state`;
  const [state] = await task.values<[number | null]>({ sql, values: [] });
  return state?.[0] === derivationRules;
}

/** What the file has otherwise than this Plumb declares it. Opening a file adds what it lacks, if it is asked to look. */
async function findOtherColumns(task: Task, schema: string): Promise<string[]> {
  const problems: string[] = [];
  for (const table of storedTables) {
    const types = await columnTypes(task, table, schema);
    if (!types) problems.push(`${table.name} is missing`);
    else problems.push(...otherColumns(table, types));
  }
  return problems;
}

function otherColumns(table: Table, types: ReadonlyMap<string, string>): string[] {
  return [...storedColumns(table)].flatMap(([column, type]) => {
    const has = types.get(column);
    if (has === keptTypes[type]) return [];
    return [`${table.name}.${column} is ${has === undefined ? 'missing' : `${has} instead of ${keptTypes[type]}`}`];
  });
}

/**
 * Undefined where there is no such table. Asked table by table: the engine's own list of columns takes longer with every
 * other organisation that is attached, 0.8 s with a hundred of them.
 */
async function columnTypes(task: Task, table: Table, schema: string): Promise<Map<string, string> | undefined> {
  const described = `(DESCRIBE SELECT * FROM ${tableIn(schema, table)})`;
  try {
    const sql = `SELECT json_array(column_name, column_type) FROM ${described}`;
    return new Map(await task.values<[string, string]>({ sql, values: [] }));
  } catch (error) {
    if (!(error instanceof Error && /^Catalog Error/.test(error.message))) throw error;
    await task.startOver();
    return undefined;
  }
}

/** Rows that say otherwise than their parents what they have from them. One without a known parent has nothing. */
async function findStrays(task: Task, schema: string): Promise<string[]> {
  const problems: string[] = [];
  for (const child of storedTables) {
    const parent = storedTables.find(({ name }) => name === child.parent?.table);
    if (!parent) continue;
    for (const [column, rows] of await orphansOf(task, child, parent, schema)) {
      problems.push(`${child.name}.${column} differs from that of its ${parent.name}, in ${rows} rows`);
    }
  }
  return problems;
}

async function orphansOf(task: Task, child: Table, parent: Table, schema: string): Promise<[string, number][]> {
  const columns = inheritedColumns(child);
  if (columns.length === 0) return [];
  const same = (child.parent?.key ?? []).map(
    (column, i) => `c.${quoted(column)} = p.${quoted(parent.key[i] ?? column)}`,
  );
  const counts = columns.map(
    (column) => `count(*) FILTER (WHERE c.${quoted(column)} IS DISTINCT FROM p.${quoted(column)})`,
  );
  const [found] = await task.values<number[]>({
    sql: `SELECT json_array(${counts.join(', ')}) FROM ${tableIn(schema, child)} c
      LEFT JOIN ${tableIn(schema, parent)} p ON ${same.join(' AND ')}`,
    values: [],
  });
  return columns.flatMap((column, i) => (found?.[i] ? [[column, found[i]] as [string, number]] : []));
}
