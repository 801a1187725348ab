import { ApiKeys } from '../../src/access/api-keys.ts';
import { Authentication } from '../../src/access/authentication.ts';
import { openSignInMethods } from '../../src/access/sign-in-methods.ts';
import type { Reading, Store } from '../../src/store/store.ts';
import { noon } from '../conformance/some-organisation.ts';

export const actor = { via: 'demo' } as const;

/** The room of access over a store whose reads are counted, with a clock that the test moves. */
export function someAccess(store: Store) {
  let now = noon.getTime();
  let reads = 0;
  const counting: Store = {
    engine: store.engine,
    isShared: store.isShared,
    writerTurns: store.writerTurns,
    read: <T>(work: (session: Reading) => Promise<T>) => {
      reads += 1;
      return store.read(work);
    },
    change: (id, work) => store.change(id, work),
    note: (work) => store.note(work),
    versionOf: (id) => store.versionOf(id),
    watch: (listener) => store.watch(listener),
    holdWrites: () => store.holdWrites(),
    close: () => store.close(),
  };
  const clock = () => new Date(now);
  const keys = new ApiKeys(counting, clock);
  const onError = (error: unknown) => {
    throw error;
  };
  const { openid: _openid, ...signInMethods } = openSignInMethods({}, { store: counting, now: clock, onError });
  return {
    keys,
    authentication: new Authentication(counting, clock),
    ...signInMethods,
    clock,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    reads: () => reads,
  };
}
