import { v5 } from 'uuid';

/** Longer ones are nobody's, and too long to be looked up: an index entry has room for some two thousand bytes. */
export const maxIdentifierLength = 500;
export const isTooLong = (identifier: string): boolean => identifier.length > maxIdentifierLength;

/**
 * Identifiers that the service makes follow from the organisation and the first identity of the thing, so that the
 * order in which records arrive does not matter.
 */
export const generatedId = (organisationId: string, kind: 'person' | 'team' | 'squad', identity: string): string =>
  v5(`${kind}:${identity}`, organisationId);

/** Only bots have such logins. The key is as it is matched. */
export const isBotLogin = (key: string): boolean => key.endsWith('[bot]');
