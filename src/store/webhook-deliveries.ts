import { webhookDeliveries } from './source-tables.ts';
import type { Reading, Writing } from './store.ts';
import type { StoreRowOf } from './store-table.ts';

export type WebhookDeliveryRow = StoreRowOf<typeof webhookDeliveries>;

const columns = Object.keys(webhookDeliveries.columns).join(', ');

/** Keeps a delivery until it is read. One that is there already stays as it is. */
export async function keepDelivery(session: Writing, delivery: WebhookDeliveryRow): Promise<void> {
  const { source_id, delivery_id, organisation_id, event, objects, received_at, done_at } = delivery;
  await session.run(
    `INSERT INTO webhook_deliveries (${columns}) VALUES ($1, $2, $3, $4, $5, $6::timestamptz, $7::timestamptz)
     ON CONFLICT (source_id, delivery_id) DO NOTHING`,
    [source_id, delivery_id, organisation_id, event, objects, received_at, done_at],
  );
}

/** Deliveries of a source that still have to be read, the oldest first. */
export function openDeliveries(session: Reading, sourceId: string, most: number): Promise<WebhookDeliveryRow[]> {
  return session.rows(
    `SELECT * FROM webhook_deliveries WHERE source_id = $1 AND done_at IS NULL
     ORDER BY received_at, delivery_id LIMIT $2`,
    [sourceId, most],
  );
}

/** Sources that have deliveries which still have to be read. */
export async function sourcesWithDeliveries(session: Reading): Promise<string[]> {
  const rows = await session.rows<{ source_id: string }>(
    'SELECT DISTINCT source_id FROM webhook_deliveries WHERE done_at IS NULL ORDER BY source_id',
    [],
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
