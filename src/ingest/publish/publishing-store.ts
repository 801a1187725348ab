import type { OrganisationWriting, Store, StoreTurn } from '../../store/store.ts';

/**
 * A store that passes every change on before it is answered, so that whoever changed something finds it in the tables.
 * There is no transaction across the two: a change that could not be passed on is kept all the same, and a warehouse
 * found behind is brought up before it answers.
 */
export function publishing(
  store: Store,
  changed: (organisationId: string) => Promise<void>,
  troubled: (error: unknown) => void,
): Store {
  return {
    engine: store.engine,
    read: (work, turn) => store.read(work, turn),
    note: (work) => store.note(work),
    versionOf: (organisationId) => store.versionOf(organisationId),
    close: () => store.close(),
    async change<T>(
      organisationId: string,
      work: (session: OrganisationWriting) => Promise<T>,
      turn?: StoreTurn,
    ): Promise<T> {
      const result = await store.change(organisationId, work, turn);
      await changed(organisationId).catch(troubled);
      return result;
    },
  };
}
