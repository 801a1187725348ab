import { Refusal } from '../../refusal.ts';
import type { OrganisationWriting, Store, StoreCaller } from '../../store/store.ts';

/**
 * A store whose changes are published before they are answered, so that the caller finds its change in the tables.
 * There is no transaction across the two: a change that could not be published is kept all the same, the publisher
 * tries again, and questions wait until then.
 */
export function publishing(
  store: Store,
  changed: (organisationId: string) => Promise<void>,
  onError: (error: unknown) => void,
): Store {
  return {
    engine: store.engine,
    isShared: store.isShared,
    writerTurns: store.writerTurns,
    read: (work, turn) => store.read(work, turn),
    note: (work) => store.note(work),
    versionOf: (organisationId) => store.versionOf(organisationId),
    watch: (listener) => store.watch(listener),
    holdWrites: () => store.holdWrites(),
    close: () => store.close(),
    async change<T>(
      organisationId: string,
      work: (session: OrganisationWriting) => Promise<T>,
      turn?: StoreCaller,
    ): Promise<T> {
      const result = await store.change(organisationId, work, turn);
      await changed(organisationId).catch((error: unknown) => {
        // A change may have been its deletion.
        if (!(error instanceof Refusal && error.reason === 'not-found')) onError(error);
      });
      return result;
    },
  };
}
