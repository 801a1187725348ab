import type { OpenSource, SourceKind } from '../../src/sources/source.ts';

const open = (): OpenSource => ({ check: async () => ({ sees: [], missing: [] }), streams: () => [] });

/** A kind with a setting of every type. */
export const toyKind: SourceKind = {
  kind: 'toy',
  label: 'Toy',
  meaning: 'a code host for tests',
  accounts: 'own',
  settings: [
    {
      name: 'base_url',
      label: 'Address',
      meaning: 'address of the API',
      type: 'address',
      usual: 'https://toy.example',
    },
    { name: 'token', label: 'Token', meaning: 'access token', type: 'text', isSecret: true, isRequired: true },
    { name: 'repositories', label: 'Repositories', meaning: 'which ones', type: 'list', isPicked: true },
    { name: 'since', label: 'Since', meaning: 'first day', type: 'date' },
    { name: 'forks', label: 'Forks', meaning: 'forks too', type: 'boolean', usual: 'false' },
    { name: 'keep_free', label: 'Keep free', meaning: 'percent', type: 'integer', most: 90, usual: '20' },
    { name: 'allow_hosts', label: 'Other hosts', meaning: 'hosts of links', type: 'list' },
  ],
  webhook: {
    signature: { header: 'x-signature', prefix: '' },
    objectsOf: () => [],
  },
  open,
};

/** A kind that reads files of this machine. */
export const localKind: SourceKind = {
  kind: 'clone',
  label: 'Clone',
  meaning: 'a local clone',
  accounts: 'own',
  settings: [{ name: 'path', label: 'Path', meaning: 'folder', type: 'text', isRequired: true }],
  isLocal: true,
  open,
};
