import type { RecordLine } from '../directory/records.ts';
import type { Operations } from './operations.ts';
import type { Streams } from './streams.ts';

/**
 * How an operation reaches the running server and comes back: the input and the result as one JSON value each; rows, as
 * they come; lines, which follow the input as they come; a batch, whose lines the server gathers.
 */
type Form<F extends (...input: never[]) => unknown> =
  ReturnType<F> extends AsyncIterable<unknown>
    ? 'rows'
    : Parameters<F> extends [unknown, unknown]
      ? 'lines'
      : Parameters<F>[0] extends { readonly lines: readonly RecordLine[] }
        ? 'batch'
        : 'value';

/** Everything that a command can have done by the running server. */
export const operationForms: { readonly [N in keyof (Operations & Streams)]: Form<(Operations & Streams)[N]> } = {
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
  putRecords: 'batch',
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
  exportRows: 'rows',
  askMetrics: 'rows',
  syncSources: 'rows',
  fillDemo: 'rows',
  migrate: 'rows',
  putStrictly: 'lines',
};
