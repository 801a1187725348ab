import type { Ticket } from '../admission/ticket.ts';
import { listAccounts } from '../store/source-people-rows.ts';
import type { Reading, Store } from '../store/store.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { DataStatuses, Freshness } from './data-status.ts';
import {
  type DisputedLink,
  disputedLinks,
  type PeopleWhoLeft,
  peopleWhoLeft,
  type QuietRepositories,
  quietRepositories,
  type UndeployedPullRequests,
  undeployedPullRequests,
} from './gaps.ts';
import { type IncidentsWithoutRepository, incidentsWithoutRepository } from './incidents-without-repository.ts';
import { type SourceHealth, sourceHealth } from './source-health.ts';
import {
  type DisputedIdentity,
  disputedIdentities,
  type NotOnboarded,
  notOnboarded,
  type UnknownIdentities,
  unknownIdentities,
} from './unresolved-people.ts';

/** The findings that an Owner should know before trusting a number. Long lists are cut; their totals are not. */
export interface DataQuality {
  readonly unknown_identities: UnknownIdentities;
  readonly disputed_accounts: readonly DisputedIdentity[];
  readonly not_onboarded: NotOnboarded;
  readonly people_who_left: PeopleWhoLeft;
  readonly disputed_links: readonly DisputedLink[];
  readonly pull_requests_without_deployment: UndeployedPullRequests;
  readonly incidents_without_repository: IncidentsWithoutRepository;
  readonly repositories_without_recent_data: QuietRepositories;
  readonly sources: readonly SourceHealth[];
  readonly freshness: Freshness;
}

interface DataQualityParts {
  readonly store: Pick<Store, 'read'>;
  readonly warehouse: Pick<IntakePort, 'read'>;
  readonly dataStatuses: Pick<DataStatuses, 'of'>;
  readonly now: () => Date;
}

export interface DataQualityOptions {
  readonly ticket?: Ticket;
}

/** The data quality of one organisation. */
export async function dataQualityOf(
  { store, warehouse, dataStatuses, now }: DataQualityParts,
  organisationId: string,
  options: DataQualityOptions = {},
): Promise<DataQuality> {
  const ofOrganisation = async (session: Reading) => ({
    sources: await sourceHealth(session, organisationId),
    accounts: await listAccounts(session, organisationId),
  });
  const { sources, accounts } = await store.read(ofOrganisation, { organisationId, ...options });
  const { freshness } = await dataStatuses.of(organisationId, options);
  return warehouse.read(
    organisationId,
    async (reader) => ({
      unknown_identities: await unknownIdentities(reader),
      disputed_accounts: await disputedIdentities(reader),
      not_onboarded: await notOnboarded(reader),
      people_who_left: peopleWhoLeft(accounts),
      disputed_links: disputedLinks(accounts),
      pull_requests_without_deployment: await undeployedPullRequests(reader),
      incidents_without_repository: await incidentsWithoutRepository(reader),
      repositories_without_recent_data: await quietRepositories(reader, now()),
      sources,
      freshness,
    }),
    { lane: 'heavy', ...options },
  );
}
