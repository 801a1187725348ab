import type { Principal } from '../../src/access/principal.ts';

/** Somebody called ann, who sees everything in an organisation. */
export const someOwner = (organisationId: string): Principal => ({
  organisationId,
  keyId: 'key',
  personId: 'ann',
  role: 'Owner',
  permissions: [],
  visibility: 'organisation',
  timeZone: 'UTC',
  salaryVisibility: false,
});
