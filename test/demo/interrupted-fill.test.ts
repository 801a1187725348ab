import { expect, test } from 'vitest';
import { demoOrganisations } from '../../src/demo/demo-organisations.ts';
import { fillingDemo } from '../../src/demo/fill.ts';
import { demoSeed } from '../../src/demo/seed.ts';
import { setOrganisation } from '../../src/directory/organisations.ts';
import type { Ingest } from '../../src/ingest/ingest.ts';
import { openStore } from '../../src/store/open.ts';
import { findOrganisation } from '../../src/store/organisation-rows.ts';
import { directoryOf, quickStore } from '../conformance/stores.ts';

async function allOf(steps: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const step of steps) all.push(step);
  return all;
}

test('A demo that was interrupted and is filled on another day still has one history, and what was changed meanwhile stays', async () => {
  const home = await quickStore.place();
  const store = await openStore(home);
  try {
    /** What the first batch has when the demo is filled on this day and interrupted by it. */
    const firstBatchOn = async (until: string): Promise<unknown> => {
      let batch: unknown;
      const ingest: Pick<Ingest, 'put'> = {
        put: async (_organisation, tables) => {
          batch = tables;
          throw new Error('interrupted');
        },
      };
      const filling = fillingDemo({ directory: directoryOf(store), ingest }, { seed: demoSeed, scale: 1, until });
      await expect(allOf(filling)).rejects.toThrow('interrupted');
      return batch;
    };
    const begun = await firstBatchOn('2026-03-01');
    expect(begun).toBeDefined();
    const [{ id } = { id: '' }] = demoOrganisations({ seed: demoSeed, scale: 1 });
    const context = { organisationId: id, actor: { via: 'command', user: 'test' } } as const;
    await setOrganisation(directoryOf(store), context, { time_zone: 'Asia/Kathmandu' });
    expect(JSON.stringify(await firstBatchOn('2026-03-20')) === JSON.stringify(begun)).toBe(true);
    const kept = await store.read((session) => findOrganisation(session, id));
    expect(kept?.time_zone).toBe('Asia/Kathmandu');
  } finally {
    await store.close();
    await home.remove();
  }
});
