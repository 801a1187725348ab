import { randomUUID } from 'node:crypto';
import { type Actor, type AuditedAction, actorColumns } from './audit.ts';
import type { Store, Writing } from './store.ts';

/** What a backup is called in the log, and found by when somebody asks for the last one. */
export const backupAction = 'backup.create';

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
