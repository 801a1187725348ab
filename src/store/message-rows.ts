import type { StoreRowOf } from './define-table.ts';
import { messageReceivers, messages } from './message-tables.ts';
import { insertNewRows } from './put-rows.ts';
import type { OrganisationWriting, Reading, Store, Writing } from './store.ts';

export type MessageRow = StoreRowOf<typeof messages>;
export type MessageReceiverRow = StoreRowOf<typeof messageReceivers>;

/** The alert or digest that a message is sent for. */
interface About {
  readonly kind: string;
  readonly slug: string;
}

/** Adds messages. One that is there already stays as it is: a delivery never has two contents. */
export const addMessages = (session: OrganisationWriting, rows: readonly MessageRow[]): Promise<void> =>
  insertNewRows(session, messages, rows);

/** Whether the receiver of a message has stopped what it is about. */
const isStopped = `EXISTS (
  SELECT 1 FROM message_receivers r
  WHERE r.organisation_id = messages.organisation_id AND r.about_kind = messages.about_kind
    AND r.about_slug = messages.about_slug AND r.receiver = messages.receiver AND r.stopped_at IS NOT NULL)`;

type DueMessage = Pick<MessageRow, 'organisation_id' | 'id' | 'receiver'>;

/** Messages whose time has come and which no process is sending, the longest due first. */
export function dueMessages(session: Reading, now: Date, limit: number): Promise<DueMessage[]> {
  return session.rows(
    `SELECT organisation_id, id, receiver FROM messages
     WHERE state = 'queued' AND next_try_at <= $1::timestamptz AND (holder IS NULL OR lease_until < now())
       AND NOT ${isStopped}
     ORDER BY next_try_at, queued_at, id LIMIT $2`,
    [now, limit],
  );
}

/**
 * Takes the right to send a message, which one process at a time has. Undefined where another one has it, or has sent
 * it. By the store's own clock: those of servers may differ.
 */
export async function takeMessage(
  store: Pick<Store, 'note'>,
  { organisation_id, id }: DueMessage,
  lease: { readonly holder: string; readonly leaseMs: number; readonly at: Date },
): Promise<MessageRow | undefined> {
  let taken: MessageRow | undefined;
  await store.note(async (session) => {
    [taken] = await session.rows<MessageRow>(
      `UPDATE messages SET holder = $3, lease_until = now() + $4 * interval '1 millisecond', tries = tries + 1,
         last_tried_at = $5::timestamptz, first_tried_at = coalesce(first_tried_at, $5::timestamptz)
       WHERE organisation_id = $1 AND id = $2 AND state = 'queued' AND next_try_at <= $5::timestamptz
         AND (holder IS NULL OR lease_until < now()) AND NOT ${isStopped}
       RETURNING *`,
      [organisation_id, id, lease.holder, lease.leaseMs, lease.at],
    );
  });
  return taken;
}

/** How a try ended, and what is to become of the message. */
export interface TriedMessage {
  readonly status: string;
  readonly at: Date;
  /** When it is tried again; null where it is sent or given up. */
  readonly nextTryAt: Date | null;
  readonly state: 'queued' | 'sent' | 'failed';
}

/** Only by its holder. What it said and where it went is forgotten once it is done. */
export async function noteTriedMessage(
  session: Writing,
  { organisation_id, id, holder }: MessageRow,
  { status, at, nextTryAt, state }: TriedMessage,
): Promise<void> {
  await session.run(
    `UPDATE messages SET holder = NULL, lease_until = NULL, state = $4, last_status = $5,
       next_try_at = coalesce($6::timestamptz, next_try_at),
       done_at = CASE WHEN $4 = 'queued' THEN NULL ELSE $7::timestamptz END,
       address = CASE WHEN $4 = 'queued' THEN address ELSE NULL END,
       content = CASE WHEN $4 = 'queued' THEN content ELSE NULL END
     WHERE organisation_id = $1 AND id = $2 AND holder = $3`,
    [organisation_id, id, holder, state, status, nextTryAt, at],
  );
}

/** Deliveries of an organisation, of one alert or digest, or to some receivers, the newest first. */
export function listMessages(
  session: Reading,
  organisationId: string,
  {
    about,
    receivers,
    limit,
  }: {
    readonly about?: About | undefined;
    readonly receivers?: readonly string[] | undefined;
    readonly limit: number;
  },
): Promise<MessageRow[]> {
  return session.rows(
    `SELECT * FROM messages WHERE organisation_id = $1
       AND ($2::text IS NULL OR (about_kind = $2 AND about_slug = $3::text))
       AND ($5::text[] IS NULL OR receiver = ANY($5::text[]))
     ORDER BY queued_at DESC, id LIMIT $4`,
    [organisationId, about?.kind ?? null, about?.slug ?? null, limit, receivers ?? null],
  );
}

/** How many messages of all organisations wait to be sent. */
export async function countWaitingMessages(session: Reading): Promise<number> {
  const [row] = await session.rows<{ waiting: number }>(
    "SELECT count(*)::int AS waiting FROM messages WHERE state = 'queued'",
  );
  return row?.waiting ?? 0;
}

/** Failures of so many days are told. */
export const troubledDays = 7;

/** A receiver that messages do not reach: how many failed since a moment, and how many are tried again. */
export interface TroubledMessage {
  readonly about_kind: string;
  readonly about_slug: string;
  readonly medium: string;
  readonly failed: number;
  readonly retried: number;
  readonly last_status: string;
}

/** Addresses are left out: of a mail it would be that of a person. */
export function listTroubledMessages(
  session: Reading,
  organisationId: string,
  failedSince: Date,
): Promise<TroubledMessage[]> {
  return session.rows(
    `SELECT about_kind, about_slug, medium, max(last_status) AS last_status,
       (count(*) FILTER (WHERE state = 'failed'))::int AS failed,
       (count(*) FILTER (WHERE state = 'queued'))::int AS retried
     FROM messages
     WHERE organisation_id = $1 AND last_status IS NOT NULL
       AND (state = 'queued' OR (state = 'failed' AND done_at >= $2::timestamptz))
     GROUP BY about_kind, about_slug, medium, receiver ORDER BY about_kind, about_slug, medium`,
    [organisationId, failedSince],
  );
}

/** Forgets what was done before a moment, and what was being sent to a receiver that stopped meanwhile. */
export async function forgetMessages(session: Writing, doneBefore: Date): Promise<void> {
  await session.run("DELETE FROM messages WHERE state <> 'queued' AND done_at < $1::timestamptz", [doneBefore]);
  await session.run(
    `DELETE FROM messages WHERE state = 'queued' AND (holder IS NULL OR lease_until < now()) AND ${isStopped}`,
  );
}

/** Forgets an alert or a digest that is removed: what still waits is not sent, and links that stop it do nothing. */
export async function forgetAbout(session: OrganisationWriting, { kind, slug }: About): Promise<void> {
  for (const { name } of [messages, messageReceivers]) {
    await session.run(`DELETE FROM ${name} WHERE organisation_id = $1 AND about_kind = $2 AND about_slug = $3`, [
      session.organisationId,
      kind,
      slug,
    ]);
  }
}

/** Receivers that have had a mail, of the organisation or of one alert or digest. */
export function listMessageReceivers(
  session: Reading,
  organisationId: string,
  about?: About,
): Promise<MessageReceiverRow[]> {
  return session.rows(
    `SELECT * FROM message_receivers WHERE organisation_id = $1
       AND ($2::text IS NULL OR (about_kind = $2 AND about_slug = $3::text))
     ORDER BY about_kind, about_slug, receiver`,
    [organisationId, about?.kind ?? null, about?.slug ?? null],
  );
}

/** Those that are there already keep their token. */
export const addMessageReceivers = (session: OrganisationWriting, rows: readonly MessageReceiverRow[]): Promise<void> =>
  insertNewRows(session, messageReceivers, rows);

export async function findByStopToken(session: Reading, token: string): Promise<MessageReceiverRow | undefined> {
  const [row] = await session.rows<MessageReceiverRow>('SELECT * FROM message_receivers WHERE stop_token = $1', [
    token,
  ]);
  return row;
}

/** Stops sending to a receiver, or begins again. What waits for one that stops is not sent any more. */
export async function stopReceiver(
  session: OrganisationWriting,
  { kind, slug }: About,
  receiver: string,
  stoppedAt: Date | null,
): Promise<void> {
  const these = 'organisation_id = $1 AND about_kind = $2 AND about_slug = $3 AND receiver = $4';
  const values = [session.organisationId, kind, slug, receiver];
  await session.run(`UPDATE message_receivers SET stopped_at = $5::timestamptz WHERE ${these}`, [...values, stoppedAt]);
  if (stoppedAt === null) return;
  await session.run(`DELETE FROM messages WHERE ${these} AND state = 'queued' AND holder IS NULL`, values);
}
