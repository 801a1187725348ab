import type { Patience } from '../turns/turn.ts';

/** What questions need to know of the copies of a directory in the tables. Questions wait for them and publish nothing. */
export interface PublishedDirectory {
  /** Resolves once the tables show the newest directory. Refused (503) when the caller has no waiting time left. */
  whenPublished(organisationId: string, patience?: Patience): Promise<void>;
  /** Whether an organisation has tables at all. */
  hasTables(organisationId: string): boolean;
}
