import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type House, openHouse } from '../../src/main.ts';

/** A house with an embedded store in a folder of its own, which goes away with it. */
export async function openTemporaryHouse(now?: () => Date): Promise<House & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-house-'));
  const house = await openHouse({ folder, databaseUrl: undefined }, now ? { now } : {});
  return {
    ...house,
    folder,
    async close() {
      await house.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
