import { forgetTold } from './alert-rows.ts';
import type { StoreRowOf } from './define-table.ts';
import { type DocumentKindName, documents } from './document-tables.ts';
import { forgetAbout } from './message-rows.ts';
import { putRows, selectList } from './put-rows.ts';
import type { OrganisationWriting, Reading } from './store.ts';

type DocumentRow = StoreRowOf<typeof documents>;

/** A row with its owner as they are now, after all merges; null where it belongs to the Owners. */
export interface OwnedDocumentRow extends DocumentRow {
  readonly owner: string | null;
  readonly owner_name: string | null;
}

const selectOwned = `SELECT ${selectList(documents, 'd')}, e.id AS owner, e.name AS owner_name
  FROM documents d
  LEFT JOIN people p ON p.organisation_id = d.organisation_id AND p.id = d.owner_id
  LEFT JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id`;

export function listDocuments(
  session: Reading,
  organisationId: string,
  kind: DocumentKindName,
): Promise<OwnedDocumentRow[]> {
  return session.rows(`${selectOwned} WHERE d.organisation_id = $1 AND d.kind = $2 ORDER BY d.slug`, [
    organisationId,
    kind,
  ]);
}

export async function findDocument(
  session: Reading,
  organisationId: string,
  kind: DocumentKindName,
  slug: string,
): Promise<OwnedDocumentRow | undefined> {
  const [row] = await session.rows<OwnedDocumentRow>(
    `${selectOwned} WHERE d.organisation_id = $1 AND d.kind = $2 AND d.slug = $3`,
    [organisationId, kind, slug],
  );
  return row;
}

export async function countDocuments(
  session: Reading,
  organisationId: string,
  kind: DocumentKindName,
): Promise<number> {
  const [row] = await session.rows<{ count: number }>(
    'SELECT count(*)::int AS count FROM documents WHERE organisation_id = $1 AND kind = $2',
    [organisationId, kind],
  );
  return row?.count ?? 0;
}

export const putDocument = (session: OrganisationWriting, row: DocumentRow): Promise<void> =>
  putRows(session, documents, [row]);

/** Removes a document, a board from everybody's navigation, and what an alert or a digest has told. */
export async function removeDocument(
  session: OrganisationWriting,
  kind: DocumentKindName,
  slug: string,
): Promise<void> {
  const { organisationId } = session;
  await session.run('DELETE FROM documents WHERE organisation_id = $1 AND kind = $2 AND slug = $3', [
    organisationId,
    kind,
    slug,
  ]);
  if (kind === 'alert' || kind === 'digest') {
    await forgetTold(session, kind, slug);
    await forgetAbout(session, { kind, slug });
  }
  if (kind !== 'board') return;
  await session.run('DELETE FROM pinned_boards WHERE organisation_id = $1 AND slug = $2', [organisationId, slug]);
}

/** The documents of people who are removed belong to the Owners from then on. */
export async function leaveDocumentsToOwners(
  session: OrganisationWriting,
  personIds: readonly string[],
): Promise<void> {
  const { organisationId } = session;
  await session.run(
    'UPDATE documents SET owner_id = NULL WHERE organisation_id = $1 AND owner_id IN (SELECT unnest($2::text[]))',
    [organisationId, personIds],
  );
  await session.run(
    'DELETE FROM pinned_boards WHERE organisation_id = $1 AND person_id IN (SELECT unnest($2::text[]))',
    [organisationId, personIds],
  );
}

/** Lets documents name another team in place of one whose identifier changes, or that is merged into the other. */
export async function renameTeamInDocuments(
  session: Pick<OrganisationWriting, 'rows' | 'run'>,
  organisationId: string,
  from: string,
  to: string,
): Promise<void> {
  const naming = await session.rows<Pick<DocumentRow, 'kind' | 'slug' | 'body'>>(
    'SELECT kind, slug, body FROM documents WHERE organisation_id = $1 AND strpos(body, $2) > 0 ORDER BY kind, slug',
    [organisationId, JSON.stringify(from)],
  );
  for (const { kind, slug, body } of naming) {
    const renamed = JSON.stringify(withOtherTeam(JSON.parse(body), from, to));
    if (renamed === body) continue;
    await session.run('UPDATE documents SET body = $4 WHERE organisation_id = $1 AND kind = $2 AND slug = $3', [
      organisationId,
      kind,
      slug,
      renamed,
    ]);
  }
}

/** The fields of documents that hold identifiers of teams: one, or a list of them. */
const teamFields: ReadonlySet<string> = new Set(['team', 'team_ids']);

function withOtherTeam(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withOtherTeam(item, from, to));
  if (typeof value !== 'object' || value === null) return value;
  const renamed = (team: unknown) => (team === from ? to : team);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (!teamFields.has(name)) return [name, withOtherTeam(inner, from, to)];
      return [name, Array.isArray(inner) ? [...new Set(inner.map(renamed))] : renamed(inner)];
    }),
  );
}

/** The slugs of the boards that a person has pinned, in the order in which they pinned them. */
export async function listPinnedBoards(session: Reading, organisationId: string, personId: string): Promise<string[]> {
  const rows = await session.rows<{ slug: string }>(
    'SELECT slug FROM pinned_boards WHERE organisation_id = $1 AND person_id = $2 ORDER BY position, slug',
    [organisationId, personId],
  );
  return rows.map(({ slug }) => slug);
}

/** Pins a board behind those that are pinned. One that is pinned stays where it is. */
export async function pinBoard(session: OrganisationWriting, personId: string, slug: string): Promise<void> {
  const { organisationId } = session;
  await session.run(
    `INSERT INTO pinned_boards (organisation_id, person_id, slug, position)
     SELECT $1, $2, $3, (coalesce(max(position), 0) + 1)::integer FROM pinned_boards
     WHERE organisation_id = $1 AND person_id = $2
     ON CONFLICT (organisation_id, person_id, slug) DO NOTHING`,
    [organisationId, personId, slug],
  );
}

export async function unpinBoard(session: OrganisationWriting, personId: string, slug: string): Promise<void> {
  await session.run('DELETE FROM pinned_boards WHERE organisation_id = $1 AND person_id = $2 AND slug = $3', [
    session.organisationId,
    personId,
    slug,
  ]);
}
