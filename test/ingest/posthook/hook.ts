import { findPerson } from '../../../src/directory/people.ts';
import { type PostedRejection, readPayload } from '../../../src/ingest/posthook/payload.ts';
import type { Sender } from '../../../src/ingest/posthook/session-gate.ts';
import type { RecordsHouse } from '../records/records-house.ts';

export type Tables = Readonly<Record<string, readonly object[]>>;

export const owner: Sender = { personId: 'nobody in particular', isOwner: true };

/** A payload as it comes over a connection. */
export async function* sentBytes(value: unknown): AsyncGenerator<Buffer> {
  yield Buffer.from(JSON.stringify(value));
}

/** Sends what a hook sends, and returns everything that its sender was told. */
export async function deliverTo({ house, errand }: RecordsHouse, tables: Tables, sender: Sender) {
  const rejected: PostedRejection[] = [];
  const payload = await readPayload(sentBytes({ schema_version: 1, tables }), {
    spoolFolder: house.folder,
    rejected: (row) => rejected.push(row),
  });
  const told = { accepted: 0, rejected, ignored: payload.ignored };
  await house.ingest.putPosted(errand.organisationId, payload.pieces(), sender, (accepted, some) => {
    told.accepted += accepted;
    told.rejected.push(...some);
  });
  await payload.close();
  return told;
}

/** Somebody's own key. */
export async function keyOf({ house, errand }: RecordsHouse, email: string): Promise<Sender> {
  const { effective } = await house.store.read((session) => findPerson(session, errand.organisationId, email));
  return { personId: effective.id, isOwner: false };
}
