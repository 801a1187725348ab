import { insertRows } from './rows.ts';
import type { OrganisationWriting, Reading } from './store.ts';
import { auditLog } from './tables.ts';

export { auditEntries } from './audit-entries.ts';

/** Who changes something, and through which door. */
export type Actor =
  | { readonly via: 'api'; readonly personId: string; readonly keyId: string }
  /** A person who is signed in, on a page. */
  | { readonly via: 'session'; readonly personId: string }
  | { readonly via: 'sign-in'; readonly personId: string }
  /** Someone who tried to sign in and did not get in. */
  | { readonly via: 'sign-in' }
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

/** What kinds of things were done to an organisation after one of its versions. */
export async function actionsSince(session: Reading, organisationId: string, version: number): Promise<string[]> {
  const rows = await session.rows<{ action: string }>(
    'SELECT DISTINCT action FROM audit_log WHERE organisation_id = $1 AND version > $2::bigint',
    [organisationId, version],
  );
  return rows.map(({ action }) => action);
}
