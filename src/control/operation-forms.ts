import type { Operations } from './operations.ts';

/**
 * How an operation reaches the running server and comes back. Its result is one JSON value, or it comes piece by piece:
 * `bytes` as they are, `steps` as one JSON value each. Of `lines`, records follow the input as they come.
 */
type FormOf<F extends (...input: never[]) => unknown> =
  Parameters<F> extends [unknown, unknown]
    ? 'lines'
    : ReturnType<F> extends AsyncIterable<Uint8Array>
      ? 'bytes'
      : ReturnType<F> extends AsyncIterable<unknown>
        ? 'steps'
        : 'value';

export type OperationForm = 'value' | 'bytes' | 'steps' | 'lines';

/** Everything that a command can have done by the running server. */
export const operationForms: { readonly [N in keyof Operations]: FormOf<Operations[N]> } = {
  createOrganisation: 'value',
  setOrganisation: 'value',
  listOrganisations: 'value',
  setPerson: 'value',
  addPerson: 'value',
  listPeople: 'value',
  removePerson: 'value',
  mergePeople: 'value',
  unmergePerson: 'value',
  suggestMatches: 'value',
  listUnknownAccounts: 'value',
  createKey: 'value',
  listKeys: 'value',
  revokeKey: 'value',
  rotateKey: 'value',
  createSignIn: 'value',
  putRecords: 'lines',
  endImport: 'value',
  checkImport: 'value',
  listAudit: 'value',
  showStatus: 'value',
  confirmDeletion: 'value',
  deleteOrganisation: 'value',
  listDemo: 'value',
  removeDemo: 'value',
  verify: 'value',
  examine: 'value',
  addSource: 'value',
  setSource: 'value',
  listSources: 'value',
  checkSource: 'value',
  removeSource: 'value',
  listSourcePeople: 'value',
  previewSourcePeople: 'value',
  unlinkAccount: 'value',
  rotateSecret: 'value',
  callTool: 'value',
  exportRows: 'bytes',
  askMetrics: 'bytes',
  backup: 'bytes',
  syncSources: 'steps',
  fillDemo: 'steps',
  migrate: 'steps',
  putStrictly: 'lines',
};
