import type { FactTable } from '../catalogue/tables/tables.ts';
import { findOrganisation } from '../store/organisations.ts';
import type { Reading } from '../store/store.ts';
import type { FeedingStream } from './table-extent.ts';

/** What the store knows of how far an organisation's sources are read. */
export interface OrganisationReads {
  /** The name of the organisation's time zone. */
  readonly zone: string;
  /** By the table that they feed. */
  readonly streams: ReadonlyMap<FactTable, readonly FeedingStream[]>;
}

export async function organisationReads(session: Reading, organisationId: string): Promise<OrganisationReads> {
  const organisation = await findOrganisation(session, organisationId);
  return { zone: organisation?.time_zone ?? 'UTC', streams: new Map() };
}
