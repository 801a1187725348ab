import type { Reading, Store } from '../store/store.ts';
import type { Turn } from '../turns/turn.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import {
  type Freshness,
  freshness,
  type QuietRepositories,
  quietRepositories,
  type UndeployedPullRequests,
  undeployedPullRequests,
} from './gaps.ts';
import { type SourceHealth, sourceHealth } from './source-health.ts';
import {
  type DisputedIdentity,
  disputedIdentities,
  type NotOnboarded,
  notOnboarded,
  type UnknownIdentities,
  unknownIdentities,
} from './unresolved-people.ts';

/** What an Owner should know before trusting a number. Long lists are cut; their totals are not. */
export interface DataQuality {
  readonly unknown_identities: UnknownIdentities;
  readonly disputed_accounts: readonly DisputedIdentity[];
  readonly not_onboarded: NotOnboarded;
  readonly pull_requests_without_deployment: UndeployedPullRequests;
  readonly repositories_without_recent_data: QuietRepositories;
  readonly sources: readonly SourceHealth[];
  readonly freshness: Freshness;
}

export interface DataQualityParts {
  readonly store: Pick<Store, 'read'>;
  readonly warehouse: Pick<IntakePort, 'read'>;
  readonly now: () => Date;
}

export interface DataQualityOptions {
  readonly turn?: Turn;
  readonly signal?: AbortSignal;
}

/** The data quality of one organisation. */
export async function dataQualityOf(
  { store, warehouse, now }: DataQualityParts,
  organisationId: string,
  options: DataQualityOptions = {},
): Promise<DataQuality> {
  const ofOrganisation = (session: Reading) => sourceHealth(session, organisationId);
  const sources = await store.read(ofOrganisation, { organisationId, ...options });
  return warehouse.read(
    organisationId,
    async (reader) => ({
      unknown_identities: await unknownIdentities(reader),
      disputed_accounts: await disputedIdentities(reader),
      not_onboarded: await notOnboarded(reader),
      pull_requests_without_deployment: await undeployedPullRequests(reader),
      repositories_without_recent_data: await quietRepositories(reader, now()),
      sources,
      freshness: await freshness(reader),
    }),
    { lane: 'heavy', ...options },
  );
}
