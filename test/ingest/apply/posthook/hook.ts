import { findPerson } from '../../../../src/directory/people.ts';
import type { HookSender } from '../../../../src/ingest/apply/posthook/session-gate.ts';
import { type PostedRejection, readPayload } from '../../../../src/ingest/read/posthook-payload.ts';
import type { RecordsOrganisation } from '../../records-app.ts';

export type HookTables = Readonly<Record<string, readonly object[]>>;

export const owner: HookSender = { personId: 'nobody in particular', isOwner: true };

/** A payload as it comes over a connection. */
export async function* sentBytes(value: unknown): AsyncGenerator<Buffer> {
  yield Buffer.from(JSON.stringify(value));
}

/** Sends what a hook sends, and returns everything that its sender was answered. */
export async function deliverTo({ app, context }: RecordsOrganisation, tables: HookTables, sender: HookSender) {
  const rejected: PostedRejection[] = [];
  const payload = await readPayload(sentBytes({ schema_version: 1, tables }), {
    spoolFolder: app.folder,
    rejected: (row) => rejected.push(row),
  });
  const answer = { accepted: 0, rejected, ignored: payload.ignored };
  await app.ingest.putPosted(context.organisationId, payload.pieces(), sender, (accepted, some) => {
    answer.accepted += accepted;
    answer.rejected.push(...some);
  });
  await payload.close();
  return answer;
}

/** Somebody's own key. */
export async function keyOf({ app, context }: RecordsOrganisation, email: string): Promise<HookSender> {
  const { effective } = await app.store.read((session) => findPerson(session, context.organisationId, email));
  return { personId: effective.id, isOwner: false };
}
