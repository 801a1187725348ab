import { Refusal } from '../../refusal.ts';
import type { OrganisationWriting, Store } from '../store.ts';
import type { StoreLock } from './store-lock.ts';

/**
 * A store that works only while this process holds its lock. Without it nothing is read or written, and no version is
 * known: what is kept in memory counts as stale, so that every request asks the store and is told to come back.
 */
export function whileHeld(store: Store, lock: StoreLock): Store {
  const refuseUnlessHeld = () => {
    if (!lock.isHeld) throw notHeld();
  };
  return {
    engine: store.engine,
    isShared: store.isShared,
    async read(work, turn) {
      refuseUnlessHeld();
      return store.read(work, turn);
    },
    async change(organisationId, work, turn) {
      refuseUnlessHeld();
      const checked = async (session: OrganisationWriting) => {
        const result = await work(session);
        // Before it is committed: another process may have begun in the meantime.
        refuseUnlessHeld();
        return result;
      };
      return store.change(organisationId, checked, turn);
    },
    async note(work) {
      refuseUnlessHeld();
      await store.note(async (session) => {
        await work(session);
        refuseUnlessHeld();
      });
    },
    writerTurns: {
      inTurn: async (organisationId, work, writer) => {
        refuseUnlessHeld();
        return store.writerTurns.inTurn(
          organisationId,
          ({ publish, ...turn }) => {
            const publishHeld = async () => {
              refuseUnlessHeld();
              await publish();
            };
            return work({ ...turn, publish: publishHeld });
          },
          writer,
        );
      },
      published: (organisationId) => (lock.isHeld ? store.writerTurns.published(organisationId) : undefined),
      lastKnown: (organisationId) => store.writerTurns.lastKnown(organisationId),
      forgetDead: async (organisationId, changes) => {
        refuseUnlessHeld();
        await store.writerTurns.forgetDead(organisationId, changes);
      },
    },
    versionOf: (organisationId) => (lock.isHeld ? store.versionOf(organisationId) : undefined),
    watch: (listener) => store.watch(listener),
    async holdWrites() {
      refuseUnlessHeld();
      return store.holdWrites();
    },
    async close() {
      try {
        await store.close();
      } finally {
        await lock.close();
      }
    },
  };
}

const notHeld = () =>
  new Refusal('unavailable', 'This server has lost its lock on the store and waits for it. Send the request again.', {
    retryAfterSeconds: 2,
  });
