import { randomUUID } from 'node:crypto';
import { type auditEvents, auditLog, type StoreRowOf } from './all-store-tables.ts';
import type { AuditAction } from './audit-actions.ts';
import { insertRows } from './put-rows.ts';
import type { OrganisationWriting, Reading, Store, Writing } from './store.ts';

/** The actor of a change, and the door that they use. */
export type Actor =
  | { readonly via: 'api'; readonly personId: string; readonly keyId: string }
  /** A person who is signed in, on a page. */
  | { readonly via: 'session'; readonly personId: string }
  | { readonly via: 'sign-in'; readonly personId: string }
  /** Someone who tried to sign in and did not get in. */
  | { readonly via: 'sign-in' }
  | { readonly via: 'command'; readonly user: string }
  | { readonly via: 'demo' }
  /** Someone who has the link of a mail. */
  | { readonly via: 'mail' }
  /** Records brought the change. */
  | { readonly via: 'records' }
  /** Members and teams of a code host, read by this source. */
  | { readonly via: 'source'; readonly sourceId: string };

export interface AuditedAction {
  /** The action, as `thing.verb`: `person.onboard`. */
  readonly action: AuditAction;
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

/** The actor, as the audit log stores them. */
const actorColumns = (actor: Actor) => ({
  via: actor.via,
  actor:
    'personId' in actor ? actor.personId : 'user' in actor ? actor.user : 'sourceId' in actor ? actor.sourceId : null,
  key_id: 'keyId' in actor ? actor.keyId : null,
});

/** The kinds of actions in an organisation after one of its versions. */
export async function actionsSince(session: Reading, organisationId: string, version: number): Promise<string[]> {
  const rows = await session.rows<{ action: string }>(
    'SELECT DISTINCT action FROM audit_log WHERE organisation_id = $1 AND version > $2::bigint',
    [organisationId, version],
  );
  return rows.map(({ action }) => action);
}

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
  /** The position of older entries; undefined where there are none. */
  readonly next: AuditPosition | undefined;
}

/** The newest entries of an organisation's audit log, newest first: changes in their own order, and events between them. */
export async function auditEntries(session: Reading, organisationId: string, limit: number): Promise<AuditEntry[]> {
  return [...(await auditPage(session, organisationId, limit)).entries];
}

/** The entries behind a position, with the position behind them. */
export async function auditPage(
  session: Reading,
  organisationId: string,
  limit: number,
  before: AuditPosition = {},
): Promise<AuditPage> {
  const changes = await changesBefore(session, organisationId, limit + 1, before);
  const events = await eventsBefore(session, organisationId, limit + 1, before);
  const entries: AuditEntry[] = [];
  let [i, j] = [0, 0];
  while (entries.length < limit) {
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

function changesBefore(session: Reading, organisationId: string, limit: number, { change }: AuditPosition) {
  return session.rows<AuditLogRow>(
    `SELECT * FROM audit_log WHERE organisation_id = $1
     AND ($3::bigint IS NULL OR version < $3::bigint OR (version = $3::bigint AND entry < $4::integer))
     ORDER BY version DESC, entry DESC LIMIT $2`,
    [organisationId, limit, change?.[0] ?? null, change?.[1] ?? null],
  );
}

function eventsBefore(session: Reading, organisationId: string, limit: number, { event }: AuditPosition) {
  const at = event ? new Date(event[0]) : null;
  return session.rows<AuditEventRow>(
    `SELECT * FROM audit_events WHERE organisation_id = $1
     AND ($3::timestamptz IS NULL OR happened_at < $3::timestamptz OR (happened_at = $3::timestamptz AND id > $4))
     ORDER BY happened_at DESC, id LIMIT $2`,
    [organisationId, limit, at, event?.[1] ?? null],
  );
}

function countedEntry({ row_count, details, ...event }: AuditEventRow): AuditEntry {
  if (row_count === null) return { ...event, details };
  const said = details === null ? {} : (JSON.parse(details) as object);
  return { ...event, details: JSON.stringify({ rows: row_count, ...said }) };
}

/** When something was last done that is noted as an event, such as a backup. */
export async function lastEventAt(
  session: Reading,
  organisationId: string,
  action: AuditAction,
): Promise<Date | undefined> {
  const [row] = await session.rows<{ at: Date | null }>(
    'SELECT max(happened_at) AS at FROM audit_events WHERE organisation_id = $1 AND action = $2',
    [organisationId, action],
  );
  return row?.at ?? undefined;
}

/** The action of a backup in the log; the last backup is found by it. */
export const backupAction = 'backup.create' as const;

/** Something done that changes no organisation: records brought or taken out, a backup, a look at what is private. */
export interface AuditEvent extends AuditedAction {
  readonly organisationId: string;
  readonly actor: Actor;
  readonly at: Date;
  /** Events with one identifier are one entry, however often and from wherever they are noted. */
  readonly id?: string;
  /** Rows so far, where rows are what it is about. */
  readonly rows?: number;
}

/** Writes events into the audit log, without a new version of anything. One that is there stays as it is. */
export async function writeEvents(session: Writing, events: readonly AuditEvent[]): Promise<void> {
  for (const { organisationId, actor, at, action, subject, details, id = randomUUID(), rows = null } of events) {
    const { via, actor: who, key_id } = actorColumns(actor);
    await session.run(
      `INSERT INTO audit_events
         (organisation_id, id, happened_at, via, actor, key_id, action, subject, row_count, details)
       VALUES ($1, $2, $3::timestamptz, $4, $5, $6, $7, $8, $9::bigint, $10)
       ON CONFLICT (organisation_id, id) DO NOTHING`,
      [organisationId, id, at, via, who, key_id, action, subject, rows, details ? JSON.stringify(details) : null],
    );
  }
}

/** Rows on their way in or out. The entry is there before the first of them, and counts them as they pass. */
export class AuditedRows {
  readonly #store: Pick<Store, 'note'>;
  readonly #organisationId: string;
  readonly #id: string;

  private constructor(store: Pick<Store, 'note'>, organisationId: string, id: string) {
    this.#store = store;
    this.#organisationId = organisationId;
    this.#id = id;
  }

  static async begin(store: Pick<Store, 'note'>, event: AuditEvent): Promise<AuditedRows> {
    const { id = randomUUID(), organisationId } = event;
    await store.note((session) => writeEvents(session, [{ rows: 0, ...event, id }]));
    return new AuditedRows(store, organisationId, id);
  }

  async add(rows: number): Promise<void> {
    if (rows === 0) return;
    await this.#store.note((session) =>
      session.run('UPDATE audit_events SET row_count = row_count + $3::bigint WHERE organisation_id = $1 AND id = $2', [
        this.#organisationId,
        this.#id,
        rows,
      ]),
    );
  }
}

/** The clock hour that a time is in, UTC, as `2027-01-31T14`. */
export const hourOf = (at: Date): string => at.toISOString().slice(0, 13);
