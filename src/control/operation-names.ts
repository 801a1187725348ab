import type { Operations } from './operations.ts';

/** Everything that a command can have done by the running server. */
export const operationNames = [
  'createOrganisation',
  'setOrganisation',
  'listOrganisations',
  'setPerson',
  'removePerson',
  'mergePeople',
  'unmergePerson',
  'suggestMatches',
  'listUnknownAccounts',
  'createKey',
  'listKeys',
  'revokeKey',
  'rotateKey',
  'createSignIn',
  'putRecords',
  'listAudit',
  'fillDemo',
  'verify',
  'examine',
] as const satisfies readonly (keyof Operations)[];
