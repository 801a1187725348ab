import { addToList } from '../lists-by-key.ts';
import { Refusal } from '../refusal.ts';
import { keyOf } from '../text-comparison.ts';
import { organisations, type StoreRowOf, storeTables } from './all-store-tables.ts';
import { findCursor } from './cursors.ts';
import { selectList } from './put-rows.ts';
import type { OrganisationWriting, Reading, Writing } from './store.ts';

export type OrganisationRow = StoreRowOf<typeof organisations>;

const columns = selectList(organisations, 'o');

export async function findOrganisation(session: Reading, id: string): Promise<OrganisationRow | undefined> {
  const [row] = await session.rows<OrganisationRow>(`SELECT ${columns} FROM organisations o WHERE o.id = $1`, [id]);
  return row;
}

export function listOrganisations(session: Reading): Promise<OrganisationRow[]> {
  return session.rows(`SELECT ${columns} FROM organisations o ORDER BY o.name, o.id`);
}

/** Whether the organisation `o` was made by the demo: its data is made up. */
export const isSample =
  "EXISTS (SELECT 1 FROM audit_log a WHERE a.organisation_id = o.id AND a.via = 'demo' AND a.action = 'organisation.create')";

export async function isSampleOrganisation(session: Reading, id: string): Promise<boolean> {
  const sql = `SELECT ${isSample} AS is_sample FROM organisations o WHERE o.id = $1`;
  const [row] = await session.rows<{ is_sample: boolean }>(sql, [id]);
  return row?.is_sample ?? false;
}

/**
 * The first organisation of the demo, and somebody who sees all of it; undefined where the server has none. One that a
 * source is connected to holds more than made-up data.
 */
export async function findSample(
  session: Reading,
): Promise<{ readonly id: string; readonly name: string; readonly managerId: string } | undefined> {
  const [row] = await session.rows<{ id: string; name: string; manager_id: string }>(
    `SELECT o.id, o.name, p.id AS manager_id
     FROM organisations o
     JOIN people p ON p.organisation_id = o.id AND p.access_role = 'Manager' AND p.merged_into IS NULL
     WHERE ${isSample} AND NOT o.team_restrictions
       AND NOT EXISTS (SELECT 1 FROM sources s WHERE s.organisation_id = o.id)
     ORDER BY o.created_at, o.id, p.id LIMIT 1`,
  );
  return row && { id: row.id, name: row.name, managerId: row.manager_id };
}

/** Under which the store remembers how far an organisation of the demo is filled in, and so that it is one. */
export const demoSource = 'demo';
/** Has the first day of what is there, while there is more to come, and nothing afterwards. */
export const demoFilledSince = 'filled since';

/** The day before which the history of an organisation of the demo is still being filled in. */
export async function dayFilledSince(session: Reading, id: string): Promise<string | undefined> {
  return (await findCursor(session, id, demoSource, demoFilledSince)) || undefined;
}

export async function versionIn(session: Reading, organisationId: string): Promise<number> {
  const [row] = await session.rows<{ version: number }>('SELECT version FROM organisations WHERE id = $1', [
    organisationId,
  ]);
  return row?.version ?? 0;
}

/** Every organisation that lets others compare themselves with it. */
export async function listBenchmarked(session: Reading): Promise<string[]> {
  const rows = await session.rows<{ id: string }>(
    'SELECT id FROM organisations WHERE NOT benchmark_opt_out ORDER BY id',
  );
  return rows.map(({ id }) => id);
}

/** Removes an organisation with all that the store has of it: people, keys, sessions, sources, its audit log. */
export async function removeOrganisation(session: OrganisationWriting): Promise<void> {
  for (const { name, columns: has } of storeTables) {
    const owner = 'organisation_id' in has ? 'organisation_id' : 'id';
    await session.run(`DELETE FROM ${name} WHERE ${owner} = $1`, [session.organisationId]);
  }
}

type NamedOrganisation = Pick<OrganisationRow, 'id' | 'name'>;

/**
 * The organisations that an identifier or a name means. Names are unique, but stores from before they had to be may hold
 * several that are alike.
 */
export function organisationsMeant<O extends NamedOrganisation>(all: readonly O[], idOrName: string): readonly O[] {
  const byId = all.filter(({ id }) => id === idOrName.trim().toLowerCase());
  return byId.length > 0 ? byId : all.filter(({ name }) => keyOf(name) === keyOf(idOrName));
}

/** Refuses a name that several organisations have. */
export const ambiguousName = (name: string, meant: readonly NamedOrganisation[]): string =>
  `${meant.length} organisations are called '${name}'. Use an identifier: ${meant.map(({ id }) => id).join(', ')}.`;

/** Only the shape counts: whatever looks like an identifier may be mistaken for one. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const isUuid = (name: string): boolean => uuid.test(keyOf(name));

/** Refuses a name that an organisation is to have from now on, where it is not free or could be an identifier. */
export async function refuseUnusableName(session: Writing, id: string, name: string): Promise<void> {
  if (isUuid(name)) {
    throw new Refusal(
      'bad-input',
      `An organisation cannot be called '${name}': names that look like identifiers are mistaken for them. Choose another name.`,
    );
  }
  if (await organisationCalled(session, id, name)) {
    throw new Refusal('conflict', `There is an organisation called '${name}' already. Choose another name.`);
  }
}

/** Another organisation of that name. Where there is none, there will be none before the transaction is over, on any replica. */
export async function organisationCalled(
  session: Writing,
  id: string,
  name: string,
): Promise<NamedOrganisation | undefined> {
  // There can be no unique index: stores hold names that are alike from before they were refused.
  await session.lock('names of organisations');
  return (await listOrganisations(session)).find((other) => other.id !== id && keyOf(other.name) === keyOf(name));
}

/** Organisations that share their name with others or are called like an identifier: what was made before that was refused. */
export function unusableNames(all: readonly NamedOrganisation[]): readonly string[] {
  const byKey = new Map<string, NamedOrganisation[]>();
  for (const organisation of all) addToList(byKey, keyOf(organisation.name), organisation);
  return [...byKey.values()].flatMap((alike) => {
    const ids = alike.map(({ id }) => id).join(', ');
    const [{ name } = { name: '' }] = alike;
    if (alike.length > 1) return [`'${name}' is the name of ${ids}`];
    return isUuid(name) ? [`'${name}' looks like an identifier and is the name of ${ids}`] : [];
  });
}
