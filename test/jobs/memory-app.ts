import { Ingest } from '../../src/ingest/ingest.ts';
import { publishing } from '../../src/ingest/publish/published-changes.ts';
import type { App } from '../../src/main.ts';
import { openStore } from '../../src/store/open.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import type { StoreHome } from '../conformance/stores.ts';
import { MemoryWarehouse } from '../warehouse/memory/memory-warehouse.ts';

export type SyncedApp = Pick<App, 'store' | 'directory' | 'ingest' | 'close'> & { readonly warehouse: Warehouse };

/** What a sync needs, with a real store and tables in memory: many runs take seconds instead of minutes. */
export async function openMemoryApp(place: Pick<StoreHome, 'folder' | 'databaseUrl'>): Promise<SyncedApp> {
  const kept = await openStore(place);
  const warehouse = new MemoryWarehouse();
  const ingest = new Ingest(kept, warehouse);
  const fail = (error: unknown) => {
    throw error;
  };
  const store = publishing(kept, (organisationId) => ingest.publisher.publish(organisationId), fail);
  return {
    store,
    warehouse,
    ingest,
    directory: { store, now: () => new Date() },
    async close() {
      ingest.publisher.close();
      await store.close();
    },
  };
}
