import { moveEverything } from '../../src/moving/move.ts';
import type { MoveStep } from '../../src/moving/move-tables.ts';
import { openStore } from '../../src/store/open.ts';
import { openWarehouse } from '../../src/warehouse/open.ts';

/** Moves everything in a data folder somewhere else, or goes on with that, and tells every step. */
export async function moveFolder(
  folder: string,
  place: Parameters<typeof moveEverything>[1],
  tell: (step: MoveStep) => void,
): Promise<void> {
  const store = await openStore({ folder });
  const warehouse = await openWarehouse({ folder, writerTurns: store.writerTurns, limits: { threads: 1 } });
  try {
    await moveEverything({ store, warehouse, memory: 512e6, threads: 1 }, place, {
      signal: new AbortController().signal,
      tell,
      actor: { via: 'demo' },
      at: new Date(0),
      keepsHold: false,
    });
  } finally {
    await warehouse.close();
    await store.close();
  }
}
