import { randomBytes } from 'node:crypto';
import type { Principal } from '../access/principal.ts';
import { Refusal } from '../refusal.ts';
import type { OwnedDocumentRow } from '../store/document-rows.ts';
import type { Reading } from '../store/store.ts';
import type { DocumentContext, DocumentKind, StoredDocument } from './document-kind.ts';
import { refuseSlug } from './slug.ts';
import { teamFilterNames } from './teams-of-reader.ts';
import { mayRead } from './visible-to.ts';

/** A document that somebody has written. */
export interface WrittenDocument {
  readonly slug: string;
  readonly written: unknown;
  /** The file that it is from, for what is wrong with it. */
  readonly from?: string;
}

/** What would become of a document, in the state of the store that was looked at. */
export interface PlannedChange<D> {
  readonly change: 'new' | 'changed' | 'unchanged';
  readonly before: StoredDocument<D> | undefined;
  readonly after: StoredDocument<D>;
  /** What is shown once, to the one who makes the change. */
  readonly once?: object | undefined;
}

/** What a change is planned in: the documents that are there, and what has to be true of them. */
export interface PlannedIn<D> {
  readonly rowOf: (slug: string) => Promise<OwnedDocumentRow | undefined>;
  readonly check: ChangeCheck<D>;
}

/** Refuses a change of what is there, or of nothing. */
export type ChangeCheck<D> = (stored: StoredDocument<D> | undefined, slug: string) => void;

/** What has to be true of the document that is there: that there is none, or that it is the one that was read. */
export interface ChangeCondition {
  readonly isNew?: boolean;
  /** Tags of which the document has to have one; `any` where it only has to be there. */
  readonly etags?: readonly string[] | 'any';
}

/** Reads what was written, and says what would become of it. Nothing is written here. */
export async function planChange<D extends object>(
  kind: DocumentKind<D>,
  session: Reading,
  context: DocumentContext,
  { slug, written }: WrittenDocument,
  { rowOf, check }: PlannedIn<D>,
): Promise<PlannedChange<D>> {
  const { principal, now } = context;
  refuseSlug(slug, kind.kind);
  const row = await rowOf(slug);
  const before = row && storedDocument<D>(row);
  if (before && !isSeen(kind, before, context)) throw new Refusal('conflict', `The name '${slug}' is taken.`);
  check(before, slug);
  if (before) refuseStranger(kind, principal, before);
  const { document, secrets = null, once } = await kind.read(written, { ...context, session, slug, before });
  kind.refuseMaker(principal, document);
  const isTakenOver = kind.isSent && before?.owner === null;
  if (before && !isTakenOver && secrets === before.secrets && sameDocument(document, before.document)) {
    return { change: 'unchanged', before, after: before };
  }
  const after: StoredDocument<D> = {
    slug,
    document,
    owner: before?.owner ?? (before && !kind.isSent ? null : { id: principal.personId, name: '' }),
    etag: randomBytes(12).toString('base64url'),
    secrets,
    createdAt: before?.createdAt ?? now,
    changedAt: now,
  };
  return { change: before ? 'changed' : 'new', before, after, once };
}

export function storedDocument<D>(row: OwnedDocumentRow): StoredDocument<D> {
  return {
    slug: row.slug,
    document: JSON.parse(row.body) as D,
    owner: row.owner === null ? null : { id: row.owner, name: row.owner_name ?? '' },
    etag: row.etag,
    secrets: row.secrets,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}

export const isSeen = <D extends object>(
  kind: DocumentKind<D>,
  { owner, document }: StoredDocument<D>,
  { principal, teams }: DocumentContext,
): boolean => owner?.id === principal.personId || mayRead(principal, teams, kind.visibleTo(document));

/** Its owner may change a document, and so may Owners of the organisation. */
export const mayChange = ({ personId, role }: Principal, { owner }: Pick<StoredDocument<unknown>, 'owner'>): boolean =>
  role === 'Owner' || owner?.id === personId;

export function refuseStranger<D extends object>(
  { kind }: DocumentKind<D>,
  principal: Principal,
  stored: StoredDocument<D>,
): void {
  if (mayChange(principal, stored)) return;
  const owner = stored.owner ? stored.owner.name : 'the Owners of the organisation';
  throw new Refusal(
    'forbidden',
    `The ${kind} '${stored.slug}' belongs to ${owner}. Only its owner and Owners of the organisation may change or remove it.`,
  );
}

export function refuseUnless<D extends object>(
  { kind }: DocumentKind<D>,
  { isNew, etags }: ChangeCondition,
  stored: StoredDocument<D> | undefined,
  slug: string,
): void {
  if (etags !== undefined && !stored) {
    throw new Refusal('changed-meanwhile', `There is no ${kind} '${slug}' any more, or there never was one.`);
  }
  if (etags !== undefined && etags !== 'any' && stored && !etags.includes(stored.etag)) {
    throw changedMeanwhile(kind, slug);
  }
  if (isNew && stored) {
    throw new Refusal(
      'changed-meanwhile',
      `There is a ${kind} '${slug}' already. Send If-Match with its ETag to replace it.`,
    );
  }
}

export const changedMeanwhile = (kind: string, slug: string): Refusal =>
  new Refusal(
    'changed-meanwhile',
    `The ${kind} '${slug}' was changed since it was read. Read it again, and send the change again.`,
  );

/** Whether two documents say the same: fields and teams in any order, one team or a list of one, under either name. */
const sameDocument = (one: object, other: object): boolean =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));

const teamLists: ReadonlySet<string> = new Set(teamFilterNames);

function inOrder(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => inOrder(item));
    return teamLists.has(name) ? items.sort() : items;
  }
  if (teamLists.has(name) && typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return value;
  // Where both names are there, neither stands for the other.
  const isNamedOnce = teamFilterNames.filter((one) => one in value).length === 1;
  const nameOf = (field: string) => (isNamedOnce && teamLists.has(field) ? 'team' : field);
  return Object.entries(value)
    .map(([field, inner]) => [nameOf(field), inOrder(inner, field)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
