import { writeSync } from 'node:fs';
import { moveEverything } from '../../src/moving/move.ts';
import { openStore } from '../../src/store/open.ts';
import { openWarehouse } from '../../src/warehouse/open.ts';

/**
 * Moves a data folder and prints every step, and is killed at the given one, if any: nothing of it can do anything
 * afterwards.
 */
const [folder = '', place = '', killAt = ''] = process.argv.slice(2);
const store = await openStore({ folder });
const warehouse = await openWarehouse({ folder, writerTurns: store.writerTurns, limits: { threads: 1 } });
let steps = 0;
await moveEverything({ store, warehouse, memory: 512e6, threads: 1 }, JSON.parse(place), {
  signal: new AbortController().signal,
  tell: (step) => {
    writeSync(1, `${JSON.stringify(step)}\n`);
    steps += 1;
    if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
  actor: { via: 'demo' },
  at: new Date(0),
  keepsHold: false,
});
process.exit(0);
