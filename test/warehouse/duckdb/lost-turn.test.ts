import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { Refusal } from '../../../src/refusal.ts';
import type { WriterTurns } from '../../../src/store/writer-turns.ts';
import { MemoryWriterTurns } from '../../../src/store/writer-turns.ts';
import { openEmbeddedWarehouse } from '../../../src/warehouse/duckdb/warehouse.ts';
import type { EmbeddedWarehouse } from '../../../src/warehouse/warehouse.ts';
import { rowOf, someLimits, someOrganisationId } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

describe('the turn of a writer that the store gives', () => {
  const turns = new MemoryWriterTurns();
  /** What happens in place of publishing, where something does. */
  let instead: (() => Promise<void>) | undefined;
  const watched: WriterTurns = {
    inTurn: (id, work, writer) =>
      turns.inTurn(id, (turn) => work({ ...turn, publish: () => instead?.() ?? turn.publish() }), writer),
    published: (id) => turns.published(id),
    lastKnown: (id) => turns.lastKnown(id),
    forgetDead: (...gone) => turns.forgetDead(...gone),
    forgetEnds: (...gone) => turns.forgetEnds(...gone),
    isLayoutKnownToAll: () => turns.isLayoutKnownToAll(),
  };
  const folder = mkdtempSync(join(tmpdir(), 'plumb-turns-'));
  let warehouse: EmbeddedWarehouse;
  beforeAll(async () => {
    warehouse = await openEmbeddedWarehouse(folder, someLimits, undefined, watched);
  });
  afterAll(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const put = (id: string, pr: string) =>
    warehouse.change(id, (writer) => putRows(writer, pullRequests, [rowOf(pullRequests, { pr_id: pr })]));
  const ids = (id: string) =>
    warehouse.read(id, async (reader) => (await reader.select(pullRequests, ['pr_id'])).map(({ pr_id }) => pr_id));

  test('A change whose turn was lost is not committed, and the next one is', async () => {
    const id = someOrganisationId();
    await put(id, 'a');
    const version = warehouse.versionOf(id);
    instead = () => Promise.reject(new Refusal('unavailable', 'The turn went to another server.'));
    await expect(put(id, 'b')).rejects.toMatchObject({ reason: 'unavailable' });
    instead = undefined;
    expect(await ids(id)).toEqual(['a']);
    expect(warehouse.versionOf(id)).toBe(version);
    await put(id, 'c');
    expect((await ids(id)).sort()).toEqual(['a', 'c']);
    expect(warehouse.versionOf(id)).toBeGreaterThan(version ?? Number.POSITIVE_INFINITY);
  });

  test('The version moves once the change can be seen, not when it is published', async () => {
    const id = someOrganisationId();
    await put(id, 'a');
    const before = warehouse.versionOf(id);
    let seen: unknown;
    instead = async () => {
      seen = [warehouse.versionOf(id), await ids(id)];
    };
    await put(id, 'b');
    instead = undefined;
    expect(seen).toEqual([before, ['a']]);
    expect(warehouse.versionOf(id)).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY);
  });

  test('Putting rows in order takes turns with changes and is no change', async () => {
    const id = someOrganisationId();
    await put(id, 'a');
    const [version, published] = [warehouse.versionOf(id), turns.published(id)];
    await warehouse.recluster(id);
    expect([warehouse.versionOf(id), turns.published(id)]).toEqual([version, published]);
  });
});
