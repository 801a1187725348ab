import type { Json } from '../catalogue/record.ts';
import type { SourceMemory } from '../sources/source.ts';
import { findCursor, noteCursor } from '../store/cursors.ts';
import type { Store } from '../store/store.ts';

/** What sources of a kind remember of an organisation. It stays when a source is removed. */
export function sourceMemory(
  store: Pick<Store, 'read' | 'note'>,
  organisationId: string,
  kind: string,
  now: () => Date,
): SourceMemory {
  return {
    async get(key) {
      const value = await store.read((session) => findCursor(session, organisationId, kind, key), { organisationId });
      return value === undefined ? undefined : (JSON.parse(value) as Json);
    },
    set: (key, value) =>
      store.note((session) => noteCursor(session, organisationId, kind, key, JSON.stringify(value), now())),
  };
}
