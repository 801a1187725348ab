import type { Actor } from '../store/audit.ts';
import type { Store, StoreCaller } from '../store/store.ts';

export type { Actor } from '../store/audit.ts';

/** The parts that every operation of the directory needs. */
export interface Directory {
  readonly store: Store;
  readonly now: () => Date;
}

/** Changes one organisation: callers take turns. */
export interface ChangeContext extends Pick<StoreCaller, 'ticket'> {
  readonly organisationId: string;
  readonly actor: Actor;
}
