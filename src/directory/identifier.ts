import { v5 } from 'uuid';

/** How an identifier or a name is matched: without regard to case, outer space, or the way accents are encoded. */
export const keyOf = (value: string): string => value.trim().normalize('NFC').toLowerCase();

/** Where a login is a login on a code host, the one people are best known by first. */
export const codeHosts = ['github', 'gitlab', 'bitbucket'] as const;

/**
 * Identifiers that the service makes follow from the organisation and the first identity of the thing, so that the
 * order in which records arrive does not matter.
 */
export const madeId = (organisationId: string, kind: 'person' | 'team' | 'squad', identity: string): string =>
  v5(`${kind}:${identity}`, organisationId);
