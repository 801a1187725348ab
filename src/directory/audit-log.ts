import { Refusal } from '../refusal.ts';
import { type AuditEntry, type AuditPosition, auditPage } from '../store/audit.ts';
import type { Reading } from '../store/store.ts';
import type { NamedThing } from './roster-entries.ts';

/** An entry of the audit log for people. */
interface ShownAuditEntry {
  readonly at: string;
  readonly via: string;
  /** Who it was: a person or a source by name, or the operator who typed a command. */
  readonly actor: { readonly id: string | null; readonly name: string } | null;
  readonly key_id: string | null;
  readonly action: string;
  readonly subject: { readonly id: string; readonly name: string | null };
  readonly details: unknown;
}

interface ShownAuditPage {
  readonly entries: readonly ShownAuditEntry[];
  /** The position to ask with for older entries; null where there are none. */
  readonly before: string | null;
}

/** Part of an organisation's audit log, newest first, with the names that people know. */
export async function readAuditLog(
  session: Reading,
  organisationId: string,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<ShownAuditPage> {
  const position = before === undefined ? undefined : positionIn(before);
  const { entries, next } = await auditPage(session, organisationId, limit, position);
  const names = await namesIn(session, organisationId, entries);
  return { entries: entries.map((entry) => shown(entry, names)), before: next ? textOf(next) : null };
}

function shown(entry: AuditEntry, names: ReadonlyMap<string, string>): ShownAuditEntry {
  const { happened_at, via, actor, key_id, action, subject } = entry;
  const details = entry.details === null ? null : (JSON.parse(entry.details) as { readonly name?: unknown } | null);
  const said = typeof details?.name === 'string' ? details.name : null;
  return {
    at: happened_at.toISOString(),
    via,
    actor: actor === null ? null : { id: via === 'command' ? null : actor, name: names.get(actor) ?? actor },
    key_id,
    action,
    subject: { id: subject, name: names.get(subject) ?? said },
    details,
  };
}

/** People, sources, keys, teams and squads that entries speak of, as they are called now. */
async function namesIn(
  session: Reading,
  organisationId: string,
  entries: readonly AuditEntry[],
): Promise<Map<string, string>> {
  const ids = [...new Set(entries.flatMap(({ actor, subject }) => (actor === null ? [subject] : [actor, subject])))];
  const names = new Map<string, string>();
  for (const table of ['squads', 'teams', 'api_keys', 'sources', 'people']) {
    const rows = await session.rows<NamedThing>(
      `SELECT id, name FROM ${table} WHERE organisation_id = $1 AND id IN (SELECT unnest($2::text[]))`,
      [organisationId, ids],
    );
    for (const { id, name } of rows) names.set(id, name);
  }
  return names;
}

const textOf = ({ change, event }: AuditPosition): string =>
  Buffer.from(JSON.stringify([change ?? null, event ?? null])).toString('base64url');

/** The end of the year 9999, in milliseconds since 1970. */
const maxTime = 253_402_300_799_999;

function positionIn(text: string): AuditPosition {
  try {
    const [change, event] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    const isCount = (value: unknown, max: number) =>
      Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;
    const isChange = (value: unknown): value is [number, number] =>
      Array.isArray(value) && isCount(value[0], Number.MAX_SAFE_INTEGER) && isCount(value[1], 2 ** 31 - 1);
    const isEvent = (value: unknown): value is [number, string] =>
      Array.isArray(value) && isCount(value[0], maxTime) && typeof value[1] === 'string';
    if ((change === null || isChange(change)) && (event === null || isEvent(event))) {
      return { change: change ?? undefined, event: event ?? undefined };
    }
  } catch {
    // Said below.
  }
  throw new Refusal('bad-input', 'before must be what the page before gave as before.');
}
