import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** What the heap holds after everything that is not in use is gone. */
export function liveHeapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Counts how many of some objects anybody still holds: the same on every machine, unlike the memory in use. */
export class HeldObjects {
  readonly #watched: WeakRef<object>[] = [];

  watch(one: object): void {
    this.#watched.push(new WeakRef(one));
  }

  async count(): Promise<number> {
    // What was watched or looked at in this turn is held until the turn ends.
    await nextTurn();
    collectGarbage();
    return this.#watched.filter((one) => one.deref() !== undefined).length;
  }
}
