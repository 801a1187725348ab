import { Ingest } from '../ingest/ingest.ts';
import type { Rehearsal } from '../safety/rehearsal.ts';
import { limitsOf, type StorePlace } from '../safety/restore.ts';

/** How everything in a place is derived anew, in copies, by the rules that records are taken in with. */
export const rehearsalIn = (place: StorePlace): Rehearsal => ({
  folder: place.folder,
  limits: limitsOf(place),
  derivingIn: (store, warehouse) => new Ingest(store, warehouse),
});
