import type { Ticket } from '../../admission/ticket.ts';
import type { IntakePort } from '../../warehouse/intake-port.ts';
import type { Ingest } from '../ingest.ts';
import { type Suggestion, suggestMatches, type UnknownAccount, unknownAccounts } from './suggestions.ts';

interface SuggestionParts {
  readonly warehouse: Pick<IntakePort, 'read'>;
  readonly ingest: Pick<Ingest, 'bringUp'>;
}

export interface SuggestionOptions {
  readonly ticket?: Ticket | undefined;
}

/** People who may be the same as others, or as accounts that belong to no one, by the directory as it is now. */
export async function matchSuggestions(
  { warehouse, ingest }: SuggestionParts,
  organisationId: string,
  options: SuggestionOptions = {},
): Promise<Suggestion[]> {
  await ingest.bringUp(organisationId);
  return warehouse.read(organisationId, suggestMatches, { lane: 'heavy', ...options });
}

/** Accounts that belong to no person in the directory. */
export async function accountsOfNobody(
  { warehouse, ingest }: SuggestionParts,
  organisationId: string,
): Promise<UnknownAccount[]> {
  await ingest.bringUp(organisationId);
  return warehouse.read(organisationId, unknownAccounts, { lane: 'heavy' });
}
