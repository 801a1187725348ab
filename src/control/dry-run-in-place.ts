import { Ingest } from '../ingest/ingest.ts';
import type { DryRun } from '../safety/dry-run-rederive.ts';
import { limitsOf, type StorePlace } from '../safety/restore.ts';

/** How everything in a place is recomputed, in copies, by the rules that records are taken in with. */
export const dryRunIn = (place: StorePlace): DryRun => ({
  folder: place.folder,
  // Beside the engine that serves: what the store may take is enough, and goes through the disk the sooner.
  limits: limitsOf(place, 'store'),
  derivingIn: (store, warehouse) => new Ingest(store, warehouse),
});
