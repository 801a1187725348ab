import { expect, test } from 'vitest';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import type { AttributionReader } from '../../../src/ingest/attribute/attribution-reader.ts';
import { inParts } from '../../../src/ingest/attribute/repository-parts.ts';
import { Spans } from '../../../src/ingest/attribute/spans.ts';
import { DeliveryWorld, hour, pullRequest } from './delivery-world.ts';

const day = (days: number): number => hour(24 * days);

/** A repository with a merge in every hour of its days. */
async function busyFor(days: number): Promise<DeliveryWorld> {
  const world = new DeliveryWorld();
  const merged = Array.from({ length: days * 24 }, (_, i) =>
    pullRequest({ pr_id: `p${i}`, repository: 'acme/web', base_branch: 'main', pr_merged_at: hour(i) }),
  );
  await world.batch(...merged);
  return world;
}

/** The number of parts of a repository that is touched every ten days. */
async function partsOf(world: DeliveryWorld, days: number, rowsForPart: number): Promise<number> {
  const spans = new Spans();
  for (let at = 0; at < days; at += 10) spans.touch('acme/web', day(at));
  return (await inParts(world.tables.session as unknown as AttributionReader, spans, { rowsForPart })).length;
}

test('Touched times of a repository are read together where little lies between them, and apart where much does', async () => {
  const world = await busyFor(60);
  expect(await partsOf(world, 60, 10_000)).toBe(1);
  expect(await partsOf(world, 60, 10)).toBe(6);
});

test('A merge that is only brought later is attributed without what was merged after it', async () => {
  const world = await busyFor(30);
  const { session } = world.tables;
  const select = session.select.bind(session);
  let read = 0;
  session.select = (async (...terms: Parameters<typeof select>) => {
    const rows = await select(...terms);
    read += rows.length;
    return rows;
  }) as typeof select;
  await world.batch(
    pullRequest({ pr_id: 'late', repository: 'acme/web', base_branch: 'main', pr_merged_at: hour(100.5) }),
  );
  expect(world.tables.find(pullRequests, 'late')).toMatchObject({ deployment_attribution_status: 'deployed' });
  // Blocks of two days hold 48 merges and as many deployments, and are read several times.

  expect(read).toBeLessThan(500);
});
