import { insertRows } from './rows.ts';
import type { OrganisationWriting, Reading } from './store.ts';
import { type auditEvents, auditLog, type StoreRowOf } from './tables.ts';

/** Who changes something, and through which door. */
export type Actor =
  | { readonly via: 'api'; readonly personId: string; readonly keyId: string }
  /** Somebody who is signed in, on a page. */
  | { readonly via: 'session'; readonly personId: string }
  | { readonly via: 'sign-in'; readonly personId: string }
  | { readonly via: 'command'; readonly user: string }
  | { readonly via: 'demo' }
  /** What records say has changed it. */
  | { readonly via: 'records' }
  /** Members and teams of a code host, read by this source. */
  | { readonly via: 'source'; readonly sourceId: string };

export interface AuditedAction {
  /** What was done, as `thing.verb`: `person.onboard`. */
  readonly action: string;
  /** The identifier of what it was done to. */
  readonly subject: string;
  /** Never holds a secret or a salary. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** How many entries each transaction under way has written: they are numbered within it. */
const written = new WeakMap<OrganisationWriting, number>();

/** Writes what one change did into the audit log, in the transaction that does it. */
export async function audit(
  session: OrganisationWriting,
  actor: Actor,
  at: Date,
  auditedActions: readonly AuditedAction[],
): Promise<void> {
  const first = written.get(session) ?? 0;
  written.set(session, first + auditedActions.length);
  await insertRows(
    session,
    auditLog,
    auditedActions.map(({ action, subject, details }, i) => ({
      organisation_id: session.organisationId,
      version: session.version,
      entry: first + i,
      happened_at: at,
      ...actorColumns(actor),
      action,
      subject,
      details: details === undefined ? null : JSON.stringify(details),
    })),
  );
}

/** Who it was, as the audit log keeps it. */
export const actorColumns = (actor: Actor) => ({
  via: actor.via,
  actor:
    'personId' in actor ? actor.personId : 'user' in actor ? actor.user : 'sourceId' in actor ? actor.sourceId : null,
  key_id: 'keyId' in actor ? actor.keyId : null,
});

type AuditLogRow = StoreRowOf<typeof auditLog>;
/** Only changes have a version. */
type AuditEntry = Omit<AuditLogRow, 'version' | 'entry'> & Partial<AuditLogRow>;

/** The newest entries of an organisation's audit log, newest first: changes in their own order, and events between them. */
export async function auditEntries(session: Reading, organisationId: string, most: number): Promise<AuditEntry[]> {
  const changes = await session.rows<AuditEntry>(
    'SELECT * FROM audit_log WHERE organisation_id = $1 ORDER BY version DESC, entry DESC LIMIT $2',
    [organisationId, most],
  );
  const events = await session.rows<StoreRowOf<typeof auditEvents>>(
    'SELECT * FROM audit_events WHERE organisation_id = $1 ORDER BY happened_at DESC, id LIMIT $2',
    [organisationId, most],
  );
  const merged: AuditEntry[] = [];
  for (let [i, j] = [0, 0]; merged.length < most; ) {
    const [change, event] = [changes[i], events[j]];
    if (event && (!change || event.happened_at >= change.happened_at)) {
      merged.push(countedEntry(event));
      j += 1;
    } else if (change) {
      merged.push(change);
      i += 1;
    } else break;
  }
  return merged;
}

function countedEntry({ row_count, details, ...event }: StoreRowOf<typeof auditEvents>): AuditEntry {
  if (row_count === null) return { ...event, details };
  const said = details === null ? {} : (JSON.parse(details) as object);
  return { ...event, details: JSON.stringify({ rows: row_count, ...said }) };
}

/** What kinds of things were done to an organisation after one of its versions. */
export async function actionsSince(session: Reading, organisationId: string, version: number): Promise<string[]> {
  const rows = await session.rows<{ action: string }>(
    'SELECT DISTINCT action FROM audit_log WHERE organisation_id = $1 AND version > $2::bigint',
    [organisationId, version],
  );
  return rows.map(({ action }) => action);
}
