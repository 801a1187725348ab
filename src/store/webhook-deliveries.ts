import type { StoreRowOf } from './define-table.ts';
import { insertNewRows } from './put-rows.ts';
import { webhookDeliveries } from './source-tables.ts';
import type { Reading, Writing } from './store.ts';

export type WebhookDeliveryRow = StoreRowOf<typeof webhookDeliveries>;

/** Keeps deliveries until they are read. One that is there already stays as it is, the first of several as well. */
export async function keepDeliveries(session: Writing, deliveries: readonly WebhookDeliveryRow[]): Promise<void> {
  const byKey = new Map<string, WebhookDeliveryRow>();
  for (const delivery of deliveries) {
    const key = JSON.stringify([delivery.source_id, delivery.delivery_id]);
    if (!byKey.has(key)) byKey.set(key, delivery);
  }
  await insertNewRows(session, webhookDeliveries, [...byKey.values()]);
}

/** Deliveries of a source that still have to be read, the oldest first. */
export function openDeliveries(session: Reading, sourceId: string, limit: number): Promise<WebhookDeliveryRow[]> {
  return session.rows(
    `SELECT * FROM webhook_deliveries WHERE source_id = $1 AND done_at IS NULL
     ORDER BY received_at, delivery_id LIMIT $2`,
    [sourceId, limit],
  );
}

/** Sources that have deliveries which still have to be read, or some that came before a moment. */
export async function sourcesWithDeliveries(session: Reading, receivedBefore?: Date): Promise<string[]> {
  const rows = await session.rows<{ source_id: string }>(
    `SELECT DISTINCT source_id FROM webhook_deliveries
     WHERE done_at IS NULL AND ($1::timestamptz IS NULL OR received_at < $1::timestamptz) ORDER BY source_id`,
    [receivedBefore ?? null],
  );
  return rows.map((row) => row.source_id);
}

export async function finishDeliveries(
  session: Writing,
  sourceId: string,
  deliveryIds: readonly string[],
  at: Date,
): Promise<void> {
  await session.run(
    `UPDATE webhook_deliveries SET done_at = $3::timestamptz
     WHERE source_id = $1 AND delivery_id IN (SELECT unnest($2::text[]))`,
    [sourceId, deliveryIds, at],
  );
}

/** Forgets deliveries that were read before a moment: no provider repeats one so late. */
export async function forgetDeliveries(session: Writing, before: Date): Promise<void> {
  await session.run('DELETE FROM webhook_deliveries WHERE done_at < $1::timestamptz', [before]);
}
