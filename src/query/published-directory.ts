import type { Ticket } from '../admission/ticket.ts';

/** What questions need to know of the copies of a directory in the tables. Questions wait for them and publish nothing. */
export interface PublishedDirectory {
  /** Resolves once the tables show the directory as it is now. Refused (503) when the caller has no waiting time left. */
  whenPublished(organisationId: string, ticket?: Ticket): Promise<void>;
  /** Whether the tables have shown the directory since the start, or are found to show it. Waits for no publication. */
  isPublished(organisationId: string, asked: { readonly ticket?: Ticket | undefined }): Promise<boolean>;
  /** Whether an organisation has tables at all. */
  hasTables(organisationId: string): boolean;
}
