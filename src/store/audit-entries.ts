import type { Reading } from './store.ts';
import type { auditEvents, auditLog, StoreRowOf } from './tables.ts';

type AuditLogRow = StoreRowOf<typeof auditLog>;
type AuditEventRow = StoreRowOf<typeof auditEvents>;

/** Only changes have a version. */
export type AuditEntry = Omit<AuditLogRow, 'version' | 'entry'> & Partial<AuditLogRow>;

/** Behind the last entry that was read, in both of the orders that the log is kept in. */
export interface AuditPosition {
  /** Version and number of the last change. */
  readonly change?: readonly [version: number, entry: number] | undefined;
  /** Time, in milliseconds since 1970, and identifier of the last event. */
  readonly event?: readonly [at: number, id: string] | undefined;
}

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Where older entries begin; undefined where there are none. */
  readonly next: AuditPosition | undefined;
}

/** The newest entries of an organisation's audit log, newest first: changes in their own order, and events between them. */
export async function auditEntries(session: Reading, organisationId: string, most: number): Promise<AuditEntry[]> {
  return [...(await auditPage(session, organisationId, most)).entries];
}

/** The same for those behind a position, with the position behind them. */
export async function auditPage(
  session: Reading,
  organisationId: string,
  most: number,
  before: AuditPosition = {},
): Promise<AuditPage> {
  const changes = await changesBefore(session, organisationId, most + 1, before);
  const events = await eventsBefore(session, organisationId, most + 1, before);
  const entries: AuditEntry[] = [];
  let [i, j] = [0, 0];
  while (entries.length < most) {
    const [change, event] = [changes[i], events[j]];
    if (event && (!change || event.happened_at >= change.happened_at)) {
      entries.push(countedEntry(event));
      j += 1;
    } else if (change) {
      entries.push(change);
      i += 1;
    } else break;
  }
  if (i >= changes.length && j >= events.length) return { entries, next: undefined };
  const [change, event] = [changes[i - 1], events[j - 1]];
  return {
    entries,
    next: {
      change: change ? [change.version, change.entry] : before.change,
      event: event ? [event.happened_at.getTime(), event.id] : before.event,
    },
  };
}

function changesBefore(session: Reading, organisationId: string, most: number, { change }: AuditPosition) {
  return session.rows<AuditLogRow>(
    `SELECT * FROM audit_log WHERE organisation_id = $1
     AND ($3::bigint IS NULL OR version < $3::bigint OR (version = $3::bigint AND entry < $4::integer))
     ORDER BY version DESC, entry DESC LIMIT $2`,
    [organisationId, most, change?.[0] ?? null, change?.[1] ?? null],
  );
}

function eventsBefore(session: Reading, organisationId: string, most: number, { event }: AuditPosition) {
  const at = event ? new Date(event[0]) : null;
  return session.rows<AuditEventRow>(
    `SELECT * FROM audit_events WHERE organisation_id = $1
     AND ($3::timestamptz IS NULL OR happened_at < $3::timestamptz OR (happened_at = $3::timestamptz AND id > $4))
     ORDER BY happened_at DESC, id LIMIT $2`,
    [organisationId, most, at, event?.[1] ?? null],
  );
}

function countedEntry({ row_count, details, ...event }: AuditEventRow): AuditEntry {
  if (row_count === null) return { ...event, details };
  const said = details === null ? {} : (JSON.parse(details) as object);
  return { ...event, details: JSON.stringify({ rows: row_count, ...said }) };
}

/** When something was last done that is noted as an event, such as a backup. */
export async function lastEventAt(session: Reading, organisationId: string, action: string): Promise<Date | undefined> {
  const [row] = await session.rows<{ at: Date | null }>(
    'SELECT max(happened_at) AS at FROM audit_events WHERE organisation_id = $1 AND action = $2',
    [organisationId, action],
  );
  return row?.at ?? undefined;
}
