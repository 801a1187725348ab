import type { Actor } from '../store/audit.ts';
import type { Store } from '../store/store.ts';

export type { Actor } from '../store/audit.ts';

/** What every operation of the directory stands on. */
export interface Directory {
  readonly store: Store;
  readonly now: () => Date;
}

/** One organisation, changed by someone. */
export interface Errand {
  readonly organisationId: string;
  readonly actor: Actor;
}
